package io.plimsoll.cli;

import io.plimsoll.cluster.ClusterConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Connection options of every command that uses a cluster, as in Kafka's own tools. */
final class ClusterOptions {
    @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT[,...]")
    String bootstrapServer;

    @Option(names = "--command-config", paramLabel = "FILE")
    Path commandConfig;

    @Option(names = "--command-property", paramLabel = "NAME=VALUE")
    List<String> commandProperties = new ArrayList<>();

    /** The connection, not yet checked. */
    ClusterConnection connection() {
        return ClusterConnection.of(bootstrapServer, commandConfig, commandProperties);
    }

    /** Empty if no option names a cluster. */
    Optional<ClusterConnection> connectionIfNamed() {
        boolean named = bootstrapServer != null || commandConfig != null || !commandProperties.isEmpty();
        return named ? Optional.of(connection()) : Optional.empty();
    }

    /** The connection, after a preflight check. */
    ClusterConnection checkedConnection() {
        ClusterConnection connection = connection();
        connection.check();
        return connection;
    }
}
