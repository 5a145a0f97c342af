package io.plimsoll.load;

import io.plimsoll.audit.Deliveries;
import io.plimsoll.audit.LogReading;
import io.plimsoll.measure.Polls;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.payload.Stamp;
import io.plimsoll.wire.ClientInternals;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Counts, measures and audits the records that a member polled with the official client. Used by the member's thread.
 * @param source start of end-to-end latency
 * @param runId run ID of the stamps that count
 * @param feed receives the records for the audit; null if the audit reads the log itself
 * @param work simulated work per record
 * @param check of record contents
 * @param polls figures about the member's polls
 */
public record RecordIntake(
        GroupState group,
        ReceiveMeter meter,
        EndToEndSource source,
        long runId,
        ReadWindow window,
        @Nullable AuditTrail feed,
        @Nullable Work work,
        @Nullable SchemaCheck check,
        Polls polls) {
    /** @param now time at which the poll returned, in nanoTime */
    public void take(ConsumerRecords<ByteBuffer, ByteBuffer> records, long now) {
        records.partitions().forEach(partition -> take(partition, records.records(partition), now));
    }

    /**
     * Processes polled records and counts each record when its work is done.
     * @return false if interrupted
     */
    public boolean workOn(Work own, ConsumerRecords<ByteBuffer, ByteBuffer> records, Waiter waiter) {
        own.begin(records.count());
        for (TopicPartition partition : records.partitions()) {
            for (ConsumerRecord<ByteBuffer, ByteBuffer> record : records.records(partition)) {
                if (!own.next()) {
                    return false;
                }
                if (own.failed()) {
                    meter.count("workFailures", 1);
                }
                take(partition, List.of(record), waiter.nanoTime());
            }
        }
        return true;
    }

    /**
     * Counts records of one partition.
     * @param now time at which they were received or processed, in nanoTime
     */
    public void take(TopicPartition partition, List<ConsumerRecord<ByteBuffer, ByteBuffer>> list, long now) {
        TrialClock clock = window.clock();
        long bytes = 0;
        int mine = group.claim(list.size(), now);
        for (int i = 0; i < mine; i++) {
            ConsumerRecord<ByteBuffer, ByteBuffer> record = list.get(i);
            bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
            endToEnd(record, clock, now);
            if (check != null) {
                check.take(record.value(), meter);
            }
        }
        group.handOvers().read(partition, list, now);
        audit(partition, list);
        boolean first =
                group.consumed(partition, mine, list.get(list.size() - 1).offset() + 1);
        if (first && window.heldBack()) {
            meter.count("firstRecords", 1);
            meter.count("firstRecordMicros", Math.max(0, now - window.openedNanos()) / 1000);
        }
        meter.received(mine, bytes, window.measured(now), window.inWindow(now), now);
    }

    private void audit(TopicPartition partition, List<ConsumerRecord<ByteBuffer, ByteBuffer>> list) {
        Deliveries deliveries = group.deliveries(partition);
        if (deliveries != null) {
            deliver(deliveries, list);
        }
        LogReading reading = feed == null ? null : feed.reading(partition);
        if (reading == null) {
            return;
        }
        synchronized (reading) {
            for (ConsumerRecord<ByteBuffer, ByteBuffer> record : list) {
                ByteBuffer value = record.value();
                int at = value == null ? 0 : value.position();
                int bytes = value == null ? -1 : value.remaining();
                reading.record(record.offset(), value, at, bytes, record.timestamp());
            }
            reading.flush();
        }
    }

    private static void deliver(Deliveries deliveries, List<ConsumerRecord<ByteBuffer, ByteBuffer>> list) {
        long first = list.get(0).offset();
        if (list.get(list.size() - 1).offset() - first == list.size() - 1) {
            deliveries.processed(first, list.size());
        } else {
            list.forEach(record -> deliveries.processed(record.offset(), 1));
        }
    }

    private void endToEnd(ConsumerRecord<ByteBuffer, ByteBuffer> record, TrialClock clock, long now) {
        if (source == EndToEndSource.STAMP) {
            if (Stamp.isOurs(record.value(), runId)) {
                endToEnd(record, clock, Stamp.intendedEpochNanos(record.value()), false, now);
            }
        } else if (source != EndToEndSource.NONE) {
            endToEnd(record, clock, record.timestamp() * 1_000_000, true, now);
        }
        if (ClientInternals.isOfAppend(record)) {
            meter.fromAppend(clock, record.timestamp(), now, 1);
        }
    }

    private void endToEnd(ConsumerRecord<?, ?> record, TrialClock clock, long from, boolean millis, long now) {
        if (meter.endToEnd(clock, from, millis, now, 1)) {
            long stamp = record.timestamp() * 1_000_000;
            long polled = Math.min(now, polls.endedNanos());
            meter.slow(
                    polls, clock, record.topic(), record.partition(), record.offset(), -1, from, stamp, polled, now, 1);
        }
    }
}
