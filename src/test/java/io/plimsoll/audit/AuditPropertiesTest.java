package io.plimsoll.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;

/** The audit against models that keep every record in a set. */
class AuditPropertiesTest {

    @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
    void matchesModelForEveryHistory(@ForAll long seed) throws IOException {
        assertThat(new History(seed).audited()).isEqualTo(new History(seed).expected());
    }

    @Tag("nightly")
    @Property(tries = 200_000, shrinking = ShrinkingMode.OFF)
    void matchesModelForRareHistories(@ForAll long seed) throws IOException {
        matchesModelForEveryHistory(seed);
    }

    /** Every verdict must occur; otherwise the property above would prove nothing about it. */
    @Property(tries = 1)
    void historiesCoverEveryVerdictOnRecords() {
        java.util.Set<Verdict> seen = java.util.EnumSet.noneOf(Verdict.class);
        for (long seed = 0; seed < 2_000; seed++) {
            seen.addAll(new History(seed).expected().counts().keySet());
        }
        // Gaps are found by reading, not by records.
        assertThat(seen).containsAll(java.util.EnumSet.complementOf(java.util.EnumSet.of(Verdict.OFFSET_GAP)));
    }

    @Property(tries = 2_000, shrinking = ShrinkingMode.OFF)
    void sequenceSetMatchesBitSetModel(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SequenceSet set = new SequenceSet();
        BitSet model = new BitSet();
        int reach = 1 << (4 + random.nextInt(12));
        for (int i = 0; i < 60; i++) {
            int first = random.nextInt(reach);
            int count = random.nextInt(random.nextBoolean() ? 5 : reach);
            int before = model.cardinality();
            model.set(first, first + count);
            assertThat(set.add(first, count)).isEqualTo(model.cardinality() - before);
            assertThat(set.size()).isEqualTo(model.cardinality());
            int at = random.nextInt(2 * reach);
            int present = model.nextSetBit(at);
            assertThat(set.nextPresent(at)).isEqualTo(present < 0 ? Long.MAX_VALUE : present);
            assertThat(set.nextAbsent(at)).isEqualTo(model.nextClearBit(at));
            assertThat(set.contains(at)).isEqualTo(model.get(at));
        }
        AtomicLong sum = new AtomicLong();
        long all = SequenceSet.ranges(
                new SequenceSet[] {set},
                new SequenceSet[0],
                SequenceSet.LIMIT,
                (first, end) -> sum.addAndGet(end - first));
        assertThat(all).isEqualTo(model.cardinality()).isEqualTo(sum.get());
    }

    @Property(tries = 1)
    void setWithFewGapsStaysSmall() {
        SequenceSet set = new SequenceSet();
        for (long batch = 0; batch < 1_000_000; batch++) {
            if (batch % 100_000 != 7) {
                set.add(batch * 150, 150);
            }
        }
        assertThat(set.size()).isEqualTo(150L * 999_990);
        assertThat(set.memoryBytes()).isLessThan(600_000);
    }
}
