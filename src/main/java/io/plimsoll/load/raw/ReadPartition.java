package io.plimsoll.load.raw;

import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.LogSink;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.wire.FetchPartition;
import io.plimsoll.wire.RawLink;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** One partition of one reading thread, which owns it. */
final class ReadPartition extends FetchPartition {
    final TopicPartition name;

    @Nullable
    RawLink link;

    long retryAtNanos;
    /** Time to look up if the partition has no position, as in {@code OffsetLookup}. */
    long lookFor;

    /** Start offset, limited to the range of the log; −1 to look it up. */
    long wanted = -1;

    boolean lookingUp;

    @Nullable
    Audited audited;

    /** Number of failed attempts to read the batch at the current offset. */
    int damages;

    /** The receiver of a partition's records for an audit. */
    record Audited(BatchExaminer examiner, LogPartition log, LogSink sink) {}

    ReadPartition(TopicPartition name, long lookFor) {
        super(name.partition());
        this.name = name;
        this.lookFor = lookFor;
    }

    /** Sets the trail that receives the records. Call before the start. */
    void feed(AuditTrail trail) {
        LogReading reading = trail.reading(name);
        if (reading != null) {
            audited = new Audited(new BatchExaminer(trail), reading.partition(), reading);
        }
    }

    boolean positioned() {
        return offset >= 0;
    }
}
