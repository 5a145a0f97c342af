package io.plimsoll.lab;

import java.nio.file.Path;

/** The unchanging facts of one broker of a lab. */
record Node(int id, int port, int controllerPort, Path directory) {
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
