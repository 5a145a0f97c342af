package io.plimsoll.lab;

import io.plimsoll.Exit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses free loopback ports, each only once in this process; another process can still take one before the broker
 * binds it.
 */
final class Ports {
    // Below the ephemeral range (from 32768 on Linux), so that a stopped broker finds its port free again; random, so
    // that concurrent labs rarely collide.
    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 32_000;
    private static final int MAX_TRIES = 10_000;
    /** Number of remembered ports: more than concurrent labs need, but a small part of the range. */
    private static final int REMEMBERED = 2000;

    /** Recently chosen ports, oldest first: a port looks free until a broker has bound it. */
    private static final Set<Integer> GIVEN = new LinkedHashSet<>();

    private Ports() {}

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

    /** Reserves a port before the check, because the check binds it briefly. */
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
