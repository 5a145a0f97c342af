package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes a {@link Scenario} of the tree of one trial, and reads the values of {@link ScenarioKeys} that have forms of their own. */
final class ScenarioBinder {
    private ScenarioBinder() {}

    /** @param fallbackName for a file that has no name */
    static Scenario bind(Fields tree, Section keys, String fallbackName, Scale scale, Problems problems) {
        EntryReading whole = new EntryReading(new Form(tree, keys, "", problems), scale, fallbackName);
        Scenario scenario = new Scenario(whole.readAll().checkAll().settings());
        return whole.get(ScenarioKeys.DEFAULTS)
                .map(defaults -> scenario.with(
                                ScenarioKeys.PRODUCERS,
                                scenario.producers().stream()
                                        .map(p -> p.with(
                                                ProducerKeys.CONFIG,
                                                defaults.producer(
                                                        p.config(),
                                                        p.transactions().enabled())))
                                        .toList())
                        .with(
                                ScenarioKeys.CONSUMERS,
                                scenario.consumers().stream()
                                        .map(c -> c.with(ConsumerKeys.CONFIG, defaults.consumer(c.config())))
                                        .toList()))
                .orElse(scenario);
    }

    static Optional<List<ProducerSpec>> producers(EntryReading scenario, String key) {
        return Optional.of(scenario.entries(key).stream()
                .map(entry -> new ProducerSpec(entry.settings()))
                .toList());
    }

    static Optional<List<ConsumerSpec>> consumers(EntryReading scenario, String key) {
        return Optional.of(scenario.entries(key).stream()
                .map(entry -> new ConsumerSpec(entry.settings()))
                .toList());
    }

    /** The scenario as far as it has been read. */
    private static Scenario soFar(EntryReading scenario) {
        return new Scenario(scenario.settings());
    }

    /** The warm-up as it is written; the usual one as far as it has to be scaled. */
    static Optional<Optional<Duration>> warmup(EntryReading scenario, String key) {
        Scale scale = scenario.scale();
        Optional<Duration> given = scenario.read(key, Quantities::durationOrZero);
        boolean usual = scale.isOne() || soFar(scenario).boundByRecords();
        return Optional.of(given.or(() -> usual ? Optional.empty() : Optional.of(Scenario.DEFAULT_WARMUP))
                .map(scale::time));
    }

    /** A backlog that takes longer than producing would never be worked off while producing goes on. */
    static void checkBacklogs(EntryReading reading, List<ConsumerSpec> consumers) {
        Scenario scenario = soFar(reading);
        if (scenario.boundByRecords()) {
            return;
        }
        Duration longest = scenario.producers().stream()
                .map(p -> p.duration().orElse(scenario.duration()))
                .max(Duration::compareTo)
                .orElse(scenario.duration());
        List<Form> forms = reading.form().forms("consumers");
        for (int i = 0; i < Math.min(forms.size(), consumers.size()); i++) {
            if (consumers.get(i).start() instanceof ConsumerSpec.Start.Backlog backlog
                    && backlog.time().compareTo(longest) >= 0) {
                forms.get(i)
                        .problem(
                                "start",
                                "the backlog grows for " + Quantities.text(backlog.time())
                                        + ", and producing ends after " + Quantities.text(longest)
                                        + "; make the duration longer or the backlog shorter");
            }
        }
    }

    /** What may fail, and until when, depends on what has been read before. */
    static Optional<List<FaultSpec>> faults(EntryReading reading, String key) {
        Scenario s = soFar(reading);
        Optional<Duration> loadEnds = s.boundByRecords()
                ? Optional.empty()
                : Optional.of(Stream.concat(
                                s.producers().stream().flatMap(p -> p.duration().stream()), Stream.of(s.duration()))
                        .max(Duration::compareTo)
                        .get());
        List<FaultSpec> faults = new ArrayList<>();
        reading.entries(key)
                .forEach(fault -> new FaultBinder(fault, loadEnds).bind().ifPresent(faults::add));
        return Optional.of(List.copyOf(faults));
    }

    static String name(String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw new IllegalArgumentException(
                    "expected a name of up to 100 letters, digits, dots, dashes and underscores,"
                            + " because it names a directory, found " + Texts.quoted(text));
        }
        return text;
    }

    static Optional<List<Check>> checks(EntryReading scenario, String name) {
        Form form = scenario.form();
        YamlNode node = form.node(name).orElseThrow();
        if (!(node instanceof Items list)) {
            form.unexpected(name, node);
            return Optional.empty();
        }
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < list.values().size(); i++) {
            YamlNode element = list.values().get(i);
            String key = name + "[" + i + "]";
            if (!(element instanceof Scalar scalar) || scalar.kind() == Kind.NULL) {
                form.problem(
                        element,
                        key,
                        "expected a check such as \"produce.response.p99 < 50ms\", found " + element.found());
                continue;
            }
            try {
                checks.add(measurable(scenario, CheckParser.parse(scalar.text())));
            } catch (IllegalArgumentException e) {
                form.problem(element, key, e.getMessage());
            }
        }
        return Optional.of(List.copyOf(checks));
    }

    private static Check measurable(EntryReading scenario, Check check) {
        String missing = check.figure().startsWith("consume.") && !scenario.hasSome("consumers")
                ? "consumers"
                : check.figure().startsWith("produce.") && !scenario.hasSome("producers") ? "producers" : "";
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    check.figure() + " is not measured, because the scenario has no " + missing);
        }
        return check;
    }
}
