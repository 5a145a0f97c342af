package io.plimsoll.cli;

import io.plimsoll.engine.client.ClusterConnection;
import java.nio.file.Path;
import java.util.*;
import picocli.CommandLine.Option;

final class ClusterOptions {
    @Option(names = "--bootstrap-server")
    String bootstrapServer;

    @Option(names = "--command-config")
    Path commandConfig;

    @Option(names = "--command-property")
    List<String> props = new ArrayList<>();

    Optional<ClusterConnection> connection() {
        return bootstrapServer == null && commandConfig == null
                ? Optional.empty()
                : Optional.of(ClusterConnection.of(bootstrapServer, commandConfig, props));
    }
}
