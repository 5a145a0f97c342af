package io.plimsoll.text;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON form of sentences, for fields of type {@link Sentence} or a list of them. The field contains the English text;
 * the same name with the suffix {@code Keyed} contains key and arguments, or a list of these (null for verbatim text).
 * If the second field is missing, as in earlier versions, the text is verbatim.
 */
public final class SentenceJson extends SimpleModule {
    private static final String KEYED = "Keyed";

    public SentenceJson() {
        super("sentences");
        addSerializer(Sentence.class, ToStringSerializer.instance);
        addDeserializer(Sentence.class, new FromWords());
        setSerializerModifier(new BesideWriters());
        setDeserializerModifier(new BesideReaders());
    }

    private static boolean isSaid(JavaType type) {
        JavaType one = type != null && type.isCollectionLikeType() ? type.getContentType() : type;
        return one != null && one.hasRawClass(Sentence.class);
    }

    private static final class BesideWriters extends BeanSerializerModifier {
        @Override
        public List<BeanPropertyWriter> changeProperties(
                SerializationConfig config, BeanDescription bean, List<BeanPropertyWriter> properties) {
            List<BeanPropertyWriter> all = new ArrayList<>();
            for (BeanPropertyWriter property : properties) {
                all.add(property);
                if (isSaid(property.getType())) {
                    all.add(new BesideWriter(property));
                }
            }
            return all;
        }
    }

    /** Writes the {@code Keyed} field if at least one sentence has a key. */
    private static final class BesideWriter extends BeanPropertyWriter {
        BesideWriter(BeanPropertyWriter property) {
            super(property, new SerializedString(property.getName() + KEYED));
        }

        @Override
        public void serializeAsField(Object bean, JsonGenerator out, SerializerProvider provider) throws Exception {
            Object value = get(bean);
            if (value instanceof List<?> list ? list.stream().anyMatch(this::isKeyed) : isKeyed(value)) {
                provider.defaultSerializeField(getName(), keyed(value), out);
            }
        }

        private boolean isKeyed(Object value) {
            return value instanceof Sentence sentence && !sentence.isVerbatim();
        }

        private static @Nullable Object keyed(Object value) {
            if (value instanceof List<?> list) {
                List<Object> all = new ArrayList<>();
                list.forEach(item -> all.add(keyed(item)));
                return all;
            } else if (value instanceof Sentence sentence) {
                return sentence.isVerbatim() ? null : new Keyed(sentence.key(), keyed(sentence.arguments()));
            }
            return value;
        }

        private record Keyed(@Nullable String key, @Nullable Object arguments) {}
    }

    /** Reads plain text, or the combined object from {@link BesideReader}. */
    private static final class FromWords extends StdDeserializer<Sentence> {
        FromWords() {
            super(Sentence.class);
        }

        @Override
        public Sentence deserialize(JsonParser in, DeserializationContext context) throws IOException {
            JsonNode node = context.readTree(in);
            if (!node.isObject()) {
                return Sentence.verbatim(node.asText());
            }
            try {
                return keyed(node);
            } catch (IllegalArgumentException e) {
                // The result is from another version, with an unknown key or other placeholders.
                return Sentence.verbatim(node.path("words").asText());
            }
        }

        private static Sentence keyed(JsonNode node) {
            return new Sentence(node.path("key").asText(), list(node.path("arguments")));
        }

        private static List<Object> list(JsonNode items) {
            List<Object> list = new ArrayList<>();
            for (JsonNode item : items) {
                list.add(item.isArray() ? list(item) : item.isObject() ? keyed(item) : item.asText());
            }
            return list;
        }
    }

    private static final class BesideReaders extends BeanDeserializerModifier {
        @Override
        public JsonDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription bean, JsonDeserializer<?> reader) {
            List<String> said = bean.findProperties().stream()
                    .filter(p -> isSaid(p.getPrimaryType()))
                    .map(BeanPropertyDefinition::getName)
                    .toList();
            return said.isEmpty() || bean.getBeanClass() == Sentence.class ? reader : new BesideReader(reader, said);
        }
    }

    /** Moves the {@code Keyed} field into the text field, so that one field contains the whole sentence. */
    private static final class BesideReader extends DelegatingDeserializer {
        private final List<String> said;

        BesideReader(JsonDeserializer<?> reader, List<String> said) {
            super(reader);
            this.said = said;
        }

        @Override
        protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> reader) {
            return new BesideReader(reader, said);
        }

        @Override
        public Object deserialize(JsonParser in, DeserializationContext context) throws IOException {
            JsonNode node = context.readTree(in);
            if (node instanceof ObjectNode object) {
                for (String field : said) {
                    JsonNode keyed = object.remove(field + KEYED);
                    if (keyed != null && object.has(field)) {
                        object.set(field, joined(object.get(field), keyed));
                    }
                }
            }
            JsonParser both = node.traverse(in.getCodec());
            both.nextToken();
            return super.deserialize(both, context);
        }

        private static JsonNode joined(JsonNode words, JsonNode keyed) {
            if (words instanceof ArrayNode list) {
                for (int i = 0; i < list.size(); i++) {
                    list.set(i, joined(list.get(i), keyed.path(i)));
                }
                return list;
            }
            return keyed instanceof ObjectNode object ? object.set("words", words) : words;
        }
    }
}
