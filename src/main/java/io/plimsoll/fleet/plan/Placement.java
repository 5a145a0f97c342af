package io.plimsoll.fleet.plan;

import io.plimsoll.engine.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * Spreads the entries of a scenario over hosts in proportion to what these carry: one part (a client, a consumer group)
 * after the other goes to the host that is the least full with it, the first of several. An entry's parts on a host are
 * neighbours, so that each part keeps the number that it would have in one process, and with it its share of the one
 * schedule.
 */
public final class Placement {
    private final List<Host> hosts;
    private final double[] load;

    /** @param hosts one or more */
    public Placement(List<Host> hosts) {
        this.hosts = List.copyOf(hosts);
        this.load = new double[hosts.size()];
    }

    /**
     * Places one more entry.
     *
     * @param parts how many clients or groups the entry has
     * @param weight what each part weighs, more than 0; a group with many members more than a client
     * @param eligible hosts that may have it, by their index; at least one
     * @return of each host, in order, what it has
     */
    public List<Slice> place(int parts, double weight, List<Integer> eligible) {
        if (eligible.isEmpty()) {
            throw new IllegalArgumentException("no host for it");
        }
        int[] counts = new int[hosts.size()];
        for (int i = 0; i < parts; i++) {
            int best = eligible.get(0);
            for (int host : eligible) {
                if (fullWith(host, weight) < fullWith(best, weight)) {
                    best = host;
                }
            }
            counts[best]++;
            load[best] += weight;
        }
        List<Slice> slices = new ArrayList<>();
        int from = 0;
        for (int count : counts) {
            slices.add(new Slice(from, count));
            from += count;
        }
        return slices;
    }

    private double fullWith(int host, double weight) {
        return (load[host] + weight) / hosts.get(host).capacity();
    }
}
