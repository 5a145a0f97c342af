package io.plimsoll.load;

import io.plimsoll.measure.ReceiveMeter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.apache.kafka.common.TopicPartition;

/**
 * The records of one partition that a group had to read and has not.
 *
 * @param from the first offset that the group may have missed
 * @param to the offset behind the last one
 * @param missed whether the group has not had the record at an offset
 * @param most how many records the group still asked for, of all its partitions together
 * @param committed whether records of aborted transactions are none of them
 * @param source what end-to-end latency is measured from
 * @param meter takes the time that the records have waited; of the thread that charges them
 */
public record Unreceived(
        TopicPartition partition,
        long from,
        long to,
        LongPredicate missed,
        AtomicLong most,
        boolean committed,
        EndToEndSource source,
        ReceiveMeter meter) {
    /** How many records between two offsets, the second not included, are among them at most. */
    public long between(long first, long end) {
        return Math.max(0, Math.min(end, to) - Math.max(first, from));
    }

    /** Whether the record at an offset is among them. */
    public boolean has(long offset) {
        return offset >= from && offset < to && missed.test(offset);
    }
}
