package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.plimsoll.Secrets;
import io.plimsoll.text.SentenceJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The JSON format of all files: instants and durations as ISO 8601 text, fields in the order of their declaration,
 * nulls included. Unknown fields are ignored, since later versions can add fields. Thread-safe.
 */
public final class Json {
    public static final ObjectMapper MAPPER = JsonMapper.builder(new JsonFactoryBuilder()
                    .addDecorator((factory, out) -> new Clean(out))
                    .build())
            .addModules(modules())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    /** A list or map that JSON omits if it is empty, and that is empty if JSON omits it. */
    @JacksonAnnotationsInside
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonSetter(nulls = Nulls.AS_EMPTY)
    @Retention(RetentionPolicy.RUNTIME)
    @interface AbsentIfEmpty {}

    /** JSON on one line, without a line break at its end. */
    public static String line(Object value) {
        return written(MAPPER.writer(), value);
    }

    /** JSON on one line without redaction, only for this process to read back, because it can contain secrets. */
    public static String verbatim(Object value) {
        return written(new ObjectMapper().writer(), value);
    }

    /** Indented JSON for readers, with a line break at its end. */
    public static String pretty(Object value) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter()
                .withObjectIndenter(indenter)
                .withArrayIndenter(indenter)
                .withSeparators(
                        Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.NONE));
        return written(MAPPER.writer(printer), value).replace("\r\n", "\n") + "\n";
    }

    /** An object with these alternating names and values, in this order. */
    public static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    private static String written(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Modules for mappers of other formats: instants and durations as text, sentences by key. */
    public static List<Module> modules() {
        SimpleModule times = new SimpleModule("times")
                .addSerializer(Instant.class, ToStringSerializer.instance)
                .addSerializer(Duration.class, ToStringSerializer.instance)
                .addDeserializer(Instant.class, new FromText<>(Instant.class, Instant::parse))
                .addDeserializer(Duration.class, new FromText<>(Duration.class, Duration::parse));
        return List.of(times, new SentenceJson());
    }

    /** Redacts all text that is stored or sent. */
    private static final class Clean extends JsonGeneratorDelegate {
        Clean(JsonGenerator to) {
            super(to, false);
        }

        @Override
        public void writeString(String text) throws IOException {
            super.writeString(text == null ? null : Secrets.clean(text));
        }
    }

    private static final class FromText<T> extends FromStringDeserializer<T> {
        private final transient Function<String, T> parse;

        FromText(Class<T> type, Function<String, T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        protected T _deserialize(String value, DeserializationContext context) {
            return parse.apply(value);
        }
    }
}
