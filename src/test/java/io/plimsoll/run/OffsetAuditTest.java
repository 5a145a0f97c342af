package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.AuditResult;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Guards what the growth of a log says of the records that were acknowledged. */
class OffsetAuditTest {
    private static final Map<String, Long> NO_MARKERS = Map.of();

    @Test
    void aLogThatGrewByWhatWasAcknowledgedHasLostNothing() {
        AuditResult audit = OffsetAudit.audit(
                Map.of("t-0", 10L, "t-1", 0L),
                Map.of("t-0", 15L, "t-1", 7L),
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
    void whatIsMissingInOnePartitionIsNotMadeUpForByAnother() {
        AuditResult audit = OffsetAudit.audit(
                Map.of("t-0", 0L, "t-1", 0L),
                Map.of("t-0", 8L, "t-1", 12L),
                Map.of("t-0", 10L, "t-1", 10L),
                NO_MARKERS,
                0);
        assertThat(audit.counts().lost()).isEqualTo(2);
        assertThat(audit.findings()).singleElement().asString().contains("2 of 10", "t-0");
    }

    @Test
    void markersTakeOffsetsAndAreNoRecords() {
        AuditResult audit =
                OffsetAudit.audit(Map.of("t-0", 0L), Map.of("t-0", 12L), Map.of("t-0", 11L), Map.of("t-0", 2L), 0);
        assertThat(audit.counts().lost()).isEqualTo(1);
    }

    @Test
    void aPartitionWhoseEndNobodyKnowsMakesItIncompleteIfAnythingWentThere() {
        Map<String, Long> one = Map.of("t-0", 0L);
        assertThat(OffsetAudit.audit(one, one, Map.of("t-0", 0L, "t-9", 0L), NO_MARKERS, 0)
                        .complete())
                .isTrue();
        assertThat(OffsetAudit.audit(one, one, Map.of("t-0", 0L, "t-9", 1L), NO_MARKERS, 0)
                        .complete())
                .isFalse();
    }
}
