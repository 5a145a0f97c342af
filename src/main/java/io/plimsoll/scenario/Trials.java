package io.plimsoll.scenario;

import io.plimsoll.Secrets;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Expands {@code trials} and {@code matrix} into one tree per trial. */
final class Trials {
    private static final int MOST_TRIALS = 1000;

    private final Fields root;
    private final KeyShape.Section keys;
    private final Problems problems;

    /** @param root not changed */
    Trials(Fields root, KeyShape.Section keys, Problems problems) {
        this.root = root;
        this.keys = keys;
        this.problems = problems;
    }

    /**
     * A trial that is not bound yet.
     *
     * @param name empty if the file has only this one
     */
    record Draft(String name, Map<String, String> parameters, Fields tree) {}

    /** One value at one path of the file. */
    private record Change(KeyPath path, Position at, YamlNode value) {}

    /** A list of changes under a name. */
    private record Variant(String name, List<Change> changes) {}

    /** At least one; the matrix' first key varies slowest, trials vary slower than the matrix. */
    List<Draft> expand() {
        List<Variant> cells = cells();
        List<Draft> drafts = new ArrayList<>();
        for (Variant trial : named()) {
            for (Variant cell : cells) {
                drafts.add(draft(trial, cell));
            }
        }
        return drafts;
    }

    private Draft draft(Variant trial, Variant cell) {
        Fields tree = root.copy();
        tree.fields().remove("trials");
        tree.fields().remove("matrix");
        List<Change> changes = new ArrayList<>(trial.changes());
        changes.addAll(cell.changes());
        Map<String, String> parameters = new LinkedHashMap<>();
        for (Change change : changes) {
            try {
                change.path().set(tree, change.at(), change.value());
            } catch (IllegalArgumentException e) {
                // Each change is possible alone (see addChange), but not after the others.
                problems.add(change.at(), Texts.shown(change.path().text()), e.getMessage());
            }
            String path = change.path().text();
            parameters.put(
                    path,
                    Secrets.isSecret(path) ? Secrets.HIDDEN : change.value().inline());
        }
        String name = (trial.name() + " " + cell.name()).strip();
        return new Draft(name, parameters, tree);
    }

    private List<Variant> named() {
        List<Variant> named = new ArrayList<>();
        Set<String> names = new HashSet<>();
        YamlNode list = value(root, "trials");
        List<Form> forms =
                list == null ? List.of() : Form.list(list, (KeyShape.Entries) keys.shape("trials"), "trials", problems);
        for (Form form : forms) {
            String name = form.required("name", Trials::name, "unnamed");
            if (form.has("name") && !names.add(name)) {
                form.problem("name", "two trials have the name " + Texts.quoted(name));
            }
            List<Change> changes = new ArrayList<>();
            form.open("set").ifPresent(set -> set.fields()
                    .forEach((path, field) -> addChange(changes, form.path("set"), path, field, field.value())));
            named.add(new Variant(name, changes));
        }
        return named.isEmpty() ? List.of(new Variant("", List.of())) : named;
    }

    private static String name(String text) {
        if (text.isBlank() || text.length() > 100 || !text.equals(Texts.shown(text, 100))) {
            throw new IllegalArgumentException("expected a name of 1 to 100 characters on one line");
        }
        return text.strip();
    }

    private List<Variant> cells() {
        List<Variant> cells = List.of(new Variant("", List.of()));
        YamlNode node = value(root, "matrix");
        if (node == null) {
            return cells;
        }
        if (!(node instanceof Fields matrix)) {
            problems.add(
                    node.at(), "matrix", "expected " + keys.shape("matrix").expected() + ", found " + node.found());
            return cells;
        }
        Set<String> shortNames = new HashSet<>();
        Set<String> ambiguous = new HashSet<>();
        matrix.fields().keySet().forEach(key -> {
            String name = lastStep(key);
            if (!shortNames.add(name)) {
                ambiguous.add(name);
            }
        });
        for (Map.Entry<String, Field> dimension : matrix.fields().entrySet()) {
            String last = lastStep(dimension.getKey());
            String label = ambiguous.contains(last) ? dimension.getKey() : last;
            cells = multiply(cells, values(dimension.getKey(), dimension.getValue()), label, node.at());
        }
        return cells;
    }

    private String lastStep(String path) {
        try {
            return KeyPath.parse(path, keys).shortName();
        } catch (IllegalArgumentException e) {
            return path;
        }
    }

    private List<Change> values(String key, Field field) {
        String path = Texts.path("matrix", key);
        List<Change> values = new ArrayList<>();
        if (Secrets.isSecret(key)) {
            problems.add(field.keyAt(), path, "a secret cannot be varied, because its values would name the trials");
        } else if (field.value() instanceof Items list && !list.values().isEmpty()) {
            Set<String> seen = new HashSet<>();
            for (YamlNode value : list.values()) {
                if (!seen.add(value.inline())) {
                    problems.add(value.at(), path, "the value " + Texts.quoted(value.inline()) + " is given twice");
                }
                addChange(values, "matrix", key, field, value);
            }
        } else {
            problems.add(
                    field.value().at(),
                    path,
                    "expected a list of values such as [1, 3], found "
                            + (field.value() instanceof Items
                                    ? "an empty one"
                                    : field.value().found()));
        }
        return values;
    }

    private List<Variant> multiply(List<Variant> cells, List<Change> values, String label, Position at) {
        if (values.isEmpty()) {
            return cells;
        }
        if (cells.size() * values.size() > MOST_TRIALS) {
            problems.add(at, "matrix", "has more than " + MOST_TRIALS + " combinations; vary fewer keys or values");
            return cells;
        }
        List<Variant> product = new ArrayList<>();
        for (Variant cell : cells) {
            for (Change change : values) {
                List<Change> changes = new ArrayList<>(cell.changes());
                changes.add(change);
                String name = label + "=" + Texts.shown(change.value().inline());
                product.add(new Variant((cell.name() + " " + name).strip(), changes));
            }
        }
        return product;
    }

    /** Tries the change on a copy, so that a path that leads nowhere is reported at its key. */
    private void addChange(List<Change> changes, String parent, String key, Field field, YamlNode value) {
        try {
            KeyPath path = KeyPath.parse(key, keys);
            if (keys.keys().get(path.steps().get(0)).isSameInAllTrials()) {
                throw new IllegalArgumentException("a trial cannot change " + Texts.shown(key));
            }
            path.set(root.copy(), field.keyAt(), value);
            changes.add(new Change(path, field.keyAt(), value));
        } catch (IllegalArgumentException e) {
            problems.add(field.keyAt(), Texts.path(parent, key), e.getMessage());
        }
    }

    private static YamlNode value(Fields fields, String key) {
        Field field = fields.fields().get(key);
        return field == null ? null : field.value();
    }
}
