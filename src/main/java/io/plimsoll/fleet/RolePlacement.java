package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.plan.Host;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The hosts that may produce and those that may consume, by their index.
 *
 * @param producing null: any
 * @param consuming null: any
 */
record RolePlacement(Set<Integer> producing, Set<Integer> consuming) {
    static final RolePlacement ANYWHERE = new RolePlacement(null, null);

    /** Hosts with all of these labels. */
    static List<Integer> with(List<Host> hosts, Map<String, String> on, Map<String, String> labels) {
        return IntStream.range(0, hosts.size())
                .filter(i -> hosts.get(i).has(on) && hosts.get(i).has(labels))
                .boxed()
                .toList();
    }

    /**
     * Separates producer hosts from consumer hosts: hosts that fit both roles go, largest first, to the role with the least
     * capacity per thread.
     *
     * @throws PlimsollException {@link Exit#USAGE} for too few hosts
     */
    static RolePlacement apart(Scenario scenario, List<Host> hosts, FleetRules rules) {
        if (scenario.producers().isEmpty() || scenario.consumers().isEmpty()) {
            return ANYWHERE;
        }
        Set<Integer> producing = new TreeSet<>();
        scenario.producers().forEach(p -> producing.addAll(with(hosts, p.on(), rules.producersOn())));
        Set<Integer> consuming = new TreeSet<>();
        scenario.consumers().forEach(c -> consuming.addAll(with(hosts, c.on(), rules.consumersOn())));
        Set<Integer> both = new TreeSet<>(producing);
        both.retainAll(consuming);
        producing.removeAll(both);
        consuming.removeAll(both);
        double senders = scenario.producers().stream()
                .mapToInt(ProducerSpec::totalThreads)
                .sum();
        double readers = scenario.consumers().stream()
                .mapToInt((ConsumerSpec c) -> c.groups() * c.members())
                .sum();
        List<Integer> greatestFirst = both.stream()
                .sorted(Comparator.comparing((Integer i) -> -hosts.get(i).capacity()))
                .toList();
        for (int host : greatestFirst) {
            boolean sends = capacity(hosts, producing) / senders <= capacity(hosts, consuming) / readers;
            (sends ? producing : consuming).add(host);
        }
        Exit.USAGE.when(producing.isEmpty() || consuming.isEmpty(), "fleet.notEnoughApart");
        return new RolePlacement(producing, consuming);
    }

    private static double capacity(List<Host> hosts, Set<Integer> of) {
        return of.stream().mapToDouble(i -> hosts.get(i).capacity()).sum();
    }

    /** @throws PlimsollException {@link Exit#USAGE} if none is left for an entry */
    List<Integer> of(String entry, Set<Integer> side, List<Integer> eligible) {
        List<Integer> left = side == null
                ? eligible
                : eligible.stream().filter(side::contains).toList();
        Exit.USAGE.when(left.isEmpty(), "fleet.noneApart", entry);
        return left;
    }
}
