package io.plimsoll.fleet;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.Settings;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * Serializes settings as a map of non-default values. Deserialization accepts only known keys with values of their type.
 */
final class SettingsModule extends SimpleModule {
    private static final long serialVersionUID = 1;

    SettingsModule() {
        super("settings");
        addSerializer(Settings.class, new Writer());
    }

    /** The settings of a type of entry hold these keys. */
    <T> SettingsModule with(Class<T> entry, Section keys, Function<Settings, T> made, Function<T, Settings> settings) {
        addDeserializer(entry, new Reader<>(entry, keys, made));
        addSerializer(new StdDelegatingSerializer(entry, new StdConverter<T, Settings>() {
            @Override
            public Settings convert(T value) {
                return settings.apply(value);
            }
        }));
        return this;
    }

    private static final class Writer extends StdSerializer<Settings> {
        private static final long serialVersionUID = 1;

        Writer() {
            super(Settings.class);
        }

        @Override
        public void serialize(Settings settings, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeStartObject();
            for (Key<?> key : settings.keys()) {
                provider.defaultSerializeField(key.name(), settings.get(key), out);
            }
            out.writeEndObject();
        }
    }

    private static final class Reader<T> extends StdDeserializer<T> {
        private static final long serialVersionUID = 1;

        private final transient Section keys;
        private final transient Function<Settings, T> made;

        Reader(Class<T> type, Section keys, Function<Settings, T> made) {
            super(type);
            this.keys = keys;
            this.made = made;
        }

        @Override
        public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
            Settings settings = Settings.NONE;
            if (!in.isExpectedStartObjectToken()) {
                context.handleUnexpectedToken(handledType(), in);
            }
            for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
                JsonToken value = in.nextToken();
                Key<?> key = keys.keys().get(name);
                if (key == null || key.type().isEmpty() || value == JsonToken.VALUE_NULL) {
                    in.skipChildren();
                } else {
                    settings = read(settings, key, in, context);
                }
            }
            return made.apply(settings);
        }

        private static <V> Settings read(Settings before, Key<V> key, JsonParser in, DeserializationContext context)
                throws IOException {
            V value = context.readValue(in, type(key.type(), context.getTypeFactory()));
            return before.with(key, value);
        }

        private static JavaType type(List<Class<?>> type, TypeFactory types) {
            return type.size() == 1
                    ? types.constructType(type.get(0))
                    : types.constructParametricType(
                            type.get(0), type.subList(1, type.size()).toArray(Class<?>[]::new));
        }
    }
}
