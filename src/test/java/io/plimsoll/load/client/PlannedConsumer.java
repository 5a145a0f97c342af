package io.plimsoll.load.client;

import io.plimsoll.load.VirtualTime;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Kafka's mock consumer with polls that use their full timeout in virtual time. Confined to one thread. */
final class PlannedConsumer extends MockConsumer<ByteBuffer, ByteBuffer> {
    static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final int VALUE_BYTES = 20;

    final List<Long> polls = new ArrayList<>();
    CloseOptions closedWith;
    /** Committed offset when it was closed; −1 if none. */
    long committedAtClose = -1;

    private final VirtualTime time;
    private long next;
    private int hidden;
    private int assignments;
    private long stalled;
    private boolean positionUnknown;

    PlannedConsumer(VirtualTime time) {
        super("earliest");
        this.time = time;
        updateBeginningOffsets(Map.of(PARTITION, 0L));
    }

    @Override
    public synchronized ConsumerRecords<ByteBuffer, ByteBuffer> poll(Duration timeout) {
        polls.add(time.nanoTime());
        long nanos = timeout.toNanos() + stalled;
        stalled = 0;
        time.park(nanos);
        ConsumerRecords<ByteBuffer, ByteBuffer> polled = super.poll(Duration.ZERO);
        if (polled.isEmpty() && hidden > 0) {
            next += hidden;
            hidden = 0;
            seek(PARTITION, next);
            assignments = 0;
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            for (int partition = 0; partition < 100; partition++) {
                offsets.put(new TopicPartition("t", partition), new OffsetAndMetadata(next));
            }
            return new ConsumerRecords<>(Map.of(), offsets);
        }
        return polled;
    }

    @Override
    public synchronized Set<TopicPartition> assignment() {
        assignments++;
        return super.assignment();
    }

    /** Calls of {@link #assignment} since the poll that skipped offsets. */
    int assignments() {
        return assignments;
    }

    /** The next poll skips this number of offsets without records, in 100 partitions. */
    void hidden(int offsets) {
        hidden = offsets;
    }

    /** The next poll takes this much longer than it may. */
    void stall(long nanos) {
        stalled = nanos;
    }

    /** Whether the position cannot be determined, because no leader responds. */
    void positionUnknown(boolean yes) {
        positionUnknown = yes;
    }

    @Override
    public synchronized long position(TopicPartition partition, Duration timeout) {
        if (positionUnknown) {
            throw new TimeoutException("no leader");
        }
        return super.position(partition, timeout);
    }

    /** The group assigns the partition to it. */
    void assign() {
        rebalance(List.of(PARTITION));
    }

    /** This number of records arrives. */
    void arrive(int records) {
        for (int i = 0; i < records; i++) {
            addRecord(new ConsumerRecord<>("t", 0, next++, null, ByteBuffer.allocate(VALUE_BYTES)));
        }
    }

    @Override
    public synchronized void close(CloseOptions options) {
        closedWith = options;
        OffsetAndMetadata committed = committed(Set.of(PARTITION)).get(PARTITION);
        committedAtClose = committed == null ? -1 : committed.offset();
        super.close(options);
    }
}
