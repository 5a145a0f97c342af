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
 * Chooses loopback ports that are free now. Labs of this process are never given the same one; another process may still
 * take one before the broker does.
 */
final class Ports {
    // Below the range from which systems take the local ports of outgoing connections (from 32768 on Linux), so that
    // a broker that is down for a while finds its port free again; far apart at random, so that two labs that start
    // at the same time seldom meet.
    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 32_000;
    private static final int MAX_TRIES = 10_000;
    /** How many are remembered: more than labs choose here while one of them starts, and few of all that there are. */
    private static final int REMEMBERED = 2000;

    /** Those given out last, since a port is free to whoever looks until a broker has bound it; oldest first. */
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

    /** Before it is looked at: to look is to bind it for a moment, in which who was given it would find it taken. */
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
