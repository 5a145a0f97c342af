package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.LoginProperties;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.cluster.ListenerProbe.Address;
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
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The way to a cluster: where it is, and the client properties (security above all) that every client of it needs.
 * Immutable; usable by any thread. {@link #toString()} hides secrets.
 *
 * @param bootstrapServers {@code host:port}, several with commas between them; checked when this is made
 * @param properties client properties without {@code bootstrap.servers}; what providers look up is looked up when this is
 *     made, and {@code config.providers} stays for {@link #lookUp}
 */
public record ClusterConnection(String bootstrapServers, Map<String, String> properties) {
    /** What Kafka, the JDK's login and we say of a class that is not there. */
    private static final Pattern MISSING_CLASS =
            Pattern.compile("could not be found|[Nn]o LoginModule found|unable to find LoginModule|there is no class");

    private static final String SERVERS = "bootstrap.servers";
    private static final int API_TIMEOUT_MILLIS = 30_000;
    private static final int REQUEST_TIMEOUT_MILLIS = 15_000;

    /** @throws PlimsollException ({@link Exit#USAGE}) where an entry is not {@code host:port}, or a value cannot be looked up */
    public ClusterConnection {
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.put(SERVERS, bootstrapServers);
        Map<String, String> found = new LinkedHashMap<>(ConfigProviders.lookUp(Map.of(), all));
        bootstrapServers = found.remove(SERVERS).strip();
        Address.parseAll(bootstrapServers);
        all.keySet().removeIf(name -> !ConfigProviders.configures(name));
        found.putAll(all);
        properties = Collections.unmodifiableMap(found);
        Secrets.learn(properties);
    }

    /**
     * A connection as a user gave it on a command line. A single property wins over the file, the option over both.
     *
     * @param bootstrapServers may be null where the file or a property has {@code bootstrap.servers}
     * @param commandConfig a file of client properties, or null
     * @param commandProperties {@code name=value}, split at the first {@code =}
     * @throws PlimsollException ({@link Exit#USAGE}) naming the file, line or option that cannot be used
     */
    public static ClusterConnection of(String bootstrapServers, Path commandConfig, List<String> commandProperties) {
        Map<String, String> properties = written(bootstrapServers, commandConfig, commandProperties);
        return new ClusterConnection(properties.get(SERVERS), properties);
    }

    /** The properties of such a connection as they are written, with {@code bootstrap.servers}; see {@link #of}. */
    public static Map<String, String> written(
            String bootstrapServers, Path commandConfig, List<String> commandProperties) {
        Map<String, String> properties = new LinkedHashMap<>();
        if (commandConfig != null) {
            properties.putAll(properties(commandConfig));
        }
        for (String property : commandProperties) {
            int equals = property.indexOf('=');
            if (equals < 1) {
                // Not quoted: without a name nobody can tell whether it is a secret.
                throw Exit.USAGE.because("cluster.notAProperty");
            }
            properties.put(
                    property.substring(0, equals).strip(),
                    property.substring(equals + 1).strip());
        }
        String servers = bootstrapServers != null ? bootstrapServers : properties.get(SERVERS);
        Exit.USAGE.when(servers == null || servers.isBlank(), "cluster.noneGiven");
        properties.put(SERVERS, servers.strip());
        return properties;
    }

    /**
     * The properties of an entry with the values that its clients get: its own providers and those of this connection have
     * looked them up.
     *
     * @throws PlimsollException ({@link Exit#USAGE}) where a provider cannot be used or has no value
     */
    public Map<String, String> lookUp(Map<String, String> config) {
        return ConfigProviders.lookUp(properties, config);
    }

    /**
     * Resolves, connects and describes the cluster; takes 10 s at the most.
     *
     * @throws PlimsollException with {@link Exit#CLUSTER} and one sentence that names the address, what was wrong with
     *     it and what to do; with {@link Exit#USAGE} where a client property cannot be used
     */
    public ClusterDescription check() {
        return new ClusterPreflight(this).run();
    }

    /**
     * A new administration client, to be closed by the caller. Its calls end after 30 s unless the properties say
     * otherwise.
     *
     * @throws PlimsollException ({@link Exit#USAGE}) where a client property cannot be used
     */
    public Admin admin() {
        Map<String, Object> timeouts = new HashMap<>(within(API_TIMEOUT_MILLIS, REQUEST_TIMEOUT_MILLIS));
        timeouts.keySet().removeAll(properties.keySet());
        return admin(timeouts);
    }

    /** Checks the types and the permitted values of the client properties, without a connection. */
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

    /** A new producer with properties of its own; as {@link #admin()}. */
    KafkaProducer<byte[], byte[]> producer(Map<String, Object> own) {
        return client(own, all -> new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /**
     * A new consumer with properties of its own; as {@link #admin()}. It is in no group but one that these name, makes no
     * topics and commits nothing by itself.
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

    /** The properties that every client of this cluster starts from; a new map that the caller may add to. */
    public Map<String, Object> clientProperties() {
        Map<String, Object> config = new LinkedHashMap<>();
        // A cluster that collects metrics from its clients would add requests to the load that is measured.
        config.put("enable.metrics.push", "false");
        config.putAll(properties);
        config.keySet().removeIf(ConfigProviders::configures);
        config.put(SERVERS, bootstrapServers);
        LoginProperties.allow(properties);
        return config;
    }

    /** The sentence for a client that could not be made from its properties, for example for want of a key store. */
    public PlimsollException unusable(KafkaException e) {
        return unusable(e, properties);
    }

    static PlimsollException unusable(KafkaException e, Map<String, String> properties) {
        List<Sentence> reasons = reasons(e, properties);
        boolean missing = reasons.stream().map(Sentence::english).anyMatch(MISSING_CLASS.asPredicate());
        return Exit.USAGE.because(e, missing ? "cluster.missingClass" : "cluster.unusableProperties", reasons);
    }

    /** The reasons why a client could not be made, the more general first, without secrets. */
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

    /** @throws PlimsollException {@link Exit#USAGE} if the file cannot be read */
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

    /** The file format takes a line without separator for a name with an empty value; here that is always a mistake. */
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

    private static PlimsollException unreadable(Path file, Object why, Throwable cause) {
        return Exit.USAGE.because(cause, "cluster.cannotReadProperties", file, why);
    }
}
