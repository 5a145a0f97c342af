package io.plimsoll.load.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.audit.AuditFindings;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.ProducerTrail;
import io.plimsoll.wire.BatchLayout;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Batches are identified by their header across sequence resets, with any reader. */
class BatchExaminerTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final long PRODUCER_ID = 4711;
    private static final int RECORDS = 1000;

    private final AuditTrail trail = new AuditTrail(1);
    private final ProducerTrail producer =
            trail.producer(new ProducerProfile(0, "producers[0]", true, true, false, true), List.of("t"));
    private final LogReading reading = trail.reading(PARTITION, 0);

    private static ByteBuffer batch(long offset) {
        ByteBuffer batch = ByteBuffer.allocate(BatchLayout.RECORDS);
        batch.putLong(BatchLayout.BASE_OFFSET, offset);
        batch.putInt(BatchLayout.LAST_OFFSET_DELTA, RECORDS - 1);
        batch.putInt(BatchLayout.RECORDS_COUNT, RECORDS);
        batch.putLong(BatchLayout.PRODUCER_ID, PRODUCER_ID);
        batch.putInt(BatchLayout.BASE_SEQUENCE, (int) (offset & Integer.MAX_VALUE));
        return batch;
    }

    private void examine(LogReading sink, long offset) {
        ByteBuffer batch = batch(offset);
        new BatchExaminer(trail).examine(reading.partition(), sink, batch, 0, batch.limit(), true);
    }

    @Test
    void resolvesSequenceWrapAroundsWhenReadingOn() {
        trail.batches(producer, PARTITION, PRODUCER_ID, (short) 0, 0);
        long soFar = 3L << 31;
        producer.sent(soFar + 3 * RECORDS);
        reading.records(0, producer.id(), 0, soFar, 0);
        examine(reading, soFar);
        // The offsets in between are a gap, read later.
        examine(reading, soFar + 2 * RECORDS);
        reading.flush();
        LogReading gap = reading.of(0);
        examine(gap, soFar + RECORDS);
        gap.flush();
        AuditFindings findings = trail.ledger().findings();
        assertThat(findings.all()).isEmpty();
        assertThat(trail.ledger().read(producer.id()).size()).isEqualTo(soFar + 3 * RECORDS);
    }
}
