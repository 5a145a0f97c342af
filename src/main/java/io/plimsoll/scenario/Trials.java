package io.plimsoll.scenario;

import io.plimsoll.Secrets;
import io.plimsoll.scenario.EntryReading.Scale;
import io.plimsoll.scenario.KeyShape.Entries;
import io.plimsoll.scenario.KeyShape.Open;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Expands {@code trials} and {@code matrix} into one tree per trial. */
final class Trials {
    private static final int MOST_TRIALS = 1000;
    private static final Key<String> NAME =
            Key.scalar("name", "scenario.a.trialName", "unnamed", Trials::name).required();
    static final Key<?> TRIALS = Key.part(
                    "trials",
                    Entries.of(
                            "{name: slow, set: {duration: 15s}}",
                            List.of(
                                    NAME,
                                    Key.part("set", new Open(Sentence.of("scenario.a.changes", "{duration: 15s}")))
                                            .content(Key.Content.CHANGES))))
            .sameInAllTrials();
    static final Key<?> MATRIX = Key.part(
                    "matrix", new Open(Sentence.of("scenario.a.matrix", "{producers.config.acks: [1, all]}")))
            .content(Key.Content.CHANGES)
            .sameInAllTrials();

    private final Fields root;
    private final EntryReading whole;
    private final Problems problems;

    Trials(Fields root, Problems problems) {
        this.root = root;
        this.whole = new EntryReading(root, Scenario.ALL, new Scale(1), problems);
        this.problems = problems;
    }

    /** @param name name of the trial; empty for the only trial of a file */
    record Draft(String name, Map<String, String> parameters, Fields tree) {}

    private record Change(KeyPath path, Position at, YamlNode value) {}

    private record Variant(String name, List<Change> changes) {
        Variant and(Variant other) {
            return new Variant(
                    (name + " " + other.name).strip(),
                    Stream.concat(changes.stream(), other.changes.stream()).toList());
        }
    }

    /** The drafts, at least one; trials vary slowest, then the first key of the matrix. */
    List<Draft> expand() {
        List<Variant> cells = cells();
        return named().stream()
                .flatMap(trial -> cells.stream().map(trial::and))
                .map(this::draft)
                .toList();
    }

    private Draft draft(Variant trial) {
        Fields tree = root.copy();
        tree.fields().remove("trials");
        tree.fields().remove("matrix");
        Map<String, String> parameters = new LinkedHashMap<>();
        for (Change change : trial.changes()) {
            try {
                change.path().set(tree, change.at(), change.value());
            } catch (InvalidValueException e) {
                // Each change is valid on its own (see addChange), but not always after the previous changes.
                problems.add(change.at(), Texts.shown(change.path().text()), e.sentence());
            }
            parameters.put(change.path().text(), shown(change));
        }
        return new Draft(trial.name(), parameters, tree);
    }

    private List<Variant> named() {
        List<Variant> named = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (EntryReading trial : whole.entries("trials")) {
            String name = trial.get(NAME);
            if (trial.has("name") && !names.add(name)) {
                trial.problemAt("name", "scenario.twoTrials", Texts.quoted(name));
            }
            List<Change> changes = new ArrayList<>();
            trial.map("set").ifPresent(set -> set.fields()
                    .forEach((path, field) -> addChange(changes, trial.path("set"), path, field, field.value())));
            named.add(new Variant(name, changes));
        }
        return named.isEmpty() ? List.of(new Variant("", List.of())) : named;
    }

    private static String name(String text) {
        InvalidValueException.unexpected(
                text.isBlank() || text.length() > 100 || !text.equals(Texts.shown(text, 100)),
                "scenario.a.oneLine",
                text);
        return text.strip();
    }

    private List<Variant> cells() {
        List<Variant> cells = List.of(new Variant("", List.of()));
        Fields matrix = whole.map("matrix").orElse(null);
        if (matrix == null) {
            return cells;
        }
        Map<String, Long> uses =
                matrix.fields().keySet().stream().collect(Collectors.groupingBy(this::lastStep, Collectors.counting()));
        for (Map.Entry<String, Field> dimension : matrix.fields().entrySet()) {
            String last = lastStep(dimension.getKey());
            String label = Objects.requireNonNull(uses.get(last)) > 1 ? dimension.getKey() : last;
            cells = multiply(cells, values(dimension.getKey(), dimension.getValue()), label, matrix.at());
        }
        return cells;
    }

    private String lastStep(String path) {
        try {
            return KeyPath.parse(path, Scenario.ALL).shortName();
        } catch (InvalidValueException e) {
            return path;
        }
    }

    private List<Change> values(String key, Field field) {
        String path = Texts.path("matrix", key);
        List<Change> values = new ArrayList<>();
        if (Secrets.isSecret(key)) {
            problems.add(field.keyAt(), path, "scenario.secretVaried");
        } else if (field.value() instanceof Items list && !list.values().isEmpty()) {
            Set<String> seen = new HashSet<>();
            for (YamlNode value : list.values()) {
                if (!seen.add(value.inline())) {
                    String shown = Redaction.change(key, value).inline();
                    problems.add(value.at(), path, "scenario.valueTwice", Texts.quoted(shown));
                }
                addChange(values, "matrix", key, field, value);
            }
        } else {
            problems.add(
                    field.value().at(),
                    path,
                    "scenario.expected",
                    Sentence.of("scenario.a.values", "[1, 3]"),
                    field.value() instanceof Items
                            ? Sentence.of("scenario.anEmptyOne")
                            : field.value().found(),
                    Sentence.NONE);
        }
        return values;
    }

    private List<Variant> multiply(List<Variant> cells, List<Change> values, String label, Position at) {
        if (values.isEmpty()) {
            return cells;
        }
        if (cells.size() * values.size() > MOST_TRIALS) {
            problems.add(at, "matrix", "scenario.tooManyTrials", MOST_TRIALS);
            return cells;
        }
        List<Variant> variants = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Change change : values) {
            Variant variant = variant(label, change, values);
            // Long values are shortened, and can look the same.
            boolean unique = names.add(variant.name());
            variants.add(
                    unique
                            ? variant
                            : new Variant(variant.name() + " #" + (values.indexOf(change) + 1), List.of(change)));
        }
        return cells.stream().flatMap(cell -> variants.stream().map(cell::and)).toList();
    }

    private Variant variant(String label, Change change, List<Change> all) {
        String shown = shown(change);
        // A secret value is replaced by its number.
        String value = shown.contains(Secrets.HIDDEN) ? "#" + (all.indexOf(change) + 1) : Texts.shown(shown);
        return new Variant(label + "=" + value, List.of(change));
    }

    private String shown(Change change) {
        return Redaction.change(change.path().text(), change.value()).inline();
    }

    /** Adds a change after a test on a copy, so that an invalid path is reported at its key. */
    private void addChange(List<Change> changes, String parent, String key, Field field, YamlNode value) {
        try {
            KeyPath path = KeyPath.parse(key, Scenario.ALL);
            InvalidValueException.when(
                    Objects.requireNonNull(Scenario.ALL.keys().get(path.steps().get(0))).sameInAllTrials,
                    "scenario.sameInAllTrials",
                    Texts.shown(key));
            if (path.steps().get(0).equals("checks") && value.inline().contains("trials.")) {
                throw new InvalidValueException("scenario.betweenTrials");
            }
            path.set(root.copy(), field.keyAt(), value);
            changes.add(new Change(path, field.keyAt(), value));
        } catch (InvalidValueException e) {
            problems.add(field.keyAt(), Texts.path(parent, key), e.sentence());
        }
    }
}
