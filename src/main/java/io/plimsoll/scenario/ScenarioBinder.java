package io.plimsoll.scenario;

import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a {@link Scenario} of the tree of one trial, and reads the values of {@link ScenarioKeys} that have forms of their own. */
final class ScenarioBinder {
    private ScenarioBinder() {}

    /** @param fallbackName for a file that has no name */
    static Scenario bind(Fields tree, String fallbackName, Scale scale, Problems problems) {
        EntryReading whole = new EntryReading(tree, ScenarioKeys.ALL, scale, problems).readAll();
        Scenario read = new Scenario(whole.settings());
        Scenario scenario = read.name().isEmpty() ? read.with(ScenarioKeys.NAME, fallbackName) : read;
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

    private static Scenario soFar(EntryReading scenario) {
        return new Scenario(scenario.settings());
    }

    /**
     * The warm-up as it is written; the usual one as far as it has to be scaled. How long it takes to be steady has
     * nothing to do with how much of a load is wanted.
     */
    static Optional<Optional<Warmup>> warmup(EntryReading scenario, String key, Forms<Warmup> forms) {
        Scale scale = scenario.scale();
        boolean usual = scale.isOne() || soFar(scenario).boundByRecords();
        Optional<Warmup> given = scenario.has(key) ? forms.read(scenario, key) : Optional.empty();
        return Optional.of(given.or(() -> usual ? Optional.empty() : Optional.of(Scenario.DEFAULT_WARMUP))
                .map(w -> w.until() == Warmup.Until.TIME ? Warmup.lasting(scale.time(w.atMost())) : w));
    }

    static void checkWarmup(EntryReading scenario, Optional<Warmup> warmup) {
        warmup.filter(w -> w.steady() && w.atMost().compareTo(Warmup.SHORTEST_MOST) < 0)
                .ifPresent(w -> scenario.problemAt(
                        "warmup",
                        "scenario.warmupTooShort",
                        Quantities.text(Warmup.SHORTEST_MOST),
                        Quantities.text(w.atMost())));
        warmup.filter(w -> w.atLeast().compareTo(w.atMost()) > 0)
                .ifPresent(w -> scenario.problemAt(
                        "warmup", "scenario.warmupBounds", Quantities.text(w.atLeast()), Quantities.text(w.atMost())));
    }

    /** A backlog that takes longer than producing would never be worked off while producing goes on. */
    static void checkBacklogs(EntryReading reading, List<ConsumerSpec> consumers) {
        Scenario scenario = soFar(reading);
        if (scenario.boundByRecords()) {
            return;
        }
        Duration longest = scenario.window();
        List<EntryReading> entries = reading.entries("consumers");
        for (int i = 0; i < Math.min(entries.size(), consumers.size()); i++) {
            if (consumers.get(i).start() instanceof ConsumerSpec.Start.Backlog backlog
                    && backlog.time().compareTo(longest) >= 0) {
                entries.get(i)
                        .problemAt(
                                "start",
                                "scenario.backlogTooLong",
                                Quantities.text(backlog.time()),
                                Quantities.text(longest));
            }
        }
    }

    /** Reads faults last, since what may fail, and until when, depends on the rest. */
    static Optional<List<FaultSpec>> faults(EntryReading reading, String key) {
        Scenario s = soFar(reading);
        Optional<Duration> loadEnds = s.boundByRecords() ? Optional.empty() : Optional.of(s.window());
        List<FaultSpec> faults = new ArrayList<>();
        reading.entries(key)
                .forEach(fault -> new FaultBinder(fault, loadEnds).bind().ifPresent(faults::add));
        return Optional.of(List.copyOf(faults));
    }

    static String name(String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw InvalidValueException.expected("scenario.a.directoryName", text);
        }
        return text;
    }

    static Optional<List<Check>> checks(EntryReading scenario, String key) {
        return scenario.isEmptyList(key)
                ? Optional.of(List.of())
                : scenario.list(
                                key,
                                false,
                                text -> CrossCheckParser.isOne(text)
                                        ? Optional.<Check>empty()
                                        : Optional.of(measurable(scenario, CheckParser.parse(text))))
                        .map(all -> all.stream().flatMap(Optional::stream).toList());
    }

    static List<CrossCheck> comparisons(EntryReading file, List<Plan.Trial> trials) {
        return !file.has("checks") || !(file.node("checks").orElseThrow() instanceof Items items)
                ? List.of()
                : items.values().stream()
                        .filter(value -> value instanceof Scalar check
                                && !check.isNull()
                                && CrossCheckParser.isOne(check.text()))
                        .flatMap(value -> comparison(file, "checks", (Scalar) value, trials).stream())
                        .toList();
    }

    /** Empty, with a problem added, if it is none, or names what is not there. */
    static Optional<CrossCheck> comparison(EntryReading at, String key, Scalar check, List<Plan.Trial> trials) {
        try {
            CrossCheck comparison = CrossCheckParser.parse(check.text());
            comparison.terms().forEach(term -> measurable(term, trials));
            return Optional.of(comparison);
        } catch (InvalidValueException e) {
            at.problemIn(check.at(), key, e.sentence());
            return Optional.empty();
        }
    }

    private static void measurable(CrossCheck.Term term, List<Plan.Trial> trials) {
        Scenario trial = trials.stream()
                .filter(t -> t.name().equals(term.trial()))
                .findFirst()
                .map(Plan.Trial::scenario)
                .orElseThrow(() -> new InvalidValueException(
                        "scenario.noTrial",
                        Texts.quoted(term.trial()),
                        Suggestions.didYouMean(
                                term.trial(),
                                trials.stream().map(Plan.Trial::name).toList())));
        boolean consumes = term.figure().startsWith("consume.");
        if ((consumes && trial.consumers().isEmpty())
                || (term.figure().startsWith("produce.") && trial.producers().isEmpty())) {
            String missing = consumes ? "consumers" : "producers";
            throw new InvalidValueException(
                    "scenario.notMeasuredIn", term.figure(), Texts.quoted(term.trial()), missing);
        }
    }

    static Optional<List<Check>> guards(EntryReading scenario, String key) {
        return scenario.isEmptyList(key) ? Optional.of(List.of()) : scenario.list(key, false, CheckParser::guard);
    }

    private static Check measurable(EntryReading scenario, Check check) {
        Map<String, String> needed =
                Map.of("consume.", "consumers", "produce.", "producers", "connect.", "connections");
        needed.forEach((figures, key) -> {
            InvalidValueException.when(
                    check.figure().startsWith(figures) && !scenario.hasSome(key),
                    "scenario.notMeasured",
                    check.figure(),
                    key);
        });
        InvalidValueException.when(
                check.figure().startsWith("reply.")
                        && soFar(scenario).producers().stream()
                                .noneMatch(p -> p.reply().isPresent()),
                "scenario.notMeasured",
                check.figure(),
                "producers.reply");
        return check;
    }
}
