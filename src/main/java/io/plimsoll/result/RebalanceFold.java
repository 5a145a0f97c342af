package io.plimsoll.result;

import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.Observation;
import io.plimsoll.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Cost of rebalances, from the assignments of partitions. Used by one thread. */
public final class RebalanceFold {
    /** Prefix of the coordinator's state of a group, before its name. */
    public static final String COORDINATED = "coordinator of ";
    /** How long it was not stable, in seconds. */
    public static final String UNSTABLE = "unstableSeconds";

    private final List<HandOver> handOvers = new ArrayList<>();
    private final List<Observation> coordinated = new ArrayList<>();

    void accept(List<HandOver> more) {
        handOvers.addAll(more);
    }

    void accept(Observation o) {
        if (o.what().startsWith(COORDINATED)) {
            coordinated.add(o);
        }
    }

    /**
     * The price of the rebalances of some time.
     *
     * @param toNanos when the next fault was asked for, or the load ended
     * @return null without any
     */
    FaultResult.Rebalance between(long fromNanos, long toNanos) {
        List<HandOver> within = handOvers.stream()
                .filter(h -> h.givenNanos() >= fromNanos && h.givenNanos() < toNanos)
                .toList();
        if (within.isEmpty()) {
            return null;
        }
        Map<String, Double> silent = new TreeMap<>();
        within.forEach(h -> silent.merge(h.partition(), (h.toNanos() - h.fromNanos()) / 1e9, Double::sum));
        double unstable = coordinated.stream()
                .filter(o -> o.toNanos() >= fromNanos && o.toNanos() < toNanos)
                .mapToDouble(o -> o.sums().getOrDefault(UNSTABLE, 0.0))
                .sum();
        double[] each = silent.values().stream().mapToDouble(s -> s).toArray();
        LongStream silences = within.stream().mapToLong(h -> h.toNanos() - h.fromNanos());
        long last = within.stream().mapToLong(HandOver::givenNanos).max().orElse(fromNanos);
        return new FaultResult.Rebalance(
                silent.size(),
                FaultsFold.seconds(silences.max().orElse(0)),
                FaultsFold.rounded(Spread.median(each)),
                FaultsFold.rounded(DoubleStream.of(each).sum()),
                within.stream().mapToLong(HandOver::again).sum(),
                FaultsFold.seconds(last - fromNanos),
                FaultsFold.rounded(unstable));
    }
}
