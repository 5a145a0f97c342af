package io.plimsoll.fleet.plan;

import io.plimsoll.load.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Spreads the entries of a scenario over hosts in proportion to their capacity: each part (a client or a group member)
 * is placed on the host that is then least loaded, including this part, or on the first of several such hosts. The
 * parts of an entry on a host are consecutive. Each part keeps the number and the share of the schedule that it has in
 * a single process, and at most one group per host is split.
 */
public final class Placement {
    private static final double ROUNDING = 1e-9;

    private final List<Host> hosts;
    private final double[] load;

    /** @param hosts hosts, at least one */
    public Placement(List<Host> hosts) {
        this.hosts = List.copyOf(hosts);
        this.load = new double[hosts.size()];
    }

    /**
     * Places one more entry of clients with this positive weight on eligible hosts, given by index. Returns the slice
     * of each host, in order.
     */
    public List<Slice> place(int parts, double weight, List<Integer> eligible) {
        return take(dealt(parts, weight, eligible), 1, weight);
    }

    /**
     * Places one more entry of consumer groups on eligible hosts, given by index. Divisible groups are placed member by
     * member if complete groups would load the fullest host more. Returns the members of each host, in order, numbered
     * group by group.
     */
    public List<Slice> placeGroups(int groups, int members, boolean divisible, List<Integer> eligible) {
        int[] whole = dealt(groups, members, eligible);
        int[] single = dealt(groups * members, 1, eligible);
        boolean even = fullest(whole, members, eligible) <= fullest(single, 1, eligible) + ROUNDING;
        return even || !divisible ? take(whole, members, 1) : take(single, 1, 1);
    }

    private int[] dealt(int parts, double weight, List<Integer> eligible) {
        if (eligible.isEmpty()) {
            throw new IllegalArgumentException("no host for it");
        }
        int[] counts = new int[hosts.size()];
        for (int i = 0; i < parts; i++) {
            int best = Collections.min(
                    eligible, Comparator.comparingDouble((Integer h) -> full(h, (counts[h] + 1) * weight)));
            counts[best]++;
        }
        return counts;
    }

    private double fullest(int[] counts, double weight, List<Integer> eligible) {
        return eligible.stream()
                .mapToDouble(host -> full(host, counts[host] * weight))
                .max()
                .orElse(0);
    }

    private double full(int host, double more) {
        return (load[host] + more) / hosts.get(host).capacity();
    }

    /** @param size number of units per part; {@code weight} is the weight of a unit */
    private List<Slice> take(int[] counts, int size, double weight) {
        List<Slice> slices = new ArrayList<>();
        int from = 0;
        for (int host = 0; host < counts.length; host++) {
            int count = counts[host] * size;
            slices.add(new Slice(from, count));
            from += count;
            load[host] += count * weight;
        }
        return slices;
    }

    /**
     * A host for load: its unique name, labels assigned by its owner, such as {@code zone=a}, and its positive capacity
     * relative to other hosts.
     */
    public record Host(String name, Map<String, String> labels, double capacity) {
        public Host {
            labels = Map.copyOf(labels);
            if (!(capacity > 0) || Double.isInfinite(capacity)) {
                throw new IllegalArgumentException("a capacity of " + capacity);
            }
        }

        public boolean has(Map<String, String> wanted) {
            return labels.entrySet().containsAll(wanted.entrySet());
        }
    }
}
