package io.plimsoll.load.raw;

import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.LogSink;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.wire.FetchPartition;
import io.plimsoll.wire.RawLink;
import org.apache.kafka.common.TopicPartition;

/** One partition of one reading thread, which owns it. */
final class ReadPartition extends FetchPartition {
    final TopicPartition name;
    /** Over which connection it is fetched; null while nobody leads it. */
    RawLink link;
    /** Left alone until then, in nanoTime. */
    long retryAtNanos;
    /** The time whose offset is looked for while there is none, as {@code OffsetLookup} takes it. */
    long lookFor;

    /** The offset to begin at, if it is there; −1 for the one that is looked for. */
    long wanted = -1;

    boolean lookingUp;

    /** Takes what is read, for an audit; null if there is none, as the next two. */
    LogSink sink;

    LogPartition log;
    BatchExaminer examiner;
    /** How often the batch at its offset was damaged. */
    int damages;

    ReadPartition(TopicPartition name, long lookFor) {
        super(name.partition());
        this.name = name;
        this.lookFor = lookFor;
    }

    /** Before reading starts, which makes it visible to the reading thread. */
    void feed(AuditTrail trail) {
        LogReading reading = trail.reading(name);
        if (reading != null) {
            examiner = new BatchExaminer(trail);
            log = reading.partition();
            sink = reading;
        }
    }

    boolean positioned() {
        return offset >= 0;
    }
}
