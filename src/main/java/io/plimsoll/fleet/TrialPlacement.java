package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.engine.Slice;
import io.plimsoll.fleet.plan.Host;
import io.plimsoll.fleet.plan.Placement;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which agent has what of a trial. Immutable. */
final class TrialPlacement {
    private final List<Host> hosts;
    /** Of each entry, of each host. */
    private final List<List<Slice>> producers = new ArrayList<>();

    private final List<List<Slice>> consumers = new ArrayList<>();

    /** @throws PlimsollException {@link Exit#USAGE} if no host has the labels that are asked for */
    TrialPlacement(Scenario scenario, List<Host> hosts, FleetRules rules) {
        this.hosts = hosts;
        Sides sides = scenario.fleet().apart() ? Sides.apart(scenario, hosts, rules) : Sides.ANYWHERE;
        Placement placement = new Placement(hosts);
        int entry = 0;
        for (ProducerSpec p : scenario.producers()) {
            String what = "producers[" + entry++ + "]";
            List<Integer> eligible = eligible(what, p.on(), "--producers-on", rules.producersOn());
            producers.add(placement.place(p.clients(), p.threads(), sides.of(what, sides.producing(), eligible)));
        }
        entry = 0;
        for (ConsumerSpec c : scenario.consumers()) {
            String what = "consumers[" + entry++ + "]";
            List<Integer> eligible = eligible(what, c.on(), "--consumers-on", rules.consumersOn());
            consumers.add(placement.place(c.groups(), c.members(), sides.of(what, sides.consuming(), eligible)));
        }
    }

    private List<Integer> eligible(String entry, Map<String, String> on, String option, Map<String, String> labels) {
        List<Integer> eligible = Sides.with(hosts, on, labels);
        if (eligible.isEmpty()) {
            throw new PlimsollException(
                    Exit.USAGE,
                    Sides.with(hosts, on, Map.of()).isEmpty()
                            ? entry + ".on: no agent has the labels " + new TreeMap<>(on)
                                    + "; see 'plimsoll fleet status'"
                            : option + ": no agent has the labels " + new TreeMap<>(labels)
                                    + (on.isEmpty() ? "" : " and " + new TreeMap<>(on))
                                    + "; see 'plimsoll fleet status'");
        }
        return eligible;
    }

    List<Slice> producersOf(int host) {
        return producers.stream().map(e -> e.get(host)).toList();
    }

    List<Slice> consumersOf(int host) {
        return consumers.stream().map(e -> e.get(host)).toList();
    }

    boolean uses(int host) {
        return producersOf(host).stream().anyMatch(s -> s.count() > 0)
                || consumersOf(host).stream().anyMatch(s -> s.count() > 0);
    }

    /** A line for each host. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int h = 0; h < hosts.size(); h++) {
            List<String> parts = new ArrayList<>(producers(h));
            parts.addAll(consumers(h));
            lines.add(hosts.get(h).name() + ": " + (parts.isEmpty() ? "nothing" : String.join(", ", parts)));
        }
        return lines;
    }

    /** What a host has of each producer entry, such as {@code producers[0] clients 0 to 1}. */
    List<String> producers(int host) {
        return parts("producers", " client", producersOf(host));
    }

    /** Likewise of each consumer entry. */
    List<String> consumers(int host) {
        return parts("consumers", " group", consumersOf(host));
    }

    private static List<String> parts(String what, String unit, List<Slice> slices) {
        List<String> parts = new ArrayList<>();
        for (int e = 0; e < slices.size(); e++) {
            Slice slice = slices.get(e);
            if (slice.count() > 0) {
                String which =
                        slice.count() == 1 ? " " + slice.from() : "s " + slice.from() + " to " + (slice.to() - 1);
                parts.add(what + "[" + e + "]" + unit + which);
            }
        }
        return parts;
    }
}
