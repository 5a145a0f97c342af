package io.plimsoll.lab;

import java.nio.file.Path;
import java.util.List;

/**
 * Fixed properties of one process of a lab.
 *
 * @param id broker id; separate controllers and ZooKeeper start at {@link #APART}
 * @param host client listener address of a broker; everything else is on {@link #HOST}
 * @param disks log directories of a broker, at least one
 */
record LabNode(int id, Role role, String host, LabPorts ports, Path directory, List<Path> disks) {
    static final String HOST = "127.0.0.1";
    static final int APART = 101;

    /** Role of a process in the cluster. */
    enum Role {
        /** Broker and controller. */
        COMBINED,
        /** Broker with separate controllers. */
        BROKER,
        CONTROLLER,
        WITH_ZOOKEEPER,
        ZOOKEEPER;

        /** Whether the process is a broker. */
        boolean serves() {
            return this != CONTROLLER && this != ZOOKEEPER;
        }

        boolean votes() {
            return this == COMBINED || this == CONTROLLER;
        }
    }

    /**
     * Ports of a process; 0 if unused.
     *
     * @param port client listener of a broker
     * @param controller listener of a controller or ZooKeeper
     * @param advertised client port of a broker: the proxy's, or {@code port}
     * @param internal separate inter-broker listener
     * @param internalAdvertised advertised inter-broker port
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

    /** An argument that identifies this process among all processes of the host. */
    String marker() {
        return "-Dplimsoll.broker.log=" + logFile();
    }
}
