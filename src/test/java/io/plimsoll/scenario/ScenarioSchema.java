package io.plimsoll.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Json;
import io.plimsoll.scenario.KeyShape.Entries;
import io.plimsoll.scenario.KeyShape.Open;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.KeyShape.Value;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The JSON Schema of scenario files, derived from the declarations of their keys. It is less strict than the reader:
 * names, shapes, words and the format of quantities, but not the combinations of keys. It rejects no file that the
 * reader accepts.
 */
final class ScenarioSchema {
    static final String NAME = "plimsoll.scenario/1";
    private static final String QUANTITY =
            "^\\s*[-+]?[0-9][0-9_]*(\\.[0-9]+)?\\s*[A-Za-zµ%]*(\\s*/\\s*s)?(\\s+wire)?\\s*$";

    private static final String DURATION =
            "^\\s*[-+]?(0[0_]*(\\.0+)?|[0-9][0-9_]*(\\.[0-9]+)?\\s*(ns|us|µs|ms|s|m|h|d))\\s*$";

    private static final Set<Class<?>> QUANTITIES = Set.of(Integer.class, Long.class, Double.class, OptionalLong.class);

    private ScenarioSchema() {}

    static String text() {
        ObjectNode whole = Json.MAPPER.createObjectNode();
        whole.put("$schema", "http://json-schema.org/draft-07/schema#");
        whole.put("$id", "urn:plimsoll:scenario:1");
        whole.put("title", NAME);
        section(whole, Scenario.ALL);
        return Json.pretty(whole);
    }

    private static void section(ObjectNode object, Section section) {
        object.put("type", "object");
        object.put("additionalProperties", false);
        ObjectNode properties = object.putObject("properties");
        section.keys().forEach((name, key) -> {
            ObjectNode property = properties.putObject(name);
            describe(property, key);
            shape(property, key);
        });
        List<String> required = section.keys().values().stream()
                .filter(Key::isRequired)
                .map(Key::name)
                .toList();
        if (!required.isEmpty()) {
            required.forEach(object.putArray("required")::add);
        }
    }

    /** Text for editors, where links between headings do not work. */
    private static void describe(ObjectNode property, Key<?> key) {
        String about = key.about(Language.EN).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
        String fallback = key.defaultText(Language.EN);
        String text = about + (fallback.isEmpty() || fallback.equals("required") ? "" : " Default: " + fallback + ".");
        property.put("description", text.replace("`", ""));
        property.put("markdownDescription", text);
    }

    private static void shape(ObjectNode property, Key<?> key) {
        if (key.shape() instanceof Entries entries) {
            property.put("type", "array");
            section(property.putObject("items"), entries.each());
        } else if (key.shape() instanceof Section section && section.words().isEmpty() && !section.scalar()) {
            section(property, section);
        } else if (key.shape() instanceof Section section) {
            ArrayNode forms = property.putArray("anyOf");
            section(forms.addObject(), section);
            if (section.scalar()) {
                scalar(forms.addObject());
            }
            words(forms, section.words());
        } else if (key.shape() instanceof Open
                && (first(key).equals(Map.class) || first(key).equals(Object.class))) {
            property.put("type", "object");
        } else if (key.shape() instanceof Open) {
            List.of("object", "string", "number").forEach(property.putArray("type")::add);
        } else {
            value(property, key, ((Value) key.shape()).words());
        }
    }

    private static Class<?> first(Key<?> key) {
        return key.type().isEmpty() ? Object.class : key.type().get(0);
    }

    private static void value(ObjectNode property, Key<?> key, List<String> words) {
        Class<?> type = first(key);
        Class<?> held = Optional.class.equals(type) && key.type().size() > 1
                ? key.type().get(1)
                : type;
        if (!words.isEmpty()) {
            words(property.putArray("anyOf"), words);
        } else if (Duration.class.equals(held)) {
            ArrayNode forms = property.putArray("anyOf");
            forms.addObject().put("type", "string").put("pattern", DURATION);
            // Only 0 needs no unit.
            forms.addObject().put("const", 0);
        } else if (QUANTITIES.contains(held)) {
            List.of("number", "string").forEach(property.putArray("type")::add);
            property.put("pattern", QUANTITY);
        } else if (Collection.class.isAssignableFrom(held) || Object.class.equals(held)) {
            ArrayNode forms = property.putArray("anyOf");
            scalar(forms.addObject());
            forms.addObject().put("type", "array");
        } else if (Sentence.class.equals(held)) {
            ArrayNode forms = property.putArray("anyOf");
            scalar(forms.addObject()).add("null");
            ObjectNode both = forms.addObject().put("type", "object");
            List.of("en", "zh").forEach(both.putArray("required")::add);
        } else {
            scalar(property);
        }
    }

    private static ArrayNode scalar(ObjectNode schema) {
        return schema.putArray("type").add("string").add("number").add("boolean");
    }

    /** In YAML some words are not strings, unless quoted. */
    private static void words(ArrayNode forms, List<String> words) {
        if (!words.isEmpty()) {
            ArrayNode values = forms.addObject().putArray("enum");
            for (String word : words) {
                if (word.equals("true") || word.equals("false")) {
                    values.add(Boolean.parseBoolean(word));
                } else {
                    values.add(word);
                }
            }
            if (words.contains("true")) {
                forms.addObject().put("type", "string").put("pattern", "^(" + String.join("|", words) + ")$");
            }
        }
    }
}
