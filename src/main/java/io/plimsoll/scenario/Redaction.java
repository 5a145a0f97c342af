package io.plimsoll.scenario;

import io.plimsoll.Secrets;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Redacts secrets before a scenario is shown or stored, as each key defines. Stateless. */
final class Redaction {
    /** A name, and a value that is a single placeholder; a placeholder with oneOf is excluded, because it contains its values. */
    private static final Pattern GENERATED =
            Pattern.compile("[\\w.-]+[^\\w$]*\\$\\{(?! *oneOf)[^{}]*}(?=[\"',;&}\\]\\n]|$)");

    /** A scenario with secrets replaced by {@link Secrets#HIDDEN}. */
    static YamlNode of(YamlNode root) {
        return section(root, Scenario.ALL);
    }

    /** The value of {@code path=value}; fully redacted if the path is unknown. */
    static YamlNode change(String path, YamlNode value) {
        KeyPath parsed;
        try {
            parsed = KeyPath.parse(path, Scenario.ALL);
        } catch (InvalidValueException e) {
            return hidden(value);
        }
        Section section = Scenario.ALL;
        Key<?> key = null;
        for (Object step : parsed.steps()) {
            if (!(step instanceof String name)) {
                key = null;
            } else if (key != null && key.content() == Key.Content.PROPERTIES) {
                return property(name, value);
            } else if (key != null && key.content() == Key.Content.CHANGES) {
                // An element, such as matrix.duration[0], is redacted like its list.
                return change(name.replaceFirst("\\[\\d+]$", ""), value);
            } else {
                key = section == null ? null : section.keys().get(name);
                section = key == null ? null : key.shape().below();
            }
        }
        return key != null ? value(value, key) : section != null ? section(value, section) : value;
    }

    private static YamlNode section(YamlNode node, Section section) {
        return fields(node, (name, value) -> {
            Key<?> key = section.keys().get(name);
            return key != null ? value(value, key) : Secrets.isSecret(name) ? hidden(value) : value;
        });
    }

    private static YamlNode value(YamlNode node, Key<?> key) {
        return switch (key.content()) {
            case HIDDEN -> hidden(node);
            case TEXT -> text("", node);
            case TEXTS -> node instanceof Fields ? fields(node, Redaction::text) : hidden(node);
            case PROPERTIES -> node instanceof Fields ? fields(node, Redaction::property) : hidden(node);
            case CHANGES -> fields(node, (path, value) -> each(value, one -> change(path, one)));
            case PLAIN -> {
                Section below = key.shape().below();
                yield below == null ? node : each(node, one -> section(one, below));
            }
        };
    }

    /**
     * Redacts a text that mentions a secret, such as a password. A mention directly before a placeholder is harmless,
     * because the value is generated or is a reference.
     */
    private static YamlNode text(String name, YamlNode node) {
        String about = node instanceof Scalar text ? name + ": " + text.text() : name;
        boolean harmless = node instanceof Scalar
                && !Secrets.isSecret(GENERATED.matcher(about).replaceAll(""));
        return harmless ? node : hidden(node);
    }

    private static YamlNode property(String name, YamlNode value) {
        return each(value, one -> one instanceof Scalar scalar && !scalar.isNull() ? shown(name, scalar) : hidden(one));
    }

    private static Scalar shown(String name, Scalar value) {
        String shown = Secrets.shown(name, value.text());
        return shown.equals(value.text()) ? value : new Scalar(value.at(), shown, Kind.TEXT);
    }

    /** The redacted form of a secret value. */
    static YamlNode hidden(YamlNode node) {
        boolean harmless = node instanceof Scalar scalar && (scalar.isNull() || Secrets.isReference(scalar.text()));
        return harmless ? node : new Scalar(node.at(), Secrets.HIDDEN, Kind.TEXT);
    }

    private static YamlNode each(YamlNode node, UnaryOperator<YamlNode> change) {
        return node instanceof Items items
                ? new Items(items.at(), items.values().stream().map(change).toList(), items.flow())
                : change.apply(node);
    }

    private static YamlNode fields(YamlNode node, BiFunction<String, YamlNode, YamlNode> change) {
        if (!(node instanceof Fields fields)) {
            return node;
        }
        Map<String, Field> changed = new LinkedHashMap<>();
        fields.fields()
                .forEach((name, field) ->
                        changed.put(name, new Field(field.keyAt(), change.apply(name, field.value()))));
        return new Fields(fields.at(), changed, fields.flow());
    }

    static void refuse(YamlNode node, String path, Problems problems) {
        if (node instanceof Scalar scalar && scalar.text().contains(Secrets.HIDDEN)) {
            problems.add(scalar.at(), path, "scenario.leftOut", Secrets.HIDDEN, path);
        } else if (node instanceof Items items) {
            List<YamlNode> values = items.values();
            for (int i = 0; i < values.size(); i++) {
                refuse(values.get(i), path + "[" + i + "]", problems);
            }
        } else if (node instanceof Fields fields) {
            fields.fields().forEach((name, field) -> refuse(field.value(), Texts.path(path, name), problems));
        }
    }
}
