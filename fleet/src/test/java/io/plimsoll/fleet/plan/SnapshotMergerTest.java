package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The seconds of all agents add up, including late ones. */
class SnapshotMergerTest {
    private static final long SECOND = 1_000_000_000L;

    private static Histogram histogram() {
        return new Histogram(1, Latencies.HIGHEST_MICROS, Latencies.DIGITS);
    }

    private static Snapshot snapshot(String worker, long sequence, Latencies response, Phase phase) {
        Counts measured = Counts.Sum.overTime()
                .add(Produced.DUE, response.count())
                .add(Produced.SENT, response.count())
                .add(Produced.ACKNOWLEDGED, response.count())
                .add(Produced.ARRIVED, response.count())
                .add(Produced.RESPONSE_TIME, response)
                .total();
        Counts whole = Counts.Sum.overTime()
                .add(GeneratorUse.CPU_NANOS, 7)
                .add(GeneratorUse.ELAPSED_NANOS, SECOND)
                .add(Produced.BY_PARTITION, "events-0", response.count())
                .total();
        return new Snapshot(
                worker,
                "t",
                sequence,
                phase,
                sequence * SECOND,
                (sequence + 1) * SECOND,
                null,
                null,
                Counts.NONE,
                measured,
                whole,
                new Busiest(worker + "-thread", 0.5),
                List.of(),
                List.of());
    }

    /** Snapshots of workers, and the histogram of a single process for the same load. */
    private record Fleet(Map<String, List<Snapshot>> workers, Histogram everything) {}

    private static Fleet fleet(Random random, int workers, int seconds) {
        Histogram everything = histogram();
        Map<String, List<Snapshot>> all = new HashMap<>();
        for (int w = 0; w < workers; w++) {
            List<Snapshot> own = new ArrayList<>();
            for (int s = 0; s < seconds; s++) {
                Histogram second = histogram();
                for (int n = random.nextInt(50); n > 0; n--) {
                    long micros = 1 + (long) (Math.exp(random.nextGaussian() * 3 + w) * 100) % 100_000_000L;
                    second.recordValue(micros);
                    everything.recordValue(micros);
                }
                own.add(snapshot("w" + w, s, Latencies.of(second), Phase.MEASURE));
            }
            all.put("w" + w, own);
        }
        return new Fleet(all, everything);
    }

    @Property(tries = 60)
    void sumMatchesSingleProcessInAnyOrder(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 6) int workers,
            @ForAll @IntRange(min = 1, max = 8) int seconds) {
        Random random = new Random(seed);
        Fleet fleet = fleet(random, workers, seconds);
        SnapshotMerger merger = new SnapshotMerger("fleet", fleet.workers().keySet());
        List<Snapshot> merged = new ArrayList<>();
        List<String> turns = new ArrayList<>();
        fleet.workers().keySet().forEach(w -> turns.addAll(Collections.nCopies(seconds, w)));
        Collections.shuffle(turns, random);
        Map<String, Integer> sent = new HashMap<>();
        for (String worker : turns) {
            int k = sent.merge(worker, 1, Integer::sum) - 1;
            merged.addAll(merger.add(fleet.workers().get(worker).get(k)));
            if (random.nextInt(4) == 0) {
                merged.addAll(merger.giveUpOn(2));
            }
            if (k == seconds - 1) {
                merged.addAll(merger.ended(worker));
            }
        }
        merged.addAll(merger.giveUpOn(0));
        Latencies sum = merged.stream()
                .map(s -> s.measured().get(Produced.RESPONSE_TIME))
                .reduce(Latencies.EMPTY, Latencies::plus);
        assertThat(sum).isEqualTo(Latencies.of(fleet.everything()));
        for (double percentile : new double[] {1, 50, 90, 99, 99.9, 100}) {
            assertThat(sum.percentileMicros(percentile))
                    .isEqualTo(fleet.everything().getValueAtPercentile(percentile));
        }
        assertThat(merged.stream()
                        .mapToLong(s -> s.measured().get(Produced.ACKNOWLEDGED))
                        .sum())
                .isEqualTo(fleet.everything().getTotalCount());
        assertThat(merged).extracting(Snapshot::sequence).isSorted().doesNotHaveDuplicates();
        for (int i = 1; i < merged.size(); i++) {
            assertThat(merged.get(i).fromNanos()).isEqualTo(merged.get(i - 1).toNanos());
        }
    }

    @Test
    void emitsSecondOnceAllWorkersHaveIt() {
        SnapshotMerger merger = new SnapshotMerger("fleet", Set.of("a", "b"));
        assertThat(merger.add(snapshot("a", 0, Latencies.EMPTY, Phase.MEASURE))).isEmpty();
        List<Snapshot> merged = merger.add(snapshot("b", 0, Latencies.EMPTY, Phase.WARMUP));
        assertThat(merged).hasSize(1);
        assertThat(merged.get(0).phase()).isEqualTo(Phase.WARMUP);
        assertThat(merged.get(0).worker()).isEqualTo("fleet");
        assertThat(merged.get(0).whole().get(GeneratorUse.CPU_NANOS)).isEqualTo(14);
        assertThat(merged.get(0).whole().get(GeneratorUse.ELAPSED_NANOS)).isEqualTo(SECOND);
    }

    private static Snapshot lag(String worker, long sequence, Map<String, Long> lag) {
        Snapshot s = snapshot(worker, sequence, Latencies.EMPTY, Phase.MEASURE);
        return new Snapshot(
                s.worker(),
                s.trial(),
                s.sequence(),
                s.phase(),
                s.fromNanos(),
                s.toNanos(),
                null,
                null,
                s.warmup(),
                s.measured(),
                s.whole().with(Consumed.LAG, lag),
                s.busiest(),
                List.of(),
                List.of());
    }

    @Test
    void sumsLagOfGroupAcrossWorkers() {
        SnapshotMerger merger = new SnapshotMerger("fleet", Set.of("a", "b"));
        merger.add(lag("a", 0, Map.of("g", 5L, "of-a", 1L)));
        assertThat(merger.add(lag("b", 0, Map.of("g", 7L))).get(0).whole().get(Consumed.LAG))
                .isEqualTo(Map.of("g", 12L, "of-a", 1L));
        merger.ended("a");
        // Its last value still applies.
        assertThat(merger.add(lag("b", 1, Map.of("g", 3L))).get(0).whole().get(Consumed.LAG))
                .isEqualTo(Map.of("g", 8L, "of-a", 1L));
        merger.lost("a");
        assertThat(merger.add(lag("b", 2, Map.of("g", 3L))).get(0).whole().get(Consumed.LAG))
                .isEqualTo(Map.of("g", 3L));
    }

    private static Snapshot clients(String worker, Map<String, Double> gauges) {
        Snapshot s = snapshot(worker, 0, Latencies.EMPTY, Phase.MEASURE);
        Observation seen = new Observation("producers-0", "client", 0, SECOND, Map.of("requests", 5.0), gauges);
        return new Snapshot(
                s.worker(),
                s.trial(),
                s.sequence(),
                s.phase(),
                s.fromNanos(),
                s.toNanos(),
                s.clockErrorNanos(),
                s.appendErrorNanos(),
                s.warmup(),
                s.measured(),
                s.whole(),
                s.busiest(),
                List.of(seen),
                List.of());
    }

    @Test
    void sumsClientsAcrossWorkers() {
        SnapshotMerger merger = new SnapshotMerger("fleet", Set.of("a", "b"));
        merger.add(clients("a", Map.of("clients", 4.0, "bufferAvailable", 10.0, "lingerMs", 5.0, "members", 2.0)));
        Observation merged = merger.add(
                        clients("b", Map.of("clients", 3.0, "bufferAvailable", 30.0, "lingerMs", 5.0, "members", 1.0)))
                .get(0)
                .clients()
                .get(0);
        assertThat(merged.sums()).isEqualTo(Map.of("requests", 10.0));
        assertThat(merged.gauges())
                .isEqualTo(Map.of("clients", 7.0, "bufferAvailable", 10.0, "lingerMs", 5.0, "members", 3.0));
    }

    @Test
    void doesNotAwaitEndedWorker() {
        SnapshotMerger merger = new SnapshotMerger("fleet", Set.of("a", "b"));
        merger.add(snapshot("a", 0, Latencies.EMPTY, Phase.MEASURE));
        merger.add(snapshot("a", 1, Latencies.EMPTY, Phase.MEASURE));
        assertThat(merger.ended("b").stream().map(Snapshot::sequence).collect(Collectors.toList()))
                .isEqualTo(IntStream.range(0, 2).mapToObj(Long::valueOf).toList());
    }
}
