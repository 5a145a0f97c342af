package io.plimsoll.wire.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartition;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopic;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Handlers for log offsets and for committed offsets (with manual assignment). */
final class OffsetApis {
    private static final long LATEST = -1;
    private static final long EARLIEST = -2;
    private static final long MAX_TIMESTAMP = -3;
    private static final long EARLIEST_LOCAL = -4;
    private static final long NONE = -1;
    /** The only supported coordinator key type. */
    private static final byte GROUP = 0;

    private final Served served;

    private OffsetApis(Served served) {
        this.served = served;
    }

    static void register(ServerApis apis, Served served) {
        OffsetApis answers = new OffsetApis(served);
        apis.add(ApiMessageType.LIST_OFFSETS, ListOffsetsRequestData.class, answers::listOffsets);
        apis.add(ApiMessageType.FIND_COORDINATOR, FindCoordinatorRequestData.class, answers::findCoordinator);
        apis.add(ApiMessageType.OFFSET_COMMIT, OffsetCommitRequestData.class, answers::commit);
        apis.add(ApiMessageType.OFFSET_FETCH, OffsetFetchRequestData.class, answers::fetch);
    }

    private ListOffsetsResponseData listOffsets(ListOffsetsRequestData request) {
        ListOffsetsResponseData response = new ListOffsetsResponseData();
        request.topics().forEach(topic -> {
            ListOffsetsTopicResponse answer = new ListOffsetsTopicResponse().setName(topic.name());
            ServedTopics.Topic known = served.topics().named(topic.name());
            for (ListOffsetsPartition wanted : topic.partitions()) {
                ServedTopics.Partition partition = known == null ? null : known.partition(wanted.partitionIndex());
                answer.partitions().add(offset(wanted, partition));
            }
            response.topics().add(answer);
        });
        return response;
    }

    /** All records have the broker's start time. */
    private ListOffsetsPartitionResponse offset(ListOffsetsPartition wanted, ServedTopics.Partition partition) {
        ListOffsetsPartitionResponse answer =
                new ListOffsetsPartitionResponse().setPartitionIndex(wanted.partitionIndex());
        if (partition == null) {
            return answer.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
        long end = partition.endOffset();
        long recordMillis = served.log.timestampMillis;
        long asked = wanted.timestamp();
        answer.setLeaderEpoch(0);
        if (asked == LATEST) {
            return answer.setOffset(end);
        } else if (asked == EARLIEST || asked == EARLIEST_LOCAL) {
            return answer.setOffset(0);
        } else if (end > 0 && asked == MAX_TIMESTAMP) {
            return answer.setOffset(end - 1).setTimestamp(recordMillis);
        } else if (end > 0 && asked >= 0 && asked <= recordMillis) {
            return answer.setOffset(0).setTimestamp(recordMillis);
        }
        return answer.setOffset(NONE).setLeaderEpoch(-1);
    }

    private FindCoordinatorResponseData findCoordinator(FindCoordinatorRequestData request) {
        Errors error = request.keyType() == GROUP ? Errors.NONE : Errors.INVALID_REQUEST;
        FindCoordinatorResponseData response = new FindCoordinatorResponseData();
        if (request.coordinatorKeys().isEmpty()) {
            return response.setErrorCode(error.code())
                    .setNodeId(served.host().brokerId())
                    .setHost(served.host().name())
                    .setPort(served.host().port());
        }
        request.coordinatorKeys().forEach(key -> response.coordinators()
                .add(new Coordinator()
                        .setKey(key)
                        .setErrorCode(error.code())
                        .setNodeId(served.host().brokerId())
                        .setHost(served.host().name())
                        .setPort(served.host().port())));
        return response;
    }

    /** Newer versions identify a topic by id only. */
    private ServedTopics.Topic topic(String name, Uuid id) {
        return id.equals(Uuid.ZERO_UUID)
                ? served.topics().named(name)
                : served.topics().withId(id);
    }

    private OffsetCommitResponseData commit(OffsetCommitRequestData request) {
        OffsetCommitResponseData response = new OffsetCommitResponseData();
        for (var topic : request.topics()) {
            ServedTopics.Topic known = topic(topic.name(), topic.topicId());
            OffsetCommitResponseTopic answer =
                    new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            topic.partitions().forEach(partition -> {
                int index = partition.partitionIndex();
                boolean there = known != null
                        && known.partition(index) != null
                        && served.groups.commit(
                                request.groupId(),
                                new TopicPartition(known.ref().name(), index),
                                partition.committedOffset());
                answer.partitions()
                        .add(new OffsetCommitResponsePartition()
                                .setPartitionIndex(index)
                                .setErrorCode((there ? Errors.NONE : Errors.UNKNOWN_TOPIC_OR_PARTITION).code()));
            });
            response.topics().add(answer);
        }
        return response;
    }

    private ApiMessage fetch(OffsetFetchRequestData request) {
        OffsetFetchResponseData response = new OffsetFetchResponseData();
        if (request.groups().isEmpty()) {
            List<OffsetFetchRequestTopics> wanted = null;
            if (request.topics() != null) {
                wanted = new ArrayList<>();
                for (var topic : request.topics()) {
                    wanted.add(new OffsetFetchRequestTopics()
                            .setName(topic.name())
                            .setPartitionIndexes(topic.partitionIndexes()));
                }
            }
            offsets(request.groupId(), wanted)
                    .forEach(topic -> response.topics().add(olderForm(topic)));
            return response;
        }
        for (var group : request.groups()) {
            response.groups()
                    .add(new OffsetFetchResponseGroup()
                            .setGroupId(group.groupId())
                            .setTopics(offsets(group.groupId(), group.topics())));
        }
        return response;
    }

    /** @param wanted null for all committed offsets of the group */
    private List<OffsetFetchResponseTopics> offsets(String group, List<OffsetFetchRequestTopics> wanted) {
        List<OffsetFetchResponseTopics> answers = new ArrayList<>();
        for (OffsetFetchRequestTopics topic : wanted != null ? wanted : committedBy(group)) {
            ServedTopics.Topic known = topic(topic.name(), topic.topicId());
            OffsetFetchResponseTopics answer =
                    new OffsetFetchResponseTopics().setName(topic.name()).setTopicId(topic.topicId());
            for (int index : topic.partitionIndexes()) {
                String name = known == null ? topic.name() : known.ref().name();
                long offset = served.groups.committed(group, new TopicPartition(name, index));
                answer.partitions()
                        .add(new OffsetFetchResponsePartitions()
                                .setPartitionIndex(index)
                                .setCommittedOffset(offset)
                                .setMetadata(""));
            }
            answers.add(answer);
        }
        return answers;
    }

    private List<OffsetFetchRequestTopics> committedBy(String group) {
        Map<String, List<Integer>> partitions = new TreeMap<>();
        served.groups.committed(group).forEach(partition -> partitions
                .computeIfAbsent(partition.topic(), topic -> new ArrayList<>())
                .add(partition.partition()));
        List<OffsetFetchRequestTopics> topics = new ArrayList<>();
        partitions.forEach((name, indexes) -> {
            ServedTopics.Topic known = served.topics().named(name);
            topics.add(new OffsetFetchRequestTopics()
                    .setName(name)
                    .setTopicId(known == null ? Uuid.ZERO_UUID : known.ref().id())
                    .setPartitionIndexes(indexes));
        });
        return topics;
    }

    private static OffsetFetchResponseTopic olderForm(OffsetFetchResponseTopics topic) {
        OffsetFetchResponseTopic answer = new OffsetFetchResponseTopic().setName(topic.name());
        topic.partitions().forEach(partition -> answer.partitions()
                .add(new OffsetFetchResponsePartition()
                        .setPartitionIndex(partition.partitionIndex())
                        .setCommittedOffset(partition.committedOffset())
                        .setMetadata(partition.metadata())));
        return answer;
    }
}
