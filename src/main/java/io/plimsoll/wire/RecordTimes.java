package io.plimsoll.wire;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;

/** What the timestamps of consumed records mean. Kafka's type of them lives beside its internals. */
public final class RecordTimes {
    private RecordTimes() {}

    /** True if the timestamp is when the broker appended the record ({@code message.timestamp.type=LogAppendTime}). */
    public static boolean isOfAppend(ConsumerRecord<?, ?> record) {
        return record.timestampType() == TimestampType.LOG_APPEND_TIME;
    }
}
