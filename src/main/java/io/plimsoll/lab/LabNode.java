package io.plimsoll.lab;

import java.nio.file.Path;
import java.util.List;

/**
 * The unchanging facts of one process of a lab.
 *
 * @param id of a broker, or of a controller or ZooKeeper apart, which are from {@link #APART} on
 * @param host address of this machine on which the broker listens for clients; all else is on {@link #HOST}
 * @param disks where the broker keeps its logs, at least one
 */
record LabNode(int id, Role role, String host, LabPorts ports, Path directory, List<Path> disks) {
    static final String HOST = "127.0.0.1";
    static final int APART = 101;

    /** The part that a process has in the cluster. */
    enum Role {
        /** A broker that is a controller as well. */
        COMBINED,
        /** A broker whose controllers are apart. */
        BROKER,
        CONTROLLER,
        WITH_ZOOKEEPER,
        ZOOKEEPER;

        /** Whether it is a broker. */
        boolean serves() {
            return this != CONTROLLER && this != ZOOKEEPER;
        }

        /** Whether it votes for the leader of the controllers. */
        boolean votes() {
            return this == COMBINED || this == CONTROLLER;
        }
    }

    /**
     * The ports of a process; 0 for those that it does not have.
     *
     * @param port where a broker listens for clients
     * @param controller where a controller listens, or ZooKeeper
     * @param advertised where clients reach the broker: a proxy's, or {@code port}
     * @param internal where other brokers are listened for apart from clients
     * @param internalAdvertised where other brokers reach that
     */
    record LabPorts(int port, int controller, int advertised, int internal, int internalAdvertised) {}

    static Path directoryOf(Path labDirectory, int id) {
        return labDirectory.resolve("node-" + id);
    }

    int port() {
        return role.serves() ? ports.port() : ports.controller();
    }

    Path dataDirectory() {
        return disks.get(0);
    }

    Path configFile() {
        return directory.resolve("server.properties");
    }

    Path logFile() {
        return directory.resolve("broker.log");
    }
}
