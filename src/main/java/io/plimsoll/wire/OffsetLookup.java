package io.plimsoll.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;

public final class OffsetLookup {
    /** Offset of the first record of the log. */
    public static final long EARLIEST = ListOffsetsRequest.EARLIEST_TIMESTAMP;
    /** End offset; with {@code read_committed}, the last stable offset. */
    public static final long LATEST = ListOffsetsRequest.LATEST_TIMESTAMP;

    /** Error (0 if none) and offset (−1 if no record is that recent). */
    public record Answer(short error, long offset) {}

    /**
     * Requests offsets over an idle link: for each partition, the offset for a time in ms since 1970, {@link #EARLIEST}
     * or {@link #LATEST}. {@code found} receives the response, or null without a response, on the network thread.
     */
    public static void send(
            RawLink link,
            Map<TopicPartition, Long> partitions,
            boolean readCommitted,
            String clientId,
            Consumer<Map<TopicPartition, Answer>> found) {
        IsolationLevel isolation = readCommitted ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED;
        ListOffsetsRequest body = ListOffsetsRequest.Builder.forConsumer(true, isolation)
                .setTargetTimes(topics(partitions))
                .build(link.version(ApiKeys.LIST_OFFSETS));
        link.ask(body, clientId, (response, version) -> answers(ListOffsetsResponse.parse(response, version)), found);
    }

    private static List<ListOffsetsTopic> topics(Map<TopicPartition, Long> partitions) {
        Map<String, ListOffsetsTopic> topics = new HashMap<>();
        partitions.forEach((partition, time) -> topics.computeIfAbsent(
                        partition.topic(),
                        name -> new ListOffsetsTopic().setName(name).setPartitions(new ArrayList<>()))
                .partitions()
                .add(new ListOffsetsPartition()
                        .setPartitionIndex(partition.partition())
                        .setTimestamp(time)));
        return List.copyOf(topics.values());
    }

    private static Map<TopicPartition, Answer> answers(ListOffsetsResponse response) {
        Map<TopicPartition, Answer> answers = new HashMap<>();
        response.topics().forEach(topic -> topic.partitions()
                .forEach(partition -> answers.put(
                        new TopicPartition(topic.name(), partition.partitionIndex()),
                        new Answer(partition.errorCode(), partition.offset()))));
        return answers;
    }
}
