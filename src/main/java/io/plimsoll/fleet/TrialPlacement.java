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
import java.util.StringJoiner;

/** Which agent has what of a trial. Immutable. */
final class TrialPlacement {
    private final List<Host> hosts;
    /** Of each entry, of each host. */
    private final List<List<Slice>> producers = new ArrayList<>();

    private final List<List<Slice>> consumers = new ArrayList<>();

    /** @throws PlimsollException {@link Exit#USAGE} if no host has the labels that are asked for */
    TrialPlacement(Scenario scenario, List<Host> hosts, FleetRules rules) {
        this.hosts = hosts;
        Placement placement = new Placement(hosts);
        List<Integer> producing = eligible("--producers-on", rules.producersOn());
        for (ProducerSpec p : scenario.producers()) {
            producers.add(placement.place(p.clients(), p.threads(), producing));
        }
        List<Integer> consuming = eligible("--consumers-on", rules.consumersOn());
        for (ConsumerSpec c : scenario.consumers()) {
            consumers.add(placement.place(c.groups(), c.members(), consuming));
        }
    }

    private List<Integer> eligible(String option, Map<String, String> labels) {
        List<Integer> eligible = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            if (hosts.get(i).has(labels)) {
                eligible.add(i);
            }
        }
        if (eligible.isEmpty()) {
            throw new PlimsollException(
                    Exit.USAGE, option + ": no agent has the labels " + labels + "; see 'plimsoll fleet status'");
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
            StringJoiner parts = new StringJoiner(", ");
            parts.setEmptyValue("nothing");
            add(parts, "producers", " clients ", producersOf(h));
            add(parts, "consumers", " groups ", consumersOf(h));
            lines.add(hosts.get(h).name() + ": " + parts);
        }
        return lines;
    }

    private static void add(StringJoiner parts, String what, String unit, List<Slice> slices) {
        for (int e = 0; e < slices.size(); e++) {
            Slice slice = slices.get(e);
            if (slice.count() > 0) {
                String which = slice.count() == 1 ? "" + slice.from() : slice.from() + " to " + (slice.to() - 1);
                parts.add(what + "[" + e + "]" + unit + which);
            }
        }
    }
}
