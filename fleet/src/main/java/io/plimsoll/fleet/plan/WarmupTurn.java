package io.plimsoll.fleet.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The time at which an agent warms up its own code, and the maximum length. Agents of one host take turns, as many at
 * once as the host has cores: if all warmed up at once, they would slow each other down and delay responses to the
 * coordinator. If turns are necessary, an agent that warmed up while it waited for the run takes no turn.
 * @param after start, relative to the order
 * @param limit maximum length; zero if the agent is already warm, or the host has too many agents for useful turns
 */
public record WarmupTurn(Duration after, Duration limit) {
    /** Minimum length; in less time, JIT compilation does not settle. */
    private static final Duration LEAST = Duration.ofSeconds(1);
    /** Maximum time that a run waits for all turns on a host. */
    private static final Duration MOST = Duration.ofSeconds(40);

    private static final WarmupTurn NONE = new WarmupTurn(Duration.ZERO, Duration.ZERO);

    /**
     * An agent before a run.
     *
     * @param host ID of the agent's host
     * @param cores number of cores of the host
     * @param warm whether the agent has warmed up all engines of the run
     */
    public record Waiting(String host, int cores, boolean warm) {}

    /** The turn of each agent. */
    public static List<WarmupTurn> of(List<Waiting> agents, Duration limit) {
        List<String> hosts = agents.stream().map(Waiting::host).toList();
        List<String> coldHosts = agents.stream().filter(agent -> !agent.warm()).map(Waiting::host).toList();
        Map<String, Integer> before = new HashMap<>();
        List<WarmupTurn> turns = new ArrayList<>();
        for (Waiting agent : agents) {
            int together = Math.max(1, agent.cores());
            boolean crowded = Collections.frequency(hosts, agent.host()) > together;
            if (crowded && agent.warm()) {
                turns.add(NONE);
                continue;
            }
            int number = before.merge(agent.host(), 1, Integer::sum) - 1;
            int sharing = Collections.frequency(crowded ? coldHosts : hosts, agent.host());
            int rounds = (sharing + together - 1) / together;
            Duration shared = limit.dividedBy(rounds);
            Duration each = limit.isZero() || shared.compareTo(LEAST) > 0 ? shared : LEAST;
            boolean tooLong = each.multipliedBy(rounds).compareTo(MOST) > 0;
            turns.add(tooLong ? NONE : new WarmupTurn(each.multipliedBy(number / together), each));
        }
        return turns;
    }
}
