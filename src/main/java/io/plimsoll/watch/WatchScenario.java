package io.plimsoll.watch;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Check.Operator;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a scenario that applies to a watch. Durations, lab and observation settings are ignored; other
 * unsupported settings are rejected by name.
 *
 * @param options of {@code plimsoll watch} by name, as typed
 */
public record WatchScenario(
        Map<String, String> options,
        WatchSettings.Layout layout,
        Map<String, String> producing,
        Map<String, String> reading) {
    private static final Set<String> WHOLE = Set.of(
            "name",
            "about",
            "aboutZh",
            "topics",
            "producers",
            "consumers",
            "duration",
            "warmup",
            "audit",
            "checks",
            "lab",
            "observe");
    private static final Map<String, Set<String>> ENTRIES = Map.of(
            "topics", Set.of("name", "partitions", "replication", "config"),
            "producers", Set.of("topic", "rate", "record", "config", "duration"),
            "producers.record", Set.of("size"),
            "consumers", Set.of("topic", "config"));
    /** Consumer properties that the watch controls. */
    private static final List<String> OWN = List.of("auto.offset.reset", "enable.auto.commit", "transactional.id");

    private static final Pattern RESPONSE = Pattern.compile("(?:produce\\.response|consume\\.endToEnd)\\.p([0-9.]+)");
    private static final Pattern AUDITED = Pattern.compile("audit\\.(lost|duplicated|reordered|violations)");

    /** The settings of a watch without a scenario. */
    public static final WatchScenario NONE =
            new WatchScenario(Map.of(), WatchSettings.Layout.DEFAULT, Map.of(), Map.of());

    /** @throws PlimsollException ({@link Exit#USAGE}) with the unsupported setting */
    public static WatchScenario of(Plan plan) {
        Map<String, Object> written = plan.asMap();
        onlyKnown("", written, WHOLE);
        ENTRIES.keySet().stream()
                .filter(written::containsKey)
                .forEach(list -> entries(list, Objects.requireNonNull(written.get(list))));
        Scenario scenario = plan.trials().get(0).scenario();
        refuse(scenario.topics().size() != 1, "topics");
        refuse(scenario.producers().size() != 1, "producers");
        refuse(scenario.consumers().size() > 1, "consumers");
        ProducerSpec producer = scenario.producers().get(0);
        Map<String, String> options = new LinkedHashMap<>();
        options.put("--topic", scenario.topics().get(0).name());
        options.put("--record-size", Integer.toString(producer.record().size()));
        refuse(!producer.record().mix().isEmpty(), "producers.record.size");
        rate(producer, scenario.topics().get(0).partitions(), options);
        scenario.checks().forEach(check -> objective(check, options));
        Map<String, String> reading = scenario.consumers().isEmpty()
                ? Map.of()
                : scenario.consumers().get(0).config();
        OWN.forEach(key -> refuse(producer.config().containsKey(key), "producers.config." + key));
        OWN.forEach(key -> refuse(reading.containsKey(key), "consumers.config." + key));
        return new WatchScenario(Map.copyOf(options), layout(written, scenario), producer.config(), reading);
    }

    /** The bootstrap servers in the producer's properties, if set. */
    public Optional<String> bootstrapServers() {
        return Optional.ofNullable(producing.get("bootstrap.servers"));
    }

    private static void refuse(boolean condition, String what) {
        Exit.USAGE.when(condition, "watch.notDone", what);
    }

    private static void onlyKnown(String where, Map<?, ?> written, Set<String> known) {
        written.keySet().forEach(key -> refuse(!known.contains(String.valueOf(key)), where + key));
    }

    /** @param written an entry, or a list of entries; each entry is a map or a word */
    private static void entries(String path, Object written) {
        List<?> all = written instanceof List<?> list ? list : List.of(written);
        for (Object entry : all) {
            if (entry instanceof Map<?, ?> map) {
                onlyKnown(path + ".", map, Objects.requireNonNull(ENTRIES.get(path)));
                if (map.get("record") instanceof Map<?, ?> record) {
                    onlyKnown("producers.record.", record, Objects.requireNonNull(ENTRIES.get("producers.record")));
                }
            }
        }
    }

    /** A scenario's rate applies to all partitions together. */
    private static void rate(ProducerSpec producer, int partitions, Map<String, String> options) {
        refuse(!(producer.rate() instanceof Rate.Constant), "producers.rate");
        Rate.Quantity rate = producer.rate().levels().get(0);
        refuse(rate.unit() == Rate.Unit.WIRE_BYTES, "producers.rate");
        int size = Math.max(1, producer.record().size());
        double records = rate.unit() == Rate.Unit.RECORDS ? rate.value() : rate.value() / size;
        refuse(records > WatchSettings.MOST_RATE * partitions, "producers.rate");
        double each = Math.min(WatchSettings.MOST_RATE, records);
        options.put("--rate", Quantities.text(new Rate.Quantity(each, Rate.Unit.RECORDS)));
        options.put("--max-rate", Quantities.text(new Rate.Quantity(records * size, Rate.Unit.PAYLOAD_BYTES)));
    }

    private static void objective(Check check, Map<String, String> options) {
        boolean least = check.op() == Operator.LESS || check.op() == Operator.LESS_OR_EQUAL;
        Matcher percentile = RESPONSE.matcher(check.figure());
        boolean limits = percentile.matches() && least && check.ofSeconds() == null;
        boolean audited = AUDITED.matcher(check.figure()).matches()
                && check.limit() == 0
                && (check.op() == Operator.EQUAL || check.op() == Operator.LESS_OR_EQUAL);
        refuse((!limits && !audited) || check.label() != null, check.text());
        if (limits) {
            // A watch has one time limit for all signals.
            refuse(options.containsKey("--within"), check.text());
            options.put("--within", Quantities.text(Duration.ofNanos(Math.round(check.limit() * 1000))));
            options.put("--objective", percentile.group(1) + "%");
        }
    }

    private static WatchSettings.Layout layout(Map<String, Object> written, Scenario scenario) {
        Object first = written.get("topics") instanceof List<?> list ? list.get(0) : written.get("topics");
        boolean copied = first instanceof Map<?, ?> map && map.containsKey("replication");
        return new WatchSettings.Layout(
                scenario.topics().get(0).partitions(),
                copied ? scenario.topics().get(0).replication() : WatchSettings.Layout.DEFAULT.copies(),
                scenario.topics().get(0).config());
    }
}
