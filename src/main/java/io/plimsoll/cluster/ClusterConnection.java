package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.LoginProperties;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.cluster.ClusterPreflight.ListenerProbe.Address;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Address ({@code host:port,...}) and client properties (mainly security) of a cluster, validated and resolved on
 * construction; {@code config.providers} is kept for {@link #lookUp}. Immutable; thread-safe. {@link #toString()} hides
 * secrets.
 */
public record ClusterConnection(String bootstrapServers, Map<String, String> properties) {
    /** Messages of Kafka, the JDK, and this program about a missing class. */
    private static final Pattern MISSING_CLASS =
            Pattern.compile("could not be found|[Nn]o LoginModule found|unable to find LoginModule|there is no class");

    /** Packages of cloud providers' login classes, with the Maven artifacts that contain them. */
    private static final Map<String, String> LOGIN_ARTIFACTS = Map.of(
            "software.amazon.msk",
            "software.amazon.msk:aws-msk-iam-auth",
            "com.google.cloud.hosted.kafka",
            "com.google.cloud.hosted.kafka:managed-kafka-auth-login-handler");

    private static final Pattern LOGIN_CLASS =
            Pattern.compile("(" + String.join("|", LOGIN_ARTIFACTS.keySet()) + ")\\.[\\w.]*\\w");
    private static final String PROVIDERS = "config.providers";
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*?):(([^}]*?):)?([^}]*?)}");
    private static final String SERVERS = "bootstrap.servers";
    private static final int API_TIMEOUT_MILLIS = 30_000;
    private static final int REQUEST_TIMEOUT_MILLIS = 15_000;

    /**
     * @throws PlimsollException ({@link Exit#USAGE}) if an entry is not {@code host:port}, or a reference cannot be
     *     resolved
     */
    public ClusterConnection {
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.put(SERVERS, bootstrapServers);
        Map<String, String> found = new LinkedHashMap<>(lookUp(Map.of(), all));
        bootstrapServers = found.remove(SERVERS).strip();
        Address.parseAll(bootstrapServers);
        all.keySet().removeIf(name -> !configuresProviders(name));
        found.putAll(all);
        properties = Collections.unmodifiableMap(found);
        Secrets.learn(properties);
    }

    /**
     * Creates a connection from command-line options. A property {@code name=value} overrides the file; the bootstrap
     * option overrides both. Fails with {@link Exit#USAGE} and the invalid file, line, or option.
     */
    public static ClusterConnection of(
            @Nullable String bootstrapServers, @Nullable Path commandConfig, List<String> commandProperties) {
        Map<String, String> properties = written(bootstrapServers, commandConfig, commandProperties);
        return new ClusterConnection(Objects.requireNonNull(properties.get(SERVERS)), properties);
    }

    /** The cluster at an address, or in a client properties file; see {@link #isFile}. */
    public static ClusterConnection named(String text, @Nullable Path commandConfig, List<String> commandProperties) {
        return isFile(text) ? of(null, Path.of(text), commandProperties) : of(text, commandConfig, commandProperties);
    }

    /** Whether {@code text} names a file. Text with a slash always does, even if the file is missing. */
    public static boolean isFile(String text) {
        return text.contains("/") || Files.exists(Path.of(text));
    }

    /** The unresolved properties of a connection, with {@code bootstrap.servers}; see {@link #of}. */
    public static Map<String, String> written(
            @Nullable String bootstrapServers, @Nullable Path commandConfig, List<String> commandProperties) {
        Map<String, String> properties = new LinkedHashMap<>();
        if (commandConfig != null) {
            properties.putAll(properties(commandConfig));
        }
        for (String property : commandProperties) {
            int equals = property.indexOf('=');
            if (equals < 1) {
                // Not quoted: without a name, the text cannot be classified as a secret.
                throw Exit.USAGE.because("cluster.notAProperty");
            }
            properties.put(
                    property.substring(0, equals).strip(),
                    property.substring(equals + 1).strip());
        }
        String servers = bootstrapServers != null ? bootstrapServers : properties.get(SERVERS);
        if (servers == null || servers.isBlank()) {
            throw Exit.USAGE.because("cluster.noneGiven");
        }
        properties.put(SERVERS, servers.strip());
        return properties;
    }

    /**
     * Resolves an entry's properties with the providers of the entry and of this connection. Fails with {@link
     * Exit#USAGE} if a reference has no value.
     */
    public Map<String, String> lookUp(Map<String, String> config) {
        return lookUp(properties, config);
    }

    /**
     * Resolves the addresses, connects to the cluster and describes it within a minute. Fails with {@link Exit#CLUSTER}
     * and the remedy, or with {@link Exit#USAGE} for an invalid client property.
     */
    public ClusterDescription check() {
        return new ClusterPreflight(this).run();
    }

    /**
     * Creates an admin client; by default, a call times out after 30 s and a request after 15 s. The caller closes the
     * client. Fails with {@link Exit#USAGE} for an invalid property.
     */
    public Admin admin() {
        Map<String, Object> timeouts = new HashMap<>(within(API_TIMEOUT_MILLIS, REQUEST_TIMEOUT_MILLIS));
        timeouts.keySet().removeAll(properties.keySet());
        return admin(timeouts);
    }

    /** Validates the client properties without a connection. */
    void validate() {
        try {
            new AdminClientConfig(clientProperties());
        } catch (KafkaException e) {
            throw unusable(e);
        }
    }

    static Map<String, Object> within(int callMillis, int requestMillis) {
        return Map.of("default.api.timeout.ms", callMillis, "request.timeout.ms", requestMillis);
    }

    Admin admin(Map<String, Object> own) {
        return client(own, Admin::create);
    }

    /** Creates a producer with additional properties; see {@link #admin()}. */
    KafkaProducer<byte[], byte[]> producer(Map<String, Object> own) {
        return client(own, all -> new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /**
     * Creates a consumer with additional properties, always without topic creation and auto-commit, and without a group
     * unless {@code own} names one.
     */
    KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> own) {
        return client(own, all -> {
            if (!own.containsKey("group.id")) {
                all.keySet().removeAll(Set.of("group.id", "group.instance.id"));
            }
            all.put("enable.auto.commit", false);
            all.put("allow.auto.create.topics", false);
            return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        });
    }

    private <C> C client(Map<String, Object> own, Function<Map<String, Object>, C> made) {
        Map<String, Object> config = clientProperties();
        config.putAll(own);
        try {
            return made.apply(config);
        } catch (KafkaException e) {
            throw unusable(e);
        }
    }

    /** The base properties of every client of this cluster, as a new mutable map. */
    public Map<String, Object> clientProperties() {
        Map<String, Object> config = new LinkedHashMap<>();
        // Metrics pushed to the cluster would add requests to the measured load.
        config.put("enable.metrics.push", "false");
        config.putAll(properties);
        config.keySet().removeIf(ClusterConnection::configuresProviders);
        // An ID would make clients fence each other, and a producer without transactions could not send.
        config.remove("transactional.id");
        config.put(SERVERS, bootstrapServers);
        LoginProperties.allow(properties);
        return config;
    }

    /** The error for a client that rejects its properties, for example because of a missing keystore. */
    public PlimsollException unusable(KafkaException e) {
        return unusable(e, properties);
    }

    static PlimsollException unusable(KafkaException e, Map<String, String> properties) {
        List<Sentence> reasons = reasons(e, properties);
        String said = reasons.stream().map(Sentence::english).collect(Collectors.joining(" "));
        if (!MISSING_CLASS.matcher(said).find()) {
            return Exit.USAGE.because(e, "cluster.unusableProperties", reasons);
        }
        Matcher login = LOGIN_CLASS.matcher(said);
        return login.find()
                ? Exit.USAGE.because(e, "cluster.missingLogin", login.group(), LOGIN_ARTIFACTS.get(login.group(1)))
                : Exit.USAGE.because(e, "cluster.missingClass", reasons);
    }

    /** Reasons why a client rejected its properties, most general first, without secrets. */
    public static List<Sentence> reasons(KafkaException e, Map<String, String> properties) {
        List<Sentence> reasons = new ArrayList<>();
        for (Throwable cause = KafkaErrors.unwrap(e); cause != null; cause = cause.getCause()) {
            String said = Secrets.scrub(String.valueOf(cause.getMessage()), properties)
                    .strip()
                    .replaceAll("\\s+", " ")
                    .replaceFirst("\\.$", "");
            Sentence reason = cause instanceof NoSuchFileException
                    ? Sentence.of("cluster.noFile", said)
                    : cause instanceof ClassNotFoundException
                            ? Sentence.of("cluster.noClass", said)
                            : Sentence.verbatim(said);
            if (reasons.stream().noneMatch(r -> r.english().contains(reason.english()))) {
                reasons.add(reason);
            }
        }
        return reasons;
    }

    @Override
    public String toString() {
        return "ClusterConnection[bootstrapServers=" + bootstrapServers + ", properties=" + Secrets.redact(properties)
                + "]";
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the file is unreadable */
    public static Map<String, String> properties(Path file) {
        String text;
        try {
            text = InputFile.properties(file);
        } catch (NoSuchFileException e) {
            throw unreadable(file, Sentence.of("cluster.file.missing"), e);
        } catch (AccessDeniedException e) {
            throw unreadable(file, Sentence.of("cluster.file.denied"), e);
        } catch (IOException e) {
            throw unreadable(file, Files.isDirectory(file) ? Sentence.of("cluster.file.directory") : e.getMessage(), e);
        }
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable(file, Sentence.of("cluster.file.badEscape"), e);
        }
        Map<String, String> read = new LinkedHashMap<>();
        for (String name : properties.stringPropertyNames()) {
            read.put(name, properties.getProperty(name).strip());
        }
        rejectLinesWithoutValue(file, text, read);
        return read;
    }

    /** Rejects lines without a separator: the format reads them as a name with an empty value, which is always a mistake here. */
    private static void rejectLinesWithoutValue(Path file, String text, Map<String, String> read) {
        List<String> lines = text.lines().map(String::strip).toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean nameAlone = "".equals(read.get(line));
            if (line.startsWith("=") || line.startsWith(":") || nameAlone) {
                throw unreadable(file, Sentence.of("cluster.file.badLine", i + 1), null);
            }
        }
    }

    private static PlimsollException unreadable(Path file, @Nullable Object why, @Nullable Throwable cause) {
        return Exit.USAGE.because(cause, "cluster.cannotReadProperties", file, why);
    }

    /**
     * Whether a property configures providers. Clients do not receive such a property, because all references are
     * already resolved.
     */
    public static boolean configuresProviders(String property) {
        return property.equals(PROVIDERS) || property.startsWith(PROVIDERS + ".");
    }

    /** Whether a value can contain a reference. */
    public static boolean isReferredTo(String value) {
        return REFERENCE.matcher(value).find();
    }

    /**
     * Resolves references such as <code>${env:GROUP}</code> once, before any use, so that guards check the values that
     * clients receive. Uses Kafka's own code and its property {@code org.apache.kafka.automatic.config.providers}.
     *
     * <p>Resolves {@code own} with its providers, or with the providers of {@code below}, and drops the provider
     * settings. Fails with {@link Exit#USAGE} if a provider is unusable or has no value for a reference.
     */
    public static Map<String, String> lookUp(Map<String, String> below, Map<String, String> own) {
        Map<String, String> asked = new LinkedHashMap<>(own);
        asked.keySet().removeIf(ClusterConnection::configuresProviders);
        if (asked.values().stream().noneMatch(ClusterConnection::isReferredTo)) {
            return Collections.unmodifiableMap(asked);
        }
        Map<String, String> all = new HashMap<>(asked);
        Stream.of(below, own).flatMap(each -> each.entrySet().stream()).forEach(property -> {
            if (configuresProviders(property.getKey())) {
                all.put(property.getKey(), property.getValue());
            }
        });
        if (!all.containsKey(PROVIDERS)) {
            return Collections.unmodifiableMap(asked);
        }
        Map<String, Object> found;
        try {
            found = new AbstractConfig(new ConfigDef(), all, false).originals();
        } catch (KafkaException e) {
            throw unusable(e, all);
        }
        asked.replaceAll((name, written) -> {
            String value = String.valueOf(found.get(name));
            requireFound(name, value, all.get(PROVIDERS));
            Secrets.lookedUp(name, written, value);
            return value;
        });
        Secrets.learn(asked);
        return Collections.unmodifiableMap(asked);
    }

    /** Fails if a reference is unresolved, because Kafka's clients would keep it as a literal value. */
    private static void requireFound(String name, String value, String providers) {
        Matcher left = REFERENCE.matcher(value);
        while (left.find()) {
            boolean known = (" " + providers + " ").matches(".*[\\s,]" + Pattern.quote(left.group(1)) + "[\\s,].*");
            Exit.USAGE.when(known, "cluster.notLookedUp", name, left.group());
        }
    }
}
