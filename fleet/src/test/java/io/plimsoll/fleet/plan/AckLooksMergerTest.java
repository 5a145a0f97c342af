package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.AckPulse.AckPulses;
import io.plimsoll.measure.AckPulse.Silence;
import io.plimsoll.measure.Quiet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Gaps in acknowledgments are merged over agents, without the one that lags behind. */
class AckLooksMergerTest {
    private static final long MILLI = 1_000_000;

    /** Output of a sampler for these acknowledgments (ns since the start) up to a poll. */
    private static List<AckLooks> looks(List<Long> acks, int lastLook) {
        List<AckLooks> told = new ArrayList<>();
        List<Long> last = new ArrayList<>();
        List<Long> counts = new ArrayList<>();
        Quiet.Looking quiet = new Quiet.Looking();
        int first = 1;
        for (int k = 1; k <= lastLook; k++) {
            long now = k * AckLooks.LOOK_NANOS;
            last.add(last(acks, now));
            quiet.look(Map.of(
                    "t-0", last(of(acks, 0), now),
                    "t-1", last(of(acks, 1), now)));
            if (k % AckLooks.LOOKS_PER_BUCKET == 0 || k == lastLook) {
                int bucket = (k - 1) / AckLooks.LOOKS_PER_BUCKET;
                long from = (long) bucket * AckLooks.LOOKS_PER_BUCKET * AckLooks.LOOK_NANOS;
                counts.add(acks.stream().filter(a -> a > from && a <= now).count());
            }
            if (k % AckLooks.LOOKS == 0 || k == lastLook) {
                told.add(new AckLooks(first, last, counts, quiet.until(now), Map.of(), k == lastLook));
                first = k + 1;
                last.clear();
                counts.clear();
            }
        }
        return told;
    }

    private static long last(List<Long> acks, long now) {
        return acks.stream().filter(a -> a <= now).max(Long::compare).orElse(0L);
    }

    /** The acknowledgments in one of two partitions. */
    private static List<Long> of(List<Long> acks, int partition) {
        return acks.stream().filter(a -> a % 2 == partition).toList();
    }

    private static List<AckPulse> pulses(List<AckLooks> looks) {
        AckPulses pulses = new AckPulses();
        return looks.stream().map(pulses::of).toList();
    }

    @Property(tries = 100)
    void mergedLooksMatchSingleObserver(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 5) int workers,
            @ForAll @IntRange(min = 0, max = 40) int acks) {
        Random random = new Random(seed);
        List<Long> all = new ArrayList<>();
        List<List<AckLooks>> told = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            List<Long> own = new ArrayList<>();
            for (int i = 0; i < acks; i++) {
                own.add(1 + (random.nextLong() & Long.MAX_VALUE) % (3500 * MILLI));
            }
            all.addAll(own);
            told.add(looks(own, 350));
        }
        AckLooksMerger merger = new AckLooksMerger(names(workers));
        List<Integer> turns = new ArrayList<>();
        for (int w = 0; w < workers; w++) {
            turns.addAll(Collections.nCopies(told.get(w).size(), w));
        }
        Collections.shuffle(turns, random);
        int[] sent = new int[workers];
        List<AckLooks> merged = new ArrayList<>();
        turns.forEach(w -> merged.addAll(merger.add("w" + w, told.get(w).get(sent[w]++))));
        assertThat(pulses(merged))
                .usingRecursiveComparison()
                .ignoringFields("silences")
                .isEqualTo(pulses(looks(all, 350)));
        assertAlike(ended(pulses(merged)), truth(all, 3500 * MILLI));
        assertAlike(truth(all, 3500 * MILLI), ended(pulses(merged)));
    }

    /** Final silences: one in progress is reported again with a later end. */
    private static List<Silence> ended(List<AckPulse> pulses) {
        Map<String, Silence> last = new TreeMap<>();
        pulses.forEach(p -> p.silences().forEach(s -> last.put(s.partition() + " " + s.fromNanos(), s)));
        return List.copyOf(last.values());
    }

    /** The stretches without an acknowledgment in each partition, from the acknowledgments themselves. */
    private static List<Silence> truth(List<Long> acks, long endNanos) {
        List<Silence> silences = new ArrayList<>();
        for (int partition = 0; partition < 2; partition++) {
            long from = 0;
            List<Long> to = new ArrayList<>(of(acks, partition));
            to.add(endNanos);
            Collections.sort(to);
            for (long t : to) {
                silences.add(new Silence("t-" + partition, from, t));
                from = t;
            }
        }
        return silences;
    }

    /** Each clearly long silence has a counterpart, to the accuracy of the polling interval. */
    private static void assertAlike(List<Silence> some, List<Silence> others) {
        assertThat(some)
                .filteredOn(s -> s.toNanos() - s.fromNanos() >= 220 * MILLI)
                .allSatisfy(s -> assertThat(others)
                        .anyMatch(o -> o.partition().equals(s.partition())
                                && Math.abs(o.fromNanos() - s.fromNanos()) <= AckLooks.LOOK_NANOS
                                && Math.abs(o.toNanos() - s.toNanos()) <= AckLooks.LOOK_NANOS));
    }

    private static Set<String> names(int workers) {
        return new java.util.HashSet<>(java.util.stream.IntStream.range(0, workers)
                .mapToObj(w -> "w" + w)
                .toList());
    }

    @Test
    void outageIsOverlapOfAllGaps() {
        // Each one has a gap of 1 s, and for 400 ms both have.
        List<Long> a = new ArrayList<>();
        List<Long> b = new ArrayList<>();
        for (long at = 5; at < 2000; at += 5) {
            if (at <= 500 || at >= 1500) {
                a.add(at * MILLI);
            }
            if (at <= 1100 || at >= 1900) {
                b.add(at * MILLI);
            }
        }
        AckLooksMerger merger = new AckLooksMerger(Set.of("a", "b"));
        List<AckLooks> merged = new ArrayList<>();
        looks(a, 200).forEach(l -> merged.addAll(merger.add("a", l)));
        assertThat(merged).isEmpty();
        looks(b, 200).forEach(l -> merged.addAll(merger.add("b", l)));
        long longest = pulses(merged).stream()
                .mapToLong(p -> p.gapToNanos() - p.gapFromNanos())
                .max()
                .orElseThrow();
        assertThat(longest).isBetween(390 * MILLI, 410 * MILLI);
    }

    @Test
    void doesNotAwaitLostAgent() {
        AckLooksMerger merger = new AckLooksMerger(Set.of("a", "b"));
        List<AckLooks> a = looks(List.of(5 * MILLI), 120);
        assertThat(merger.add("a", a.get(0))).isEmpty();
        assertThat(merger.ended("b")).containsExactly(a.get(0));
        assertThat(merger.add("a", a.get(1))).containsExactly(a.get(1));
        assertThat(merger.add("stranger", a.get(1))).isEmpty();
    }
}
