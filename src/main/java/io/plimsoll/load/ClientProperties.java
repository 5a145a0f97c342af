package io.plimsoll.load;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.text.Sentence;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Client properties of a scenario: Plimsoll's defaults, overridden by the user's properties. */
public final class ClientProperties {
    /** Settings that do not influence the measurement. */
    private static final Set<String> PLUMBING = Set.of(
            "bootstrap.servers",
            "client.id",
            "key.serializer",
            "value.serializer",
            "key.deserializer",
            "value.deserializer");

    /** Prefixes of settings that common serializers, login modules and interceptors read from client properties. */
    private static final Pattern PLUG_INS =
            Pattern.compile("(schema\\.registry|basic\\.auth|bearer\\.auth|apicurio|aws|azure|"
                    + "confluent|software\\.amazon|opentelemetry|otel|specific\\.avro|json\\.schema|cruise\\.control)\\..+"
                    + "|auto\\.register\\.schemas|use\\.latest\\.version");

    private static final List<String> SECURITY = List.of("security.", "sasl.", "ssl.");

    /**
     * @param clientIndex number of the client within its entry
     * @throws PlimsollException {@link Exit#USAGE} if the client refuses a value
     */
    public static Map<String, Object> of(LoadContext context, ProducerSpec spec, String part, int clientIndex) {
        Map<String, Object> properties = new HashMap<>(context.clientProperties());
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, context.runTag() + "-" + part + "-" + clientIndex);
        ownDefaults(properties);
        if (spec.transactions().enabled()) {
            properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, context.runTag() + "-" + part + "-" + clientIndex);
        }
        properties.putAll(spec.config());
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        return properties;
    }

    /** The properties of a consumer, see {@link #of}. */
    public static Map<String, Object> of(LoadContext context, ConsumerSpec spec, String groupId, int memberIndex) {
        Map<String, Object> properties = new HashMap<>(context.clientProperties());
        // Members with the same id, such as one from --command-config, would fence each other.
        properties.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, groupId + "-" + memberIndex);
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        ownDefaults(properties);
        if (spec.get(ConsumerSpec.STATIC_MEMBERS)) {
            String instance = (groupId + "-" + memberIndex).replaceAll("[^A-Za-z0-9._-]", "_");
            properties.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, instance);
        }
        properties.put(
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                spec.start() instanceof ConsumerSpec.Start.Latest ? "latest" : "earliest");
        properties.put(
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                Boolean.toString(spec.commit() instanceof ConsumerSpec.Commit.Auto));
        properties.putAll(spec.config());
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, BorrowedBytesDeserializer.class.getName());
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, BorrowedBytesDeserializer.class.getName());
        return properties;
    }

    /** Properties of connections without a Kafka client: the cluster's, overridden by the entry's security settings. */
    public static Map<String, Object> ofConnections(LoadContext context, Map<String, String> config) {
        Map<String, Object> properties = new HashMap<>(context.clientProperties());
        config.forEach((name, value) -> {
            if (SECURITY.stream().anyMatch(name::startsWith)) {
                properties.put(name, value);
            }
        });
        return properties;
    }

    /** Whether connections with these properties use neither TLS nor SASL. */
    public static boolean isPlaintext(Map<String, ?> properties) {
        Object protocol = properties.get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        return protocol == null || protocol.toString().strip().equalsIgnoreCase("PLAINTEXT");
    }

    /** The client ID under which brokers apply quotas. */
    public static String clientId(Map<String, Object> properties) {
        return String.valueOf(properties.get(CommonClientConfigs.CLIENT_ID_CONFIG));
    }

    /** Disables telemetry, which adds load, and shortens the metrics window to one second. */
    private static void ownDefaults(Map<String, Object> properties) {
        properties.put("enable.metrics.push", "false");
        properties.put("metrics.sample.window.ms", "1000");
    }

    /** Parses the properties with the client's own parser. */
    public static ProducerConfig parseProducer(Map<String, Object> properties, String where) {
        return made("load.refused", where, properties, ProducerConfig::new);
    }

    /** The settings of an entry's first client. */
    public static ProducerConfig config(LoadContext context, ProducerSpec spec, String part) {
        return parseProducer(of(context, spec, part, 0), part);
    }

    /** The settings of a group's first member. */
    public static ConsumerConfig config(LoadContext context, ConsumerSpec spec, String part) {
        return parseConsumer(of(context, spec, part, 0), part);
    }

    /** Parses the properties with the client's own parser. */
    public static ConsumerConfig parseConsumer(Map<String, Object> properties, String where) {
        Map<String, Object> plain = new HashMap<>(properties);
        // ConsumerConfig rejects settings of share consumers; their own client checks them.
        plain.keySet().removeIf(name -> name.startsWith("share."));
        return made("load.refused", where, plain, ConsumerConfig::new);
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the properties are invalid */
    public static KafkaProducer<byte[], byte[]> producer(Map<String, Object> properties, String part) {
        return client(
                part, properties, p -> new KafkaProducer<>(p, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /**
     * Creates a Kafka client.
     * @throws PlimsollException {@link Exit#USAGE} if the properties are invalid
     */
    public static <C> C client(String part, Map<String, Object> properties, Function<Map<String, Object>, C> maker) {
        return made("load.unusable", part, properties, maker);
    }

    private static <C> C made(
            String refusal, String where, Map<String, Object> properties, Function<Map<String, Object>, C> maker) {
        try {
            return maker.apply(properties);
        } catch (KafkaException e) {
            Map<String, String> texts = new HashMap<>();
            properties.forEach((name, value) -> texts.put(name, String.valueOf(value)));
            throw Exit.USAGE.because(e, refusal, where, ClusterConnection.reasons(e, texts));
        }
    }

    /** Kafka's guarantees for producers with these properties; the ID is assigned later. */
    public static ProducerProfile audited(LoadContext context, ProducerSpec spec, String part) {
        ProducerConfig config = config(context, spec, part);
        boolean idempotent = config.getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG);
        boolean oneByOne = config.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION) == 1;
        return new ProducerProfile(
                0,
                part,
                idempotent,
                idempotent || oneByOne,
                spec.transactions().enabled(),
                !config.getString(ProducerConfig.ACKS_CONFIG).equals("0"));
    }

    /** Notes about property names unknown to all clients, see {@link #unknown}. */
    public static List<Sentence> unknownToAll(Map<String, String> properties) {
        Set<String> known = new TreeSet<>(AdminClientConfig.configNames());
        known.addAll(ProducerConfig.configNames());
        known.addAll(ConsumerConfig.configNames());
        return unknown(properties, known, "client", Sentence.of("load.theClientProperties"));
    }

    /**
     * Notes about property names that a Kafka client does not know, and would silently ignore.
     * @param client type of the client, such as {@code producer}
     * @param where such as {@code producers[0].config}
     */
    public static List<Sentence> unknown(
            Map<String, String> properties, Set<String> known, String client, Object where) {
        return properties.keySet().stream()
                .filter(name -> !known.contains(name)
                        && !ClusterConnection.configuresProviders(name)
                        && !PLUG_INS.matcher(name).matches())
                .map(name -> Sentence.of(
                        "load.unknownProperty",
                        where,
                        client,
                        name,
                        Suggestions.nearest(name, new TreeSet<>(known))
                                .map(near -> Sentence.of("load.didYouMean", near))
                                .orElseGet(() -> Sentence.of("load.unlessPlugIn"))))
                .toList();
    }

    /** Settings that differ from the client's defaults, as sorted text, with secrets redacted. */
    public static Map<String, String> differing(LoadContext context, ProducerSpec spec, String part) {
        Map<String, Object> given = of(context, spec, part, 0);
        return differing(given, parseProducer(given, part), ProducerConfig.configDef());
    }

    /** The differing settings of a consumer, see {@link #differing(LoadContext, ProducerSpec, String)}. */
    public static Map<String, String> differing(LoadContext context, ConsumerSpec spec, String part) {
        Map<String, Object> given = of(context, spec, part, 0);
        return differing(given, parseConsumer(given, part), ConsumerConfig.configDef());
    }

    private static Map<String, String> differing(
            Map<String, Object> given, AbstractConfig config, ConfigDef definition) {
        Map<String, String> differing = new TreeMap<>();
        Map<String, Object> defaults = definition.defaultValues();
        config.values().forEach((name, value) -> {
            if (!PLUMBING.contains(name) && !Objects.equals(value, defaults.get(name))) {
                String typed = String.valueOf(value);
                String shown = Secrets.shown(name, String.valueOf(given.get(name)));
                // Values from a config provider are secret.
                differing.put(name, ClusterConnection.isReferredTo(shown) ? shown : Secrets.shown(name, typed));
            }
        });
        return differing;
    }

    /** Returns the bytes of a fetched record without a copy. They must not be modified. */
    public static final class BorrowedBytesDeserializer implements Deserializer<ByteBuffer> {

        @Override
        public @Nullable ByteBuffer deserialize(String topic, byte @Nullable [] data) {
            return data == null ? null : ByteBuffer.wrap(data);
        }

        @Override
        public ByteBuffer deserialize(String topic, Headers headers, ByteBuffer data) {
            return data;
        }
    }
}
