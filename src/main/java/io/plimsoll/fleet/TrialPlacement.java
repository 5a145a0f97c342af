package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.plan.Host;
import io.plimsoll.fleet.plan.Placement;
import io.plimsoll.load.Slice;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.run.Worker;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The division of a trial among agents. Immutable. */
final class TrialPlacement {
    private final List<Host> hosts;
    /** The slices of each entry, by host. */
    private final List<List<Slice>> producers = new ArrayList<>();

    private final List<List<Slice>> consumers = new ArrayList<>();
    /** Members of a group, of each consumer entry. */
    private final List<Integer> sizes = new ArrayList<>();

    /** @throws PlimsollException {@link Exit#USAGE} if no host has the labels that are asked for */
    TrialPlacement(Scenario scenario, List<Host> hosts, FleetRules rules) {
        this.hosts = hosts;
        RolePlacement sides =
                scenario.fleet().apart() ? RolePlacement.apart(scenario, hosts, rules) : RolePlacement.ANYWHERE;
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
            List<Integer> left = sides.of(what, sides.consuming(), eligible);
            sizes.add(c.members());
            consumers.add(placement.placeGroups(c.groups(), c.members(), divisible(c), left));
        }
    }

    /** How many records a group has read of those asked for is known exactly where all its members are. */
    private static boolean divisible(ConsumerSpec c) {
        return c.records().isEmpty();
    }

    private List<Integer> eligible(String entry, Map<String, String> on, String option, Map<String, String> labels) {
        List<Integer> eligible = RolePlacement.with(hosts, on, labels);
        if (eligible.isEmpty()) {
            throw new PlimsollException(
                    Exit.USAGE,
                    RolePlacement.with(hosts, on, Map.of()).isEmpty()
                            ? Sentence.of("fleet.noSuchLabels", entry + ".on", new TreeMap<>(on))
                            : Sentence.of(
                                    "fleet.noSuchLabels",
                                    option,
                                    on.isEmpty()
                                            ? new TreeMap<>(labels)
                                            : List.of(new TreeMap<>(labels), new TreeMap<>(on))));
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

    /** How many hosts have a part. */
    long used() {
        return IntStream.range(0, hosts.size()).filter(this::uses).count();
    }

    /** @param said limits of each host, by name */
    Worker.LoadLimits together(Map<String, Worker.LoadLimits> said) {
        List<CalibratedLimit> producing = new ArrayList<>();
        List<CalibratedLimit> consuming = new ArrayList<>();
        for (int host = 0; host < hosts.size(); host++) {
            Worker.LoadLimits limits = said.get(hosts.get(host).name());
            if (limits != null && !producers(host).isEmpty()) {
                producing.add(limits.producers());
            }
            if (limits != null && !consumers(host).isEmpty()) {
                consuming.add(limits.consumers());
            }
        }
        return new Worker.LoadLimits(CalibratedLimit.sum(producing), CalibratedLimit.sum(consuming));
    }

    /** Groups with members on several hosts, by their key: the hosts' names. */
    Map<String, Set<String>> spread() {
        Map<String, Set<String>> spread = new TreeMap<>();
        for (int entry = 0; entry < consumers.size(); entry++) {
            int size = sizes.get(entry);
            for (int host = 0; host < hosts.size(); host++) {
                Slice slice = consumers.get(entry).get(host);
                String part = "consumers-" + entry + "-group-";
                String name = hosts.get(host).name();
                slice.groups(size)
                        .filter(g -> slice.within(g, size).count() < size)
                        .forEach(g -> spread.computeIfAbsent(part + g, k -> new TreeSet<>())
                                .add(name));
            }
        }
        return spread;
    }

    /** A line for each host. */
    List<Sentence> lines() {
        List<Sentence> lines = new ArrayList<>();
        for (int h = 0; h < hosts.size(); h++) {
            List<Sentence> parts = new ArrayList<>(producers(h));
            parts.addAll(consumers(h));
            Sentence.addIf(parts.isEmpty(), parts, "fleet.nothing");
            lines.add(Sentence.of("fleet.partOf", hosts.get(h).name(), parts));
        }
        return lines;
    }

    /** The part that a host has of each producer entry, such as {@code producers[0] clients 0 to 1}. */
    List<Sentence> producers(int host) {
        List<Sentence> parts = new ArrayList<>();
        List<Slice> slices = producersOf(host);
        for (int e = 0; e < slices.size(); e++) {
            if (slices.get(e).count() > 0) {
                parts.add(numbered("client", slices.get(e), "producers[" + e + "]"));
            }
        }
        return parts;
    }

    /** Likewise of each consumer entry, such as {@code consumers[0] group 0 members 0 to 3}. */
    List<Sentence> consumers(int host) {
        List<Sentence> parts = new ArrayList<>();
        List<Slice> slices = consumersOf(host);
        for (int e = 0; e < slices.size(); e++) {
            parts.addAll(groups("consumers[" + e + "]", slices.get(e), sizes.get(e)));
        }
        return parts;
    }

    /** Consecutive whole groups as a range; partial groups by members. */
    private static List<Sentence> groups(String entry, Slice slice, int size) {
        List<Sentence> parts = new ArrayList<>();
        int from = slice.from();
        while (from < slice.to()) {
            Slice members = slice.within(from / size, size);
            int wholes = members.count() == size ? (slice.to() - from) / size : 0;
            parts.add(
                    wholes > 0
                            ? numbered("group", new Slice(from / size, wholes), entry)
                            : numbered("member", members, entry, from / size));
            from += wholes > 0 ? wholes * size : members.count();
        }
        return parts;
    }

    private static Sentence numbered(String unit, Slice slice, Object... of) {
        List<Object> arguments = new ArrayList<>(List.of(of));
        arguments.add(slice.from());
        if (slice.count() > 1) {
            arguments.add(slice.to() - 1);
        }
        return new Sentence("fleet.part." + unit + (slice.count() > 1 ? "s" : ""), arguments);
    }
}
