package io.plimsoll.report;

import io.plimsoll.Secrets;
import io.plimsoll.report.Table.Column;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.ConsumerKeys;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.LoadEstimate;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerKeys;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.TopicKeys;
import io.plimsoll.scenario.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What a plan will do, for someone who wants to know before it does. */
public final class PlanText {
    private static final String INDENT = "  ";

    /** Keys that have a place of their own in the text of a producer. */
    private static final Set<Key<?>> PRODUCER = Set.of(
            ProducerKeys.TOPIC,
            ProducerKeys.RECORDS,
            ProducerKeys.DURATION,
            ProducerKeys.RATE,
            ProducerKeys.RECORD,
            ProducerKeys.ENGINE,
            ProducerKeys.CLIENTS,
            ProducerKeys.THREADS,
            ProducerKeys.CONFIG);

    private static final Set<Key<?>> CONSUMER = Set.of(
            ConsumerKeys.TOPIC,
            ConsumerKeys.GROUPS,
            ConsumerKeys.MEMBERS,
            ConsumerKeys.RECORDS,
            ConsumerKeys.ENGINE,
            ConsumerKeys.START,
            ConsumerKeys.CONFIG);

    private static final Set<Key<?>> TOPIC = Set.of(
            TopicKeys.PARTITIONS,
            TopicKeys.REPLICATION,
            TopicKeys.BROKERS,
            TopicKeys.KEEP,
            TopicKeys.EXISTING,
            TopicKeys.CONFIG);

    private PlanText() {}

    /** Such as {@code about 14 min, writes 220 GB}. */
    public static String size(Plan plan) {
        LoadEstimate estimate = LoadEstimate.of(plan);
        return "about " + Units.duration(rounded(estimate.seconds())) + ", writes "
                + (estimate.assumed() ? "up to " : "") + Units.bytes(estimate.bytes());
    }

    /** Nobody needs the seconds of an hour that was estimated. */
    private static double rounded(double seconds) {
        return seconds < 90 ? Math.ceil(seconds) : Math.ceil(seconds / 60) * 60;
    }

    /**
     * @param brokers that the plan would run on
     * @param width columns of the terminal
     * @return lines that end with a line break
     */
    public static String of(Plan plan, int brokers, int width) {
        LoadEstimate estimate = LoadEstimate.of(plan);
        StringBuilder out = new StringBuilder();
        out.append(plan.name()).append(": ").append(trials(plan)).append(", ").append(size(plan));
        out.append(plan.scale() == 1 ? "" : " at scale " + ReferenceText.scale(plan.scale()));
        out.append(". Nothing was run.\n\n");
        new Table<>(columns(), estimate.trials()).lines(width - INDENT.length()).forEach(l -> line(out, l));
        out.append('\n');
        long peak = estimate.peakBytesPerBroker(plan, brokers);
        Text.wrap(
                        "It writes " + Units.count(estimate.produced()) + " records, " + Units.bytes(estimate.bytes())
                                + " without copies and before compression"
                                + (estimate.assumed()
                                        ? " (marked ~: at a rate of ours, since nobody knows how fast this cluster is)"
                                        : "")
                                + ". At its fullest, "
                                + (brokers == 1 ? "the broker" : "each of " + brokers + " brokers")
                                + " needs " + Units.bytes(peak) + " of disk, copies included, unless retention removes"
                                + " some before.",
                        Math.min(width, 110))
                .forEach(l -> out.append(l).append('\n'));
        for (Plan.Trial trial : plan.trials()) {
            out.append('\n').append(Text.printable(trial.name())).append('\n');
            parts(trial.scenario()).forEach(part -> paragraph(out, part, width));
        }
        return out.toString();
    }

    private static String trials(Plan plan) {
        int n = plan.trials().size();
        return n + (n == 1 ? " trial" : " trials");
    }

    private static List<Column<LoadEstimate.Trial>> columns() {
        return List.of(
                Column.named("trial", false, 0, LoadEstimate.Trial::name),
                Column.named("takes about", true, 1, t -> mark(t) + Units.duration(rounded(t.seconds()))),
                Column.named("produces", true, 3, t -> t.produced() == 0 ? Table.NONE : Units.count(t.produced())),
                Column.named("writes", true, 0, t -> t.bytes() == 0 ? Table.NONE : mark(t) + Units.bytes(t.bytes())),
                Column.named(
                        "reads",
                        true,
                        2,
                        t -> t.read() == 0 ? Table.NONE : t.read() < 0 ? "all" : Units.count(t.read())));
    }

    private static String mark(LoadEstimate.Trial trial) {
        return trial.assumed() ? "~" : "";
    }

    private static List<String> parts(Scenario scenario) {
        List<String> parts = new ArrayList<>();
        scenario.producers().forEach(p -> parts.add("produce  " + producer(p, scenario)));
        scenario.consumers().forEach(c -> parts.add("consume  " + consumer(c)));
        scenario.topics().stream().filter(t -> used(scenario, t)).forEach(t -> parts.add("topic    " + topic(t)));
        return parts;
    }

    private static boolean used(Scenario scenario, TopicSpec topic) {
        return scenario.producers().stream().anyMatch(p -> p.topics().contains(topic.name()))
                || scenario.consumers().stream().anyMatch(c -> c.topics().contains(topic.name()));
    }

    private static String producer(ProducerSpec p, Scenario scenario) {
        String much = p.records().isPresent()
                ? Units.count(p.records().getAsLong()) + " records"
                : "for " + duration(p.duration().orElse(scenario.duration()));
        return names(p.topics()) + ": " + much + ", " + rate(p.rate()) + ", "
                + Units.bytes(p.record().size()) + " values, " + engine(p.engine())
                + plural(p.clients(), "client") + (p.threads() > 1 ? " with " + p.threads() + " threads each" : "")
                + others(p.settings(), PRODUCER) + config(p.config());
    }

    private static String consumer(ConsumerSpec c) {
        String much = c.records().isPresent() ? Units.count(c.records().getAsLong()) + " records each" : "everything";
        return names(c.topics()) + ": " + plural(c.groups(), "group") + " of " + plural(c.members(), "member") + ", "
                + much + ", " + engine(c.engine()) + start(c) + others(c.settings(), CONSUMER) + config(c.config());
    }

    /** What else was asked for, by key. */
    private static String others(Settings settings, Set<Key<?>> told) {
        return settings.keys().stream()
                .filter(key -> !told.contains(key))
                .map(key -> ", " + key.told(settings))
                .collect(Collectors.joining());
    }

    private static String start(ConsumerSpec c) {
        String when = "from the beginning";
        if (c.start() instanceof ConsumerSpec.Start.Latest) {
            when = "from the end";
        } else if (c.start() instanceof ConsumerSpec.Start.Offset o) {
            when = "from offset " + o.offset();
        } else if (c.start() instanceof ConsumerSpec.Start.Timestamp t) {
            when = "from " + t.time();
        } else if (c.start() instanceof ConsumerSpec.Start.AfterProduce) {
            when = "once producing is done";
        } else if (c.start() instanceof ConsumerSpec.Start.Backlog b) {
            when = "once producing has gone on for " + duration(b.time());
        } else if (c.start() instanceof ConsumerSpec.Start.BacklogBytes b) {
            when = "once " + Units.bytes(b.bytes()) + " are there";
        }
        return when + (c.rewind().isPresent() ? ", rewound" : "");
    }

    private static String duration(Duration duration) {
        double seconds = duration.toNanos() / 1e9;
        return seconds < 1 ? Units.micros(seconds * 1e6) : Units.duration(seconds);
    }

    private static String topic(TopicSpec t) {
        if (t.existing()) {
            return t.name() + ": is there";
        }
        return t.name() + ": " + plural(t.partitions(), "partition") + ", " + plural(t.replication(), "replica")
                + (t.brokers() > 0 ? ", on " + plural(t.brokers(), "broker") : "") + (t.keep() ? ", kept" : "")
                + others(t.settings(), TOPIC)
                + config(t.config());
    }

    private static String rate(Rate rate) {
        if (rate instanceof Rate.Constant c) {
            return "at "
                    + switch (c.rate().unit()) {
                        case RECORDS -> Units.rate(c.rate().value()) + " records/s";
                        case PAYLOAD_BYTES -> Units.byteRate(c.rate().value());
                        case WIRE_BYTES -> Units.byteRate(c.rate().value()) + " on the wire";
                    };
        }
        return rate instanceof Rate.Unlimited ? "as fast as possible" : "at a changing rate";
    }

    private static String engine(String engine) {
        return engine.equals(Engine.DEFAULT) ? "" : engine + " engine, ";
    }

    private static String plural(int n, String what) {
        return Units.count(n) + " " + what + (n == 1 ? "" : "s");
    }

    private static String names(List<String> names) {
        return names.size() == 1
                ? names.get(0)
                : names.get(0) + " to " + names.get(names.size() - 1) + " (" + names.size() + " topics)";
    }

    private static String config(Map<String, String> config) {
        return config.isEmpty()
                ? ""
                : "; "
                        + Secrets.redact(config).entrySet().stream()
                                .map(e -> e.getKey() + "=" + e.getValue())
                                .collect(Collectors.joining(" "));
    }

    private static void paragraph(StringBuilder out, String text, int width) {
        List<String> lines = Text.wrap(Text.printable(text), Math.max(30, Math.min(width, 110) - 2 * INDENT.length()));
        for (int i = 0; i < lines.size(); i++) {
            line(out, (i == 0 ? "" : INDENT) + lines.get(i));
        }
    }

    private static void line(StringBuilder out, String text) {
        out.append(INDENT).append(text).append('\n');
    }
}
