package io.plimsoll.fleet.plan;

import io.plimsoll.fleet.plan.WarmupTurn.Waiting;
import java.util.Collections;
import java.util.List;

/**
 * The number of agents for each core of a host: so many times less often does each of them look at the host, at itself and for
 * the end of its load. All looks of a crowd would otherwise take the cores from the load.
 */
public final class Crowd {
    /** Then looks take little, and rarer ones would miss too much. */
    static final int MOST = 16;

    private Crowd() {}

    /** Of each agent's host: 1 with a core for each agent. */
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
