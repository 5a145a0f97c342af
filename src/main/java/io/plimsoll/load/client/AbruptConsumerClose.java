package io.plimsoll.load.client;

import io.plimsoll.load.GroupState;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/** Closes a consumer so that its group sees what it would see of a process that was killed. */
final class AbruptConsumerClose {
    private static final Duration ASK_LIMIT = Duration.ofSeconds(1);

    private AbruptConsumerClose() {}

    /** In the consumer's own thread. */
    static void close(Consumer<?, ?> consumer, GroupState group) {
        try {
            // Closing commits the positions where the client commits by itself; a killed process could not. So the
            // positions are set back to what is committed already.
            Map<TopicPartition, OffsetAndMetadata> committed = committed(consumer);
            for (TopicPartition partition : consumer.assignment()) {
                OffsetAndMetadata offset = committed.get(partition);
                if (offset == null) {
                    consumer.seek(partition, group.firstPosition(partition));
                } else {
                    consumer.seek(partition, offset);
                }
            }
        } catch (KafkaException | IllegalStateException e) {
            // The coordinator does not answer: nor will it to the commit.
        }
        consumer.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP)
                .withTimeout(ASK_LIMIT));
    }

    private static Map<TopicPartition, OffsetAndMetadata> committed(Consumer<?, ?> consumer) {
        try {
            return consumer.committed(consumer.assignment(), ASK_LIMIT);
        } catch (WakeupException e) {
            // Meant for a poll that was no longer made.
            return consumer.committed(consumer.assignment(), ASK_LIMIT);
        }
    }
}
