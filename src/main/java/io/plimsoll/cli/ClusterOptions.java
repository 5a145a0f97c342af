package io.plimsoll.cli;

import io.plimsoll.cluster.ClusterConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of every command that talks to a cluster; the same as those of Kafka's own tools. */
final class ClusterOptions {
    @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT[,...]")
    String bootstrapServer;

    @Option(names = "--command-config", paramLabel = "FILE")
    Path commandConfig;

    @Option(names = "--command-property", paramLabel = "NAME=VALUE")
    List<String> commandProperties = new ArrayList<>();

    /** The connection that was asked for, not yet tried. */
    ClusterConnection connection() {
        return ClusterConnection.of(bootstrapServer, commandConfig, commandProperties);
    }

    /** Empty if no cluster was named at all. */
    Optional<ClusterConnection> connectionIfNamed() {
        boolean named = bootstrapServer != null || commandConfig != null || !commandProperties.isEmpty();
        return named ? Optional.of(connection()) : Optional.empty();
    }

    /** The connection that was asked for, after a preflight: from here on only the operation itself can fail. */
    ClusterConnection checkedConnection() {
        ClusterConnection connection = connection();
        connection.check();
        return connection;
    }
}
