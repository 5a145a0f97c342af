package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Json.AbsentIfEmpty;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Schema derived from a record: fields and types from its components as Jackson writes them, null where the type
 * is {@link Nullable}, the rest from its Javadoc: numbers are not negative unless the text permits it, and keep to "at
 * least n", "above 0", "0 to 1". A text that begins with {@code a}, {@code b} or {@code c} lists all values.
 */
final class RecordSchema {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Set<Class<?>> WHOLE = Set.of(int.class, long.class, Integer.class, Long.class);
    private static final Pattern VALUES =
            Pattern.compile("^\\{@code ([^}]+)}(?:(?:, | or )\\{@code [^}]+})*(?=[:;]|$)");

    private final Map<String, ObjectNode> definitions = new TreeMap<>();

    private RecordSchema() {}

    /** @param schema as named in results, such as {@code plimsoll.result/1} */
    static String of(Class<?> root, String schema) {
        RecordSchema made = new RecordSchema();
        ObjectNode whole = Json.MAPPER.createObjectNode();
        whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        whole.put("$id", "urn:" + schema.replace('.', ':').replace('/', ':'));
        whole.put("title", schema);
        made.object(whole, root);
        ((ObjectNode) whole.get("properties")).putObject("schema").put("const", schema);
        ObjectNode all = whole.putObject("$defs");
        made.definitions.forEach(all::set);
        return Json.pretty(whole);
    }

    private void object(ObjectNode object, Class<?> type) {
        Comment comment = Comment.of(type);
        if (!comment.about.isEmpty()) {
            object.put("description", words(comment.about));
        }
        object.put("type", "object").put("additionalProperties", false);
        ArrayNode required = object.putArray("required");
        fields(type, object.putObject("properties"), required);
    }

    private void fields(Class<?> type, ObjectNode properties, ArrayNode required) {
        Comment comment = Comment.of(type);
        for (RecordComponent component : type.getRecordComponents()) {
            if (annotation(component, JsonIgnore.class) != null) {
                continue;
            }
            if (annotation(component, JsonUnwrapped.class) != null) {
                fields(component.getType(), properties, required);
                continue;
            }
            JsonProperty renamed = annotation(component, JsonProperty.class);
            String name = renamed == null ? component.getName() : renamed.value();
            String about = comment.components.getOrDefault(component.getName(), "");
            boolean omitted = annotation(component, JsonInclude.class) != null
                    || annotation(component, AbsentIfEmpty.class) != null;
            properties.set(name, field(component.getAnnotatedType(), about, omitted));
            if (!omitted) {
                required.add(name);
            }
            if (component.getType() == Sentence.class) {
                properties.set(name + "Keyed", reference("sentence"));
            } else if (component.getGenericType() instanceof ParameterizedType list
                    && list.getActualTypeArguments()[0] == Sentence.class) {
                properties.set(name + "Keyed", reference("sentences"));
            }
        }
        derived(type, properties, required);
    }

    /** A value derived from the components, as an annotated method. */
    private void derived(Class<?> type, ObjectNode properties, ArrayNode required) {
        for (Method method : type.getDeclaredMethods()) {
            JsonProperty marked = method.getAnnotation(JsonProperty.class);
            boolean component = Arrays.stream(type.getRecordComponents())
                    .anyMatch(c -> c.getAccessor().equals(method));
            if (marked != null && !component && method.getReturnType().isEnum()) {
                ArrayNode all = properties.putObject(method.getName()).putArray("enum");
                for (Object value : method.getReturnType().getEnumConstants()) {
                    all.add(Json.MAPPER.<JsonNode>valueToTree(value));
                }
                required.add(method.getName());
            }
        }
    }

    private static <A extends Annotation> A annotation(RecordComponent component, Class<A> type) {
        return component.getAccessor().getAnnotation(type);
    }

    /** @param omitted whether a null is not written */
    private ObjectNode field(AnnotatedType type, String about, boolean omitted) {
        ObjectNode field = Json.MAPPER.createObjectNode();
        if (!about.isEmpty()) {
            field.put("description", words(about));
        }
        Matcher values = VALUES.matcher(about);
        if (type.getType() == String.class && values.find()) {
            ArrayNode all = field.putArray("enum");
            Matcher value = Pattern.compile("\\{@code ([^}]+)}").matcher(values.group());
            while (value.find()) {
                all.add(value.group(1));
            }
            return field;
        }
        field.setAll(omitted ? present(type, about) : value(type, about));
        return field;
    }

    private ObjectNode value(AnnotatedType type, String about) {
        ObjectNode value = present(type, about);
        if (!type.isAnnotationPresent(Nullable.class)) {
            return value;
        }
        if (value.has("$ref")) {
            ObjectNode either = Json.MAPPER.createObjectNode();
            either.putArray("anyOf").add(value).addObject().put("type", "null");
            return either;
        }
        String name = value.get("type").asText();
        value.putArray("type").add(name).add("null");
        return value;
    }

    private ObjectNode present(AnnotatedType type, String about) {
        ObjectNode value = Json.MAPPER.createObjectNode();
        if (type instanceof AnnotatedParameterizedType generic) {
            AnnotatedType[] of = generic.getAnnotatedActualTypeArguments();
            Class<?> raw = (Class<?>) ((ParameterizedType) type.getType()).getRawType();
            boolean list = Collection.class.isAssignableFrom(raw);
            value.put("type", list ? "array" : "object");
            AnnotatedType element = of[of.length - 1];
            value.set(
                    list ? "items" : "additionalProperties",
                    value(element, element.getType() == Double.class ? "may be negative" : ""));
            return value;
        }
        Class<?> of = (Class<?>) type.getType();
        if (of == Object.class) {
            return value;
        }
        if (of == String.class || of == Sentence.class) {
            return value.put("type", "string");
        }
        if (of == Instant.class) {
            return value.put("type", "string").put("format", "date-time");
        }
        if (of == boolean.class || of == Boolean.class) {
            return value.put("type", "boolean");
        }
        if (of.isRecord()) {
            return reference(of);
        }
        value.put("type", WHOLE.contains(of) ? "integer" : "number");
        Matcher least = Pattern.compile("at least (\\d+)(?=[,;:]|$)").matcher(about);
        if (about.contains("above 0")) {
            value.put("exclusiveMinimum", 0);
        } else if (!about.contains("negative")) {
            value.put("minimum", least.find() ? Integer.parseInt(least.group(1)) : 0);
        }
        return about.startsWith("0 to 1") ? value.put("maximum", 1) : value;
    }

    private ObjectNode reference(Class<?> type) {
        String name = type.getSimpleName().substring(0, 1).toLowerCase(Locale.ROOT)
                + type.getSimpleName().substring(1);
        if (type.isMemberClass()) {
            name = type.getDeclaringClass().getSimpleName() + "." + name;
        }
        if (!definitions.containsKey(name)) {
            ObjectNode definition = Json.MAPPER.createObjectNode();
            definitions.put(name, definition);
            object(definition, type);
        }
        return reference(name);
    }

    private ObjectNode reference(String name) {
        if (name.startsWith("sentence") && !definitions.containsKey("sentence")) {
            definitions.put("sentence", tree("""
                {"description": "Key and arguments of the sentence in the field of the same name without 'Keyed'; \
                absent without a key.", "type": "object", "additionalProperties": false, \
                "required": ["key", "arguments"], "properties": {"key": {"type": "string"}, \
                "arguments": {"$ref": "#/$defs/arguments"}}}\
                """));
            definitions.put("sentences", tree("""
                {"description": "One entry for each sentence of that field; null for a sentence without a key.", \
                "type": "array", "items": {"anyOf": [{"$ref": "#/$defs/sentence"}, {"type": "null"}]}}\
                """));
            definitions.put("arguments", tree("""
                {"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/sentence"}, \
                {"$ref": "#/$defs/arguments"}]}}\
                """));
        }
        return Json.MAPPER.createObjectNode().put("$ref", "#/$defs/" + name);
    }

    private static ObjectNode tree(String json) {
        try {
            return (ObjectNode) Json.MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String words(String javadoc) {
        return javadoc.replaceAll("\\{@\\w+ (?:\\w+#)?([^}]+)}", "$1");
    }

    /** The Javadoc of a record: the text before its first tag, and the description of each component. */
    private record Comment(String about, Map<String, String> components) {
        static Comment of(Class<?> type) {
            Class<?> outermost = type;
            while (outermost.isMemberClass()) {
                outermost = outermost.getDeclaringClass();
            }
            Path file = SOURCES.resolve(outermost.getName().replace('.', '/') + ".java");
            try {
                return parse(Files.readString(file), type.getSimpleName());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static Comment parse(String source, String name) {
            Matcher record = Pattern.compile(
                            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*)*" + "(?:public )?record "
                                    + name + "\\b",
                            Pattern.DOTALL)
                    .matcher(source);
            if (!record.find()) {
                return new Comment("", Map.of());
            }
            List<String> parts = new ArrayList<>(List.of(record.group(1)
                    .replaceAll("\\n\\s*\\*", "\n")
                    .replaceAll("\\s+", " ")
                    .strip()
                    .split("@param ")));
            String about = parts.get(0).strip();
            Map<String, String> components = new TreeMap<>();
            for (String part : parts.subList(1, parts.size())) {
                String[] both = part.strip().split(" ", 2);
                components.put(both[0], both.length == 1 ? "" : both[1]);
            }
            return new Comment(about, components);
        }
    }
}
