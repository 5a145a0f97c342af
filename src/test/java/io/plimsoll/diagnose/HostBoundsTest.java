package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.plimsoll.diagnose.HostBounds.Ground;
import io.plimsoll.result.HostBound;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** 3 MB/s of records of 1000 bytes, and the resources of this host that they need. */
class HostBoundsTest {
    private static final double EXACT = 1e-9;

    private static Planted load() {
        Planted planted = new Planted();
        // Sixteen records per batch: each takes 1100 bytes of it.
        planted.bytesPerBatch = 17_600;
        return planted;
    }

    private static List<HostBound> here(Planted planted, Map<String, Integer> copies, Map<String, Double> readers) {
        return HostBounds.of(planted.trial(), new Ground(true, 8, 100e6, 1e9, 125e6, copies, readers));
    }

    private static void assertBound(HostBound bound, String resource, double limit, double used) {
        assertThat(bound.resource()).isEqualTo(resource);
        assertThat(bound.limitBytesPerSecond()).isCloseTo(limit, withPercentage(EXACT));
        assertThat(bound.usedBytesPerSecond()).isCloseTo(used, withPercentage(EXACT));
        assertThat(bound.share()).isCloseTo(used / limit, withPercentage(EXACT));
        assertThat(bound.allowsBytesPerSecond()).isCloseTo(3e6 / (used / limit), withPercentage(EXACT));
        assertThat(bound.allowsRecordsPerSecond()).isCloseTo(3_000 / (used / limit), withPercentage(EXACT));
    }

    @Test
    void countsReplicaWritesOnDiskAndReadersOnLoopback() {
        List<HostBound> bounds = here(load(), Map.of("orders", 3), Map.of("orders", 2.0));
        assertThat(bounds).hasSize(2);
        assertBound(bounds.get(0), HostBound.DISK, 100e6, 3e6 * 1.1 * 3);
        assertBound(bounds.get(1), HostBound.LOOPBACK, 4e9, 3e6 * 1.1 * 5);
    }

    @Test
    void countsCompressedBytes() {
        Planted planted = load();
        planted.bytesPerBatch = 4_000;
        assertBound(here(planted, Map.of(), Map.of()).get(0), HostBound.DISK, 100e6, 3e6 * 0.25);
    }

    @Test
    void weighsTopicsByProducedRecords() {
        Planted planted = load();
        planted.partitions.clear();
        planted.partitions.add(new PartitionResult("safe", 0, 1, 30_000, 0, null, null));
        planted.partitions.add(new PartitionResult("plain", 0, 1, 10_000, 0, null, null));
        List<HostBound> bounds = here(planted, Map.of("safe", 3, "plain", 1), Map.of("plain", 4.0));
        assertBound(bounds.get(0), HostBound.DISK, 100e6, 3e6 * 1.1 * 2.5);
        assertBound(bounds.get(1), HostBound.LOOPBACK, 4e9, 3e6 * 1.1 * 3.5);
    }

    @Test
    void boundsEachLinkDirectionForRemoteBrokers() {
        Ground far = new Ground(false, 8, 100e6, 1e9, 125e6, Map.of("orders", 3), Map.of("orders", 2.0));
        List<HostBound> bounds = HostBounds.of(load().trial(), far);
        assertThat(bounds).hasSize(2);
        assertBound(bounds.get(0), HostBound.LINK_OUT, 125e6, 3e6 * 1.1);
        assertBound(bounds.get(1), HostBound.LINK_IN, 125e6, 3e6 * 1.1 * 2);
    }

    @Test
    void unmeasuredResourcesHaveNoBound() {
        Ground unknown = new Ground(true, 8, null, null, null, Map.of(), Map.of());
        assertThat(HostBounds.of(load().trial(), unknown)).isEmpty();
        Ground far = new Ground(false, 8, 100e6, 1e9, null, Map.of(), Map.of());
        assertThat(HostBounds.of(load().trial(), far)).isEmpty();
    }

    @Test
    void sentenceStatesUsageAndAllowedRate() {
        Ground ground = new Ground(true, 2, 4.02e6, null, null, Map.of(), Map.of());
        assertThat(HostBounds.of(load().trial(), ground).get(0).sentence().english())
                .isEqualTo(Sentence.of("diagnose.bound.disk", "82 %", "3.3 MB/s", "4.02 MB/s", "3.65 MB/s")
                        .english());
        Ground slow = new Ground(true, 2, 3e6, null, null, Map.of(), Map.of());
        assertThat(HostBounds.of(load().trial(), slow).get(0).sentence())
                .satisfies(s -> assertThat(s.key()).isEqualTo("diagnose.bound.diskCached"))
                .satisfies(s -> assertThat(s.arguments()).contains("110 %"));
    }
}
