package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.lab.LabNode.LabPorts;
import io.plimsoll.lab.LabNode.Role;
import io.plimsoll.scenario.LabSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Plans the processes of a lab with their ports and disks. */
record LabNodes(LabOptions options, Path directory) {
    private static final int PORTS_EACH = 5;

    /** @param earlier lab to continue, with the same ports if they are free; null for a new one */
    List<LabNode> all(@Nullable LabFile earlier) {
        boolean zooKeeper = options.release().needsZooKeeper();
        int controllers = options.spec.get(LabSpec.CONTROLLERS);
        Exit.USAGE.when(
                zooKeeper && (controllers > 0 || options.security != null),
                "lab.withZooKeeper",
                options.release().version());
        if (options.security != null) {
            options.security.requireOf(options.release());
        }
        int apart = zooKeeper ? 1 : controllers;
        Role role = zooKeeper ? Role.WITH_ZOOKEEPER : apart > 0 ? Role.BROKER : Role.COMBINED;
        List<Integer> free = Ports.free(PORTS_EACH * options.brokers() + apart, fixed(earlier));
        List<LabNode> nodes = new ArrayList<>();
        for (int id = 1; id <= options.brokers(); id++) {
            nodes.add(broker(id, role, free.subList(PORTS_EACH * (id - 1), PORTS_EACH * id), port(id, earlier)));
        }
        for (int i = 0; i < apart; i++) {
            int port = free.get(PORTS_EACH * options.brokers() + i);
            int id = LabNode.APART + i;
            Path own = LabNode.directoryOf(directory, id);
            Role its = zooKeeper ? Role.ZOOKEEPER : Role.CONTROLLER;
            nodes.add(new LabNode(
                    id, its, LabNode.HOST, new LabPorts(0, port, 0, 0, 0), own, List.of(own.resolve("data"))));
        }
        Exit.USAGE.when(earlier != null && !earlier.isOf(nodes, directory), "lab.otherLayout", directory);
        return nodes;
    }

    /** An additional broker. It is not a controller, so existing controllers need no change. */
    LabNode another(Collection<LabNode> there) {
        int id = there.stream()
                        .filter(n -> n.role().serves())
                        .mapToInt(LabNode::id)
                        .max()
                        .orElse(0)
                + 1;
        boolean zooKeeper = there.stream().anyMatch(n -> n.role() == Role.ZOOKEEPER);
        return broker(id, zooKeeper ? Role.WITH_ZOOKEEPER : Role.BROKER, Ports.free(PORTS_EACH, Set.of()), 0);
    }

    private LabNode broker(int id, Role role, List<Integer> free, int fixed) {
        int port = fixed > 0 ? fixed : free.get(0);
        int internal = options.apart() ? free.get(3) : 0;
        LabPorts ports = new LabPorts(
                port,
                role.votes() ? free.get(1) : 0,
                options.proxied() ? free.get(2) : port,
                internal,
                options.apart() && options.proxied() ? free.get(4) : internal);
        return new LabNode(
                id, role, options.host, ports, LabNode.directoryOf(directory, id), disks(options, directory, id));
    }

    static List<Path> disks(LabOptions options, Path directory, int id) {
        Path data = LabNode.directoryOf(directory, id).resolve("data");
        List<Path> disks = new ArrayList<>();
        for (String disk : options.spec.get(LabSpec.DISKS)) {
            Path first = disks.isEmpty() ? data : data.resolveSibling("data-" + (disks.size() + 1));
            disks.add(
                    disk.startsWith("/")
                            ? Path.of(disk, directory.getFileName() + "-" + id + "-" + disks.size())
                            : first);
        }
        return disks.isEmpty() ? List.of(data) : disks;
    }

    private int port(int id, @Nullable LabFile earlier) {
        if (options.port > 0) {
            return options.port + id - 1;
        }
        int before = earlier == null ? 0 : earlier.brokers().get(id - 1).port();
        return before > 0 && Ports.isFree(options.host, before) ? before : 0;
    }

    private Set<Integer> fixed(@Nullable LabFile earlier) {
        Set<Integer> fixed = new HashSet<>();
        for (int id = 1; options.port > 0 && id <= options.brokers(); id++) {
            fixed.add(options.port + id - 1);
        }
        if (earlier != null) {
            earlier.brokers().forEach(broker -> fixed.add(broker.port()));
        }
        return fixed;
    }

    /**
     * Chooses free loopback ports, each only once in this process. Another process can still take a port before the
     * broker binds it.
     */
    static final class Ports {
        // Below the ephemeral range (from 32768 on Linux), so that a stopped broker finds its port free again; random,
        // so that concurrent labs rarely collide.
        private static final int LOWEST = 10_000;
        private static final int HIGHEST = 32_000;
        private static final int MAX_TRIES = 10_000;
        /** Number of remembered ports: more than concurrent labs need, but a small part of the port range. */
        private static final int REMEMBERED = 2000;

        /** Recently chosen ports, oldest first. A chosen port looks free until a broker binds it. */
        private static final Set<Integer> GIVEN = new LinkedHashSet<>();

        static List<Integer> free(int count, Set<Integer> except) {
            Set<Integer> ports = new LinkedHashSet<>();
            for (int tries = 0; ports.size() < count && tries < MAX_TRIES; tries++) {
                int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
                if (!except.contains(port) && take(port) && isFree(port)) {
                    ports.add(port);
                }
            }
            Exit.INTERNAL.when(ports.size() < count, "lab.noFreePorts", count, LOWEST, HIGHEST, LabNode.HOST);
            return new ArrayList<>(ports);
        }

        /** Reserves a port before the check, because the check binds it briefly; false if another lab reserved it. */
        private static boolean take(int port) {
            synchronized (GIVEN) {
                if (GIVEN.size() == REMEMBERED) {
                    GIVEN.remove(GIVEN.iterator().next());
                }
                return GIVEN.add(port);
            }
        }

        static boolean isFree(int port) {
            return isFree(LabNode.HOST, port);
        }

        static boolean isFree(String host, int port) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
                return true;
            } catch (IOException e) {
                return false;
            }
        }
    }
}
