package io.plimsoll.lab;

import java.nio.file.Path;

/**
 * The unchanging facts of one broker of a lab.
 *
 * @param host address of this machine on which the broker listens for clients; its controller is on {@link #HOST}
 * @param port where the broker listens
 * @param advertisedPort where clients and other brokers reach it: a proxy's, or {@code port}
 */
record LabNode(int id, String host, int port, int controllerPort, int advertisedPort, Path directory) {
    static final String HOST = "127.0.0.1";

    static Path directoryOf(Path labDirectory, int id) {
        return labDirectory.resolve("node-" + id);
    }

    Path dataDirectory() {
        return directory.resolve("data");
    }

    Path configFile() {
        return directory.resolve("server.properties");
    }

    Path logFile() {
        return directory.resolve("broker.log");
    }
}
