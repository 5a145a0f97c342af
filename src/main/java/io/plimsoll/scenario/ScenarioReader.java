package io.plimsoll.scenario;

import io.plimsoll.scenario.EntryReading.Scale;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads scenario files. One pass finds every error. Thread-safe. */
public final class ScenarioReader {
    private static final KeyShape.Section KEYS = Scenario.ALL;

    /**
     * @param where file name or name of the built-in scenario, for messages and as the default name of the scenario
     * @param overrides {@code path=value} of {@code --set}, applied in order; the value is YAML, null removes the key
     * @param scale multiplies record counts and durations
     * @throws ScenarioException with every error and its position
     */
    public static Plan read(String yamlText, String where, List<String> overrides, double scale) {
        Problems problems = new Problems();
        return read(tree(yamlText, where, problems), where, overrides, scale, false, problems);
    }

    /** Reads the scenario of a stored run for display. Its secrets are redacted, so it cannot run. */
    public static Plan stored(String yamlText, String where) {
        Problems problems = new Problems();
        return read(tree(yamlText, where, problems), where, List.of(), 1, true, problems);
    }

    private static Fields tree(String yamlText, String where, Problems problems) {
        return YamlTree.mapOf(yamlText, where, KEYS.expected(), problems)
                .orElseThrow(() -> new ScenarioException(problems.sorted()));
    }

    /**
     * As {@link #read(String, String, List, double)}, for a tree that was translated from another format, with the
     * positions of the source.
     * @param root the tree, which overrides modify
     */
    public static Plan read(Fields root, String where, List<String> overrides, double scale) {
        return read(root, where, overrides, scale, false, new Problems());
    }

    private static Plan read(
            Fields root, String where, List<String> overrides, double scale, boolean stored, Problems problems) {
        if (!(scale > 0 && scale <= 1e6)) {
            problems.add(Position.of("--scale"), "", "scenario.scale", scale);
        }
        new Overrides(root, KEYS, problems).apply(overrides);
        if (!stored) {
            Redaction.refuse(root, "", problems);
        }
        List<Trials.Draft> drafts = new Trials(root, problems).expand();

        String fallbackName = legalName(baseName(where).replaceFirst("\\.ya?ml$", ""), "scenario");
        Scale factor = new Scale(scale > 0 ? scale : 1);
        List<Plan.Trial> trials = new ArrayList<>();
        for (Trials.Draft draft : drafts) {
            Scenario scenario = bind(draft.tree(), fallbackName, factor, problems);
            String name = draft.name().isEmpty() ? scenario.name() : draft.name();
            trials.add(new Plan.Trial(name, draft.parameters(), scenario));
        }
        EntryReading file = new EntryReading(root, KEYS, new Scale(1), problems);
        Optional<Reference> reference = Reference.Reading.bind(file, trials);
        List<CrossCheck> comparisons = comparisons(file, trials);
        problems.throwIfAny();
        Scenario first = trials.get(0).scenario();
        String scaled = factor.isOne() ? "" : "# Read with --scale " + scale + "\n";
        return new Plan(
                first.name(),
                first.about(),
                trials,
                scaled + YamlTree.text(Redaction.of(root)),
                scale,
                reference,
                comparisons);
    }

    /** A file's name without directories. */
    public static String baseName(String where) {
        return where.substring(Math.max(where.lastIndexOf('/'), where.lastIndexOf('\\')) + 1);
    }

    /** The part of a text that is valid as the name of a run directory; {@code otherwise} if it is empty. */
    public static String legalName(String text, String otherwise) {
        String name = text.replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[._-]+", "");
        return name.isEmpty() ? otherwise : name.substring(0, Math.min(100, name.length()));
    }

    private static Scenario bind(Fields tree, String fallbackName, Scale scale, Problems problems) {
        EntryReading whole = new EntryReading(tree, Scenario.ALL, scale, problems).readAll();
        Scenario read = new Scenario(whole.settings());
        Scenario scenario = read.name().isEmpty() ? read.with(Scenario.NAME, fallbackName) : read;
        return whole.get(Scenario.DEFAULTS)
                .map(defaults -> scenario.with(
                        p -> p.with(
                                ProducerSpec.CONFIG,
                                defaults.producer(p.config(), p.transactions().enabled())),
                        c -> c.with(ConsumerSpec.CONFIG, defaults.consumer(c.config()))))
                .orElse(scenario);
    }

    private static List<CrossCheck> comparisons(EntryReading file, List<Plan.Trial> trials) {
        List<CrossCheck> comparisons = new ArrayList<>();
        if (file.has("checks") && file.node("checks").orElseThrow() instanceof Items items) {
            for (int i = 0; i < items.values().size(); i++) {
                if (items.values().get(i) instanceof Scalar check
                        && !check.isNull()
                        && CheckParser.isComparison(check.text())) {
                    comparison(file, "checks[" + i + "]", check, trials).ifPresent(comparisons::add);
                }
            }
        }
        return comparisons;
    }

    /** The check between trials; empty if it is invalid or names an unknown trial or figure, which adds a problem. */
    static Optional<CrossCheck> comparison(EntryReading at, String key, Scalar check, List<Plan.Trial> trials) {
        try {
            CrossCheck comparison = CheckParser.comparison(check.text());
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
                        Suggestions.hint(
                                term.trial(),
                                trials.stream().map(Plan.Trial::name).toList())));
        Labels.known(trial, term.figure(), term.label());
        boolean consumes = term.figure().startsWith("consume.");
        if ((consumes && trial.consumers().isEmpty())
                || (term.figure().startsWith("produce.") && trial.producers().isEmpty())) {
            String missing = consumes ? "consumers" : "producers";
            throw new InvalidValueException(
                    "scenario.notMeasuredIn", term.figure(), Texts.quoted(term.trial()), missing);
        }
    }
}
