package io.plimsoll.load.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.GroupState.GroupDelivery;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Guards the ledger of a share group's records, including old topics. */
class ShareLedgerTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    /** One bit for each offset below it would take 128 GB. */
    private static final long OLD = 1L << 40;

    private final ShareLedger ledger = new ShareLedger(2);

    private void give(long... offsets) {
        for (long offset : offsets) {
            ledger.given(PARTITION, OLD + offset);
        }
    }

    private boolean settle(long offset, AcknowledgeType type, int delivery) {
        return ledger.settled(PARTITION, OLD + offset, type, delivery);
    }

    @Test
    void givesUpOnlyUnacceptedRecords() {
        give(3, 2, 1, 0);
        ledger.processed(PARTITION, OLD);
        ledger.processed(PARTITION, OLD);
        assertThat(settle(0, AcknowledgeType.ACCEPT, 1)).isFalse();
        assertThat(settle(0, AcknowledgeType.RELEASE, 2)).as("accepted before").isFalse();
        assertThat(settle(1, AcknowledgeType.REJECT, 1)).isTrue();
        assertThat(settle(2, AcknowledgeType.RELEASE, 1)).isFalse();
        assertThat(settle(2, AcknowledgeType.RELEASE, 2)).as("its last").isTrue();
        AuditTrail trail = new AuditTrail(1);
        trail.reading(PARTITION, OLD + 1);
        assertThat(ledger.deliveries("g", Set.of(PARTITION), trail))
                .isEqualTo(List.of(new GroupDelivery("g", "t", 0, 1, 3, Long.MAX_VALUE, null, 2L)));
    }

    /** All of its records were skipped. */
    @Test
    void reportsPartitionWithoutDeliveries() {
        AuditTrail trail = new AuditTrail(1);
        trail.reading(PARTITION, OLD);
        assertThat(ledger.deliveries("g", Set.of(PARTITION), trail))
                .isEqualTo(List.of(new GroupDelivery("g", "t", 0, 0, 0, Long.MAX_VALUE, null, 0L)));
    }
}
