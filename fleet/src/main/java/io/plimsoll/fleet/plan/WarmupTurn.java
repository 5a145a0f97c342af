package io.plimsoll.fleet.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When an agent warms up its own code, and for how long at most. Agents of one host take turns, as many at once as the host has
 * cores: all at once would only slow each other down, and would keep the coordinator waiting for answers.
 *
 * @param limit zero if the agents of its host are too many for turns of use
 */
public record WarmupTurn(Duration after, Duration limit) {
    /** In less, the compiler does not settle. */
    private static final Duration LEAST = Duration.ofSeconds(1);
    /** A run does not wait longer for all turns of a host. */
    private static final Duration MOST = Duration.ofSeconds(40);

    private static final WarmupTurn NONE = new WarmupTurn(Duration.ZERO, Duration.ZERO);

    /**
     * @param hosts the host of each agent
     * @param cores of the host of each agent
     */
    public static List<WarmupTurn> of(List<String> hosts, List<Integer> cores, Duration limit) {
        Map<String, Integer> before = new HashMap<>();
        List<WarmupTurn> turns = new ArrayList<>();
        for (int agent = 0; agent < hosts.size(); agent++) {
            int together = Math.max(1, cores.get(agent));
            int number = before.merge(hosts.get(agent), 1, Integer::sum) - 1;
            int rounds = (Collections.frequency(hosts, hosts.get(agent)) + together - 1) / together;
            Duration shared = limit.dividedBy(rounds);
            Duration each = limit.isZero() || shared.compareTo(LEAST) > 0 ? shared : LEAST;
            boolean tooLong = each.multipliedBy(rounds).compareTo(MOST) > 0;
            turns.add(tooLong ? NONE : new WarmupTurn(each.multipliedBy(number / together), each));
        }
        return turns;
    }
}
