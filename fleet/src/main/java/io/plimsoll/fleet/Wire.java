package io.plimsoll.fleet;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.databind.util.StdConverter;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.SlowBatch;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Json;
import io.plimsoll.scenario.ConnectionSpec;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SendMode;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.TopicSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.pekko.serialization.JSerializer;

/**
 * Encodes messages as CBOR. Subtypes of the sealed types in this list are encoded by a short name, so that no name from
 * the network can refer to another class. Pekko creates the instance, because its configuration names this class.
 * Thread-safe.
 */
final class Wire extends JSerializer {
    /** A serializer ID that Pekko's own serializers do not use. */
    private static final int IDENTIFIER = 1876;

    private static final List<Class<?>> SEALED = List.of(
            FleetMessage.class,
            KeySpec.class,
            Rate.class,
            RecordSpec.Payload.class,
            SchemaSpec.Field.class,
            SendMode.class,
            ConsumerSpec.Start.class,
            ConsumerSpec.Rewind.class,
            ConsumerSpec.Commit.class);

    private static final ObjectMapper MAPPER = mapper();

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public boolean includeManifest() {
        return false;
    }

    /**
     * An envelope encoded by the sender's thread, so that a large message does not delay small messages before they
     * reach the network.
     */
    record Encoded(byte[] bytes) {
        static Encoded of(Envelope envelope) {
            return new Encoded(write(envelope));
        }
    }

    /** Creates the encoders of an agent's messages in advance: a new process on a busy host needs seconds to do so. */
    static void prepare() {
        for (Class<?> message : FleetMessage.class.getPermittedSubclasses()) {
            MAPPER.writerFor(message);
        }
    }

    @Override
    public byte[] toBinary(Object message) {
        return ((Encoded) message).bytes();
    }

    @Override
    public Object fromBinaryJava(byte[] bytes, Class<?> manifest) {
        return read(bytes);
    }

    /** Annotations that apply to each sealed type. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    private interface Named {}

    private static ObjectMapper mapper() {
        CBORMapper mapper = CBORMapper.builder()
                .addModule(new Jdk8Module())
                .addModules(Json.modules())
                .addModule(new SettingsModule()
                        .with(TopicSpec.class, TopicSpec.ALL, Wire::topic, Wire::settings)
                        .with(ProducerSpec.class, ProducerSpec.ALL, ProducerSpec::new, ProducerSpec::settings)
                        .with(ConsumerSpec.class, ConsumerSpec.ALL, ConsumerSpec::new, ConsumerSpec::settings)
                        .with(ConnectionSpec.class, ConnectionSpec.ALL, ConnectionSpec::new, ConnectionSpec::settings)
                        .with(RecordSpec.class, RecordSpec.ALL, RecordSpec::new, RecordSpec::settings))
                .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        for (Class<?> sealed : SEALED) {
            mapper.addMixIn(sealed, Named.class);
            for (Class<?> form : sealed.getPermittedSubclasses()) {
                mapper.registerSubtypes(new NamedType(form, form.getSimpleName()));
            }
        }
        return mapper;
    }

    /**
     * Encodes a snapshot and an observation once. The first encoding of each takes about a second of CPU time, which
     * all agents of a host would otherwise spend at the start of their load.
     */
    static void warmUp() {
        Observation observed = new Observation("", "", 0, 0, Map.of("", 0.0), Map.of("", 0.0));
        SlowBatch slow = new SlowBatch("", "", 0, 0, 0, 0, Map.of(SlowBatch.Stage.SEND, 1L));
        Snapshot snapshot = new Snapshot(
                "",
                "",
                0,
                Phase.MEASURE,
                0,
                0,
                0L,
                0L,
                Counts.NONE,
                Counts.NONE,
                Counts.NONE,
                GeneratorUse.Busiest.NONE,
                List.of(observed),
                List.of(slow));
        Incident incident = new Incident(Incident.Kind.GC, "", 0, 0, 0, "");
        for (FleetMessage message : List.of(
                new FleetMessage.SnapshotTaken(snapshot),
                new FleetMessage.HostObserved(observed, List.of(incident)))) {
            write(new Envelope("", "", "", "", message));
        }
    }

    private static TopicSpec topic(Settings settings) {
        return new TopicSpec(String.join("", settings.get(TopicSpec.NAME)), settings.without(TopicSpec.NAME::equals));
    }

    private static Settings settings(TopicSpec topic) {
        return topic.settings().with(TopicSpec.NAME, List.of(topic.name()));
    }

    static byte[] write(Envelope envelope) {
        try {
            return MAPPER.writeValueAsBytes(envelope);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws UncheckedIOException for an unknown message */
    static Envelope read(byte[] bytes) {
        try {
            Envelope envelope = MAPPER.readValue(bytes, Envelope.class);
            if (envelope == null || envelope.from() == null || envelope.message() == null) {
                throw new IOException("an empty message");
            }
            return envelope;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Serializes settings as a map of non-default values. Deserialization accepts only known keys with values of their type.
     */
    private static final class SettingsModule extends SimpleModule {
        private static final long serialVersionUID = 1;

        SettingsModule() {
            super("settings");
            addSerializer(Settings.class, new Writer());
        }

        <T> SettingsModule with(
                Class<T> entry, Section keys, Function<Settings, T> made, Function<T, Settings> settings) {
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
            public void serialize(Settings settings, JsonGenerator out, SerializerProvider provider)
                    throws IOException {
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
}
