package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.AuditResult;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Audit of acknowledged records by the growth of a log. */
class OffsetAuditTest {
    private static final Map<String, Long> NO_MARKERS = Map.of();

    /** For a topic with two partitions. */
    private static LogEnds ends(String topicId, Map<String, Long> offsets) {
        return new LogEnds(offsets, Map.of("t", topicId), Map.of("t", 2));
    }

    private static LogEnds ends(Map<String, Long> offsets) {
        return ends("A", offsets);
    }

    @Test
    void logGrownByAcknowledgedRecordsHasNoLoss() {
        AuditResult audit = LogEnds.audit(
                ends(Map.of("t-0", 10L, "t-1", 0L)),
                ends(Map.of("t-0", 15L, "t-1", 7L)),
                Map.of("t-0", 5L, "t-1", 7L),
                NO_MARKERS,
                3);
        assertThat(audit.counts().acknowledged()).isEqualTo(12);
        assertThat(audit.counts().read()).isEqualTo(12);
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.counts().unknown()).isEqualTo(3);
        assertThat(audit.complete()).isTrue();
        assertThat(audit.findings()).isEmpty();
    }

    @Test
    void surplusDoesNotHideLossInAnotherPartition() {
        AuditResult audit = LogEnds.audit(
                ends(Map.of("t-0", 0L, "t-1", 0L)),
                ends(Map.of("t-0", 8L, "t-1", 12L)),
                Map.of("t-0", 10L, "t-1", 10L),
                NO_MARKERS,
                0);
        assertThat(audit.counts().lost()).isEqualTo(2);
        assertThat(audit.findings()).singleElement().asString().contains("2 of 10", "t-0");
    }

    @Test
    void markersDoNotCountAsRecords() {
        AuditResult audit = LogEnds.audit(
                ends(Map.of("t-0", 0L)), ends(Map.of("t-0", 12L)), Map.of("t-0", 11L), Map.of("t-0", 2L), 0);
        assertThat(audit.counts().lost()).isEqualTo(1);
    }

    @Test
    void isIncompleteIfEndOfWrittenPartitionIsUnknown() {
        LogEnds one = ends(Map.of("t-0", 0L));
        assertThat(LogEnds.audit(one, one, Map.of("t-0", 0L, "t-1", 0L), NO_MARKERS, 0)
                        .complete())
                .isTrue();
        assertThat(LogEnds.audit(one, one, Map.of("t-0", 0L, "t-1", 1L), NO_MARKERS, 0)
                        .complete())
                .isFalse();
    }

    @Test
    void addedPartitionStartsAtZero() {
        LogEnds before = ends(Map.of("t-0", 5L, "t-1", 5L));
        LogEnds after = ends(Map.of("t-0", 7L, "t-1", 5L, "t-2", 6L));
        AuditResult audit =
                LogEnds.audit(before, after, Map.of("t-0", 2L, "t-2", 10L, "t-3", 0L), Map.of("t-2", 1L), 0);
        assertThat(audit.counts().acknowledged()).isEqualTo(12);
        assertThat(audit.counts().lost()).isEqualTo(5);
        assertThat(audit.complete()).isTrue();
        LogEnds without = ends(Map.of("t-0", 7L, "t-1", 5L));
        assertThat(LogEnds.audit(before, without, Map.of("t-2", 10L), NO_MARKERS, 0)
                        .complete())
                .isFalse();
    }

    @Test
    void recreatedTopicMakesAuditIncomplete() {
        AuditResult audit =
                LogEnds.audit(ends(Map.of("t-0", 5L)), ends("B", Map.of("t-0", 9L)), Map.of("t-0", 4L), NO_MARKERS, 0);
        assertThat(audit.complete()).isFalse();
        assertThat(audit.counts().lost()).isZero();
    }
}
