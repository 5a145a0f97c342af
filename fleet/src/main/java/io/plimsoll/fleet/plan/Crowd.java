package io.plimsoll.fleet.plan;

import io.plimsoll.fleet.plan.WarmupTurn.Waiting;
import java.util.Collections;
import java.util.List;

/**
 * The number of agents per core of a host. By this factor, each agent lengthens the intervals at which it observes its
 * host and itself, and polls for the end of its load. Otherwise, the observations of all agents would use the cores
 * that the load needs.
 */
public final class Crowd {
    /** Maximum factor: beyond it, observations cost little, and longer intervals would miss too much. */
    static final int MOST = 16;

    /** Maximum factor for the time after which a silent agent is lost, so that a crash is still detected. */
    private static final int MOST_PATIENCE = 4;

    private Crowd() {}

    /**
     * The time in ns without a message after which an agent is lost. On a crowded host, a process can wait seconds
     * for a core.
     *
     * @param nanos the time on a host that is not crowded
     * @param crowd agents per core, at least 1
     */
    public static long patienceNanos(long nanos, int crowd) {
        return nanos * Math.min(MOST_PATIENCE, crowd);
    }

    /** The factor of each agent, in the same order; 1 if its host has a core for each agent. */
    public static List<Integer> of(List<Waiting> agents) {
        List<String> hosts = agents.stream().map(Waiting::host).toList();
        return agents.stream().map(agent -> of(agent, hosts)).toList();
    }

    private static int of(Waiting agent, List<String> hosts) {
        int cores = Math.max(1, agent.cores());
        int perCore = (Collections.frequency(hosts, agent.host()) + cores - 1) / cores;
        return Math.min(MOST, perCore);
    }
}
