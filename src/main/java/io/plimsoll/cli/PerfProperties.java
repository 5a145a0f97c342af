package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Client properties as Kafka's performance tools take them: all in one place, for the connection and for the client
 * that is measured. Immutable.
 */
final class PerfProperties {
    private static final List<String> CONNECTION = List.of("security.", "ssl.", "sasl.", "client.dns.", "reconnect.");

    private final String bootstrapServers;
    private final Map<String, String> all;

    /**
     * @param bootstrapServers may be null where a property has them
     * @param option that the properties were given with, for messages
     * @param properties {@code name=value}, split at the first {@code =}
     * @throws PlimsollException ({@link Exit#USAGE}) naming the file, line or option that cannot be used
     */
    PerfProperties(String bootstrapServers, Path file, String option, List<String> properties) {
        for (String property : properties) {
            if (property.indexOf('=') < 1) {
                // Not quoted: without a name nobody can tell whether it is a secret.
                throw new PlimsollException(Exit.USAGE, Sentence.of("cli.notAProperty", option));
            }
        }
        ClusterConnection given = ClusterConnection.of(bootstrapServers, file, properties);
        this.bootstrapServers = given.bootstrapServers();
        this.all = new LinkedHashMap<>(given.properties());
        List.of("key.serializer", "value.serializer", "key.deserializer", "value.deserializer")
                .forEach(all::remove);
    }

    /** The connection with those properties that say how to reach the cluster and as whom. */
    ClusterConnection connection() {
        return new ClusterConnection(bootstrapServers, those(PerfProperties::isOfConnection));
    }

    /** All others; a new map that the caller may add to. */
    Map<String, String> ofClient() {
        return those(name -> !isOfConnection(name));
    }

    private static boolean isOfConnection(String name) {
        return CONNECTION.stream().anyMatch(name::startsWith);
    }

    private Map<String, String> those(Predicate<String> wanted) {
        Map<String, String> chosen = new LinkedHashMap<>();
        all.forEach((name, value) -> {
            if (wanted.test(name)) {
                chosen.put(name, value);
            }
        });
        return chosen;
    }
}
