package io.plimsoll.scenario;

import io.plimsoll.Secrets;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies {@code --set path=value} to a tree, with precedence over {@code matrix} and the {@code set} of trials. */
public final class Overrides {
    private final Fields root;
    private final KeyShape.Section keys;
    private final Problems problems;

    Overrides(Fields root, KeyShape.Section keys, Problems problems) {
        this.root = root;
        this.keys = keys;
        this.problems = problems;
    }

    void apply(List<String> expressions) {
        expressions.forEach(this::apply);
    }

    private void apply(String expression) {
        Position at = Position.of(where(expression));
        int equals = expression.indexOf('=');
        if (equals < 0) {
            problems.add(at, "", "scenario.noPathAndValue");
            return;
        }
        String text = expression.substring(equals + 1);
        Problems unreadable = new Problems();
        YamlNode value = YamlTree.ofValue(text, at.where(), unreadable).orElse(new Scalar(at, "", Kind.TEXT));
        if (!unreadable.isEmpty()) {
            problems.addAll(unreadable);
            return;
        }
        try {
            KeyPath path = KeyPath.parse(expression.substring(0, equals).strip(), keys);
            path.set(root, at, value);
            dropWhatIsOverridden(path, at);
        } catch (InvalidValueException e) {
            problems.add(at, "", e.sentence());
        }
    }

    private static String where(String expression) {
        return "--set " + Texts.shown(shown(expression), 200);
    }

    /** An override {@code path=value} with secrets redacted. */
    public static String shown(String expression) {
        int equals = expression.indexOf('=');
        if (equals < 0) {
            return Secrets.isSecret(expression) ? Secrets.HIDDEN : expression;
        }
        String path = expression.substring(0, equals).strip();
        String text = expression.substring(equals + 1);
        // The value of an unknown key is shown only if the key cannot be a Kafka property.
        boolean plain = path.indexOf('.') == path.lastIndexOf('.') && !Secrets.isSecret(expression);
        if (plain && !isKnown(path)) {
            return Secrets.clean(expression);
        }
        Position at = Position.of("--set");
        YamlNode value = YamlTree.ofValue(text, "--set", new Problems()).orElse(new Scalar(at, text, Kind.TEXT));
        String whole = value.inline();
        String shown = Redaction.change(path, value).inline();
        return shown.equals(whole) ? Secrets.clean(expression) : path + "=" + shown;
    }

    private static boolean isKnown(String path) {
        try {
            KeyPath.parse(path, Scenario.ALL);
            return true;
        } catch (InvalidValueException e) {
            return false;
        }
    }

    private void dropWhatIsOverridden(KeyPath path, Position at) {
        List<List<Object>> set = path.addresses(root);
        if (field(root, "matrix") instanceof Fields matrix) {
            drop(matrix, set, "matrix", at);
        }
        if (field(root, "trials") instanceof Items trials) {
            for (int i = 0; i < trials.values().size(); i++) {
                if (trials.values().get(i) instanceof Fields trial && field(trial, "set") instanceof Fields changes) {
                    drop(changes, set, "trials[" + i + "].set", at);
                }
            }
        }
    }

    private void drop(Fields changes, List<List<Object>> set, String where, Position at) {
        changes.fields().keySet().removeIf(path -> {
            List<List<Object>> changed = addresses(path);
            boolean all = changed.stream().allMatch(a -> set.stream().anyMatch(s -> KeyPath.within(a, s)));
            boolean some = changed.stream()
                    .anyMatch(a -> set.stream().anyMatch(s -> KeyPath.within(a, s) || KeyPath.within(s, a)));
            if (some && !all) {
                problems.add(at, "", "scenario.partOfOverridden", where, Texts.shown(path));
            }
            return some && all;
        });
    }

    /** Addresses of a path; empty if the path is invalid, which is reported where it is used. */
    private List<List<Object>> addresses(String path) {
        try {
            return KeyPath.parse(path, keys).addresses(root);
        } catch (InvalidValueException e) {
            return List.of();
        }
    }

    private static @Nullable YamlNode field(Fields fields, String key) {
        Field field = fields.fields().get(key);
        return field == null ? null : field.value();
    }
}
