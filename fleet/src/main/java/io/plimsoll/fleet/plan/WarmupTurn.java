package io.plimsoll.fleet.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When an agent warms up its own code, and for how long at most. Agents of one host take turns, as many at once as the host has
 * cores: all at once would only slow each other down, and would keep the coordinator waiting for answers. Where they would
 * have to take turns, an agent that warmed up while it waited for the run takes none.
 *
 * @param limit zero for none: warm already, or the agents of its host are too many for turns of use
 */
public record WarmupTurn(Duration after, Duration limit) {
    /** In less, the compiler does not settle. */
    private static final Duration LEAST = Duration.ofSeconds(1);
    /** A run does not wait longer for all turns of a host. */
    private static final Duration MOST = Duration.ofSeconds(40);

    private static final WarmupTurn NONE = new WarmupTurn(Duration.ZERO, Duration.ZERO);

    /**
     * An agent before a run.
     *
     * @param host an id
     * @param cores of its host
     * @param warm whether it has warmed up all engines of the run
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
