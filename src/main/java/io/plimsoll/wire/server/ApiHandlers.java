package io.plimsoll.wire.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupResponseData.MemberResponse;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
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
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Handlers for cluster and topic metadata, log offsets, and classic consumer groups with their committed offsets. A group
 * has a single member, which is the leader and assigns every partition to itself; a second member is rejected while the
 * first is present. Thread-safe.
 */
final class ApiHandlers {
    private static final long LATEST = -1;
    private static final long EARLIEST = -2;
    private static final long MAX_TIMESTAMP = -3;
    private static final long EARLIEST_LOCAL = -4;
    private static final long NONE = -1;
    /** The only supported type of coordinator key. */
    private static final byte GROUP = 0;

    private static final int MOST_GROUPS = 10_000;
    /** Maximum number of committed offsets, to limit the memory that clients can occupy. */
    private static final int MOST_COMMITS = 1_000_000;

    private record Member(String id, int generation) {}

    /** The member of a group; immutable, replaced on change. */
    private record Present(Member member, long heardNanos, long sessionNanos) {
        boolean is(String id) {
            return member.id().equals(id);
        }
    }

    private record Committed(String group, TopicPartition partition) {}

    private final Map<String, Present> members = new ConcurrentHashMap<>();
    private final Map<Committed, Long> commits = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final Served.Host host;
    private final ServedTopics topics;
    private final AtomicLong nextProducerId = new AtomicLong(1000);

    /** Timestamp of all records. */
    private final long recordMillis;

    ApiHandlers(ServerApis apis, Served served) {
        this.host = served.host();
        this.topics = served.topics();
        this.recordMillis = served.log.timestampMillis;
        apis.add(ApiMessageType.METADATA, MetadataRequestData.class, this::metadata);
        apis.add(ApiMessageType.DESCRIBE_CLUSTER, DescribeClusterRequestData.class, this::describeCluster);
        apis.add(ApiMessageType.DESCRIBE_CONFIGS, DescribeConfigsRequestData.class, this::describeConfigs);
        apis.add(ApiMessageType.CREATE_TOPICS, CreateTopicsRequestData.class, this::createTopics);
        apis.add(ApiMessageType.DELETE_TOPICS, DeleteTopicsRequestData.class, this::deleteTopics);
        apis.add(ApiMessageType.INIT_PRODUCER_ID, InitProducerIdRequestData.class, this::initProducerId);
        apis.add(ApiMessageType.LIST_OFFSETS, ListOffsetsRequestData.class, this::listOffsets);
        apis.add(ApiMessageType.JOIN_GROUP, JoinGroupRequestData.class, this::join);
        apis.add(ApiMessageType.SYNC_GROUP, SyncGroupRequestData.class, this::sync);
        apis.add(ApiMessageType.HEARTBEAT, HeartbeatRequestData.class, this::heartbeat);
        apis.add(ApiMessageType.LEAVE_GROUP, LeaveGroupRequestData.class, this::leave);
        apis.add(ApiMessageType.FIND_COORDINATOR, FindCoordinatorRequestData.class, this::findCoordinator);
        apis.add(ApiMessageType.OFFSET_COMMIT, OffsetCommitRequestData.class, this::commit);
        apis.add(ApiMessageType.OFFSET_FETCH, OffsetFetchRequestData.class, this::fetch);
    }

    private MetadataResponseData metadata(MetadataRequestData request) {
        MetadataResponseData response =
                new MetadataResponseData().setClusterId(host.clusterId()).setControllerId(host.brokerId());
        response.brokers()
                .add(new MetadataResponseBroker()
                        .setNodeId(host.brokerId())
                        .setHost(host.name())
                        .setPort(host.port()));
        if (request.topics() == null) {
            topics.all().forEach(topic -> response.topics().add(describe(topic)));
        } else {
            for (MetadataRequestTopic wanted : request.topics()) {
                response.topics().add(describe(wanted, request.allowAutoTopicCreation()));
            }
        }
        return response;
    }

    private MetadataResponseTopic describe(MetadataRequestTopic wanted, boolean create) {
        boolean byId = !wanted.topicId().equals(Uuid.ZERO_UUID);
        ServedTopics.Topic topic = byId ? topics.withId(wanted.topicId()) : named(wanted.name(), create);
        if (topic != null) {
            return describe(topic);
        }
        Errors error = byId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION;
        return new MetadataResponseTopic()
                .setErrorCode(error.code())
                .setName(wanted.name())
                .setTopicId(wanted.topicId());
    }

    private ServedTopics.@Nullable Topic named(@Nullable String name, boolean create) {
        ServedTopics.Topic known = topics.named(name);
        return known != null || name == null || !create ? known : topics.create(name, 0);
    }

    private MetadataResponseTopic describe(ServedTopics.Topic topic) {
        List<Integer> replicas = List.of(host.brokerId());
        List<MetadataResponsePartition> partitions = new ArrayList<>(topic.partitionCount());
        for (int i = 0; i < topic.partitionCount(); i++) {
            partitions.add(new MetadataResponsePartition()
                    .setPartitionIndex(i)
                    .setLeaderId(host.brokerId())
                    .setLeaderEpoch(0)
                    .setReplicaNodes(replicas)
                    .setIsrNodes(replicas));
        }
        return new MetadataResponseTopic()
                .setName(topic.ref().name())
                .setTopicId(topic.ref().id())
                .setPartitions(partitions);
    }

    private DescribeClusterResponseData describeCluster(DescribeClusterRequestData request) {
        DescribeClusterResponseData response = new DescribeClusterResponseData()
                .setClusterId(host.clusterId())
                .setControllerId(host.brokerId())
                .setEndpointType(request.endpointType());
        response.brokers()
                .add(new DescribeClusterBroker()
                        .setBrokerId(host.brokerId())
                        .setHost(host.name())
                        .setPort(host.port()));
        return response;
    }

    /** Describes configurations: none is supported, so every resource has an empty description. */
    private DescribeConfigsResponseData describeConfigs(DescribeConfigsRequestData request) {
        DescribeConfigsResponseData response = new DescribeConfigsResponseData();
        request.resources().forEach(resource -> response.results()
                .add(new DescribeConfigsResult()
                        .setResourceType(resource.resourceType())
                        .setResourceName(resource.resourceName())));
        return response;
    }

    private CreateTopicsResponseData createTopics(CreateTopicsRequestData request) {
        CreateTopicsResponseData response = new CreateTopicsResponseData();
        request.topics().forEach(wanted -> {
            int assigned = wanted.assignments().size();
            int partitions = assigned > 0 ? assigned : Math.max(0, wanted.numPartitions());
            CreatableTopicResult result = new CreatableTopicResult().setName(wanted.name());
            if (topics.named(wanted.name()) != null) {
                result.setErrorCode(Errors.TOPIC_ALREADY_EXISTS.code());
            } else if (wanted.replicationFactor() > 1) {
                result.setErrorCode(Errors.INVALID_REPLICATION_FACTOR.code())
                        .setErrorMessage("a null broker is alone; a replication factor of 1 is possible");
            } else {
                ServedTopics.Topic topic = request.validateOnly() ? null : topics.create(wanted.name(), partitions);
                if (topic != null) {
                    result.setTopicId(topic.ref().id());
                } else if (!request.validateOnly()) {
                    result.setErrorCode(Errors.INVALID_TOPIC_EXCEPTION.code());
                }
                result.setNumPartitions(partitions).setReplicationFactor((short) 1);
            }
            response.topics().add(result);
        });
        return response;
    }

    private DeleteTopicsResponseData deleteTopics(DeleteTopicsRequestData request) {
        DeleteTopicsResponseData response = new DeleteTopicsResponseData();
        request.topicNames()
                .forEach(name -> response.responses().add(delete(topics.named(name), name, Uuid.ZERO_UUID)));
        request.topics().forEach(wanted -> {
            ServedTopics.Topic topic =
                    wanted.name() != null ? topics.named(wanted.name()) : topics.withId(wanted.topicId());
            response.responses().add(delete(topic, wanted.name(), wanted.topicId()));
        });
        return response;
    }

    private DeletableTopicResult delete(ServedTopics.@Nullable Topic topic, @Nullable String name, Uuid id) {
        if (topic != null) {
            topics.delete(topic.ref().name());
            return new DeletableTopicResult()
                    .setName(topic.ref().name())
                    .setTopicId(topic.ref().id());
        }
        Errors error = name == null ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION;
        return new DeletableTopicResult().setName(name).setTopicId(id).setErrorCode(error.code());
    }

    /** Rejects transactional producers, because transactions are not supported. */
    private InitProducerIdResponseData initProducerId(InitProducerIdRequestData request) {
        if (request.transactionalId() != null) {
            return new InitProducerIdResponseData().setErrorCode(Errors.INVALID_REQUEST.code());
        }
        return new InitProducerIdResponseData()
                .setProducerId(nextProducerId.getAndIncrement())
                .setProducerEpoch((short) 0);
    }

    private ListOffsetsResponseData listOffsets(ListOffsetsRequestData request) {
        ListOffsetsResponseData response = new ListOffsetsResponseData();
        request.topics().forEach(topic -> {
            ListOffsetsTopicResponse answer = new ListOffsetsTopicResponse().setName(topic.name());
            ServedTopics.Topic known = topics.named(topic.name());
            for (ListOffsetsPartition wanted : topic.partitions()) {
                ServedTopics.Partition partition = known == null ? null : known.partition(wanted.partitionIndex());
                answer.partitions().add(offset(wanted, partition));
            }
            response.topics().add(answer);
        });
        return response;
    }

    /** Looks up an offset by time: all records have the broker's start time. */
    private ListOffsetsPartitionResponse offset(
            ListOffsetsPartition wanted, ServedTopics.@Nullable Partition partition) {
        ListOffsetsPartitionResponse answer =
                new ListOffsetsPartitionResponse().setPartitionIndex(wanted.partitionIndex());
        if (partition == null) {
            return answer.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
        long end = partition.endOffset();
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

    private JoinGroupResponseData join(JoinGroupRequestData request) {
        var protocols = List.copyOf(request.protocols());
        if (protocols.isEmpty() || request.groupId().isEmpty()) {
            return refused(protocols.isEmpty() ? Errors.INCONSISTENT_GROUP_PROTOCOL : Errors.INVALID_GROUP_ID);
        }
        var joined = join(request.groupId(), request.memberId(), request.sessionTimeoutMs());
        if (joined == null) {
            return refused(Errors.GROUP_MAX_SIZE_REACHED);
        }
        var protocol = protocols.get(0);
        return new JoinGroupResponseData()
                .setGenerationId(joined.generation())
                .setProtocolType(request.protocolType())
                .setProtocolName(protocol.name())
                .setLeader(joined.id())
                .setMemberId(joined.id())
                .setMembers(List.of(new JoinGroupResponseMember()
                        .setMemberId(joined.id())
                        .setGroupInstanceId(request.groupInstanceId())
                        .setMetadata(protocol.metadata())));
    }

    private static JoinGroupResponseData refused(Errors error) {
        return new JoinGroupResponseData().setErrorCode(error.code()).setProtocolName("");
    }

    private SyncGroupResponseData sync(SyncGroupRequestData request) {
        Errors error = heard(request.groupId(), request.memberId(), request.generationId());
        SyncGroupResponseData response = new SyncGroupResponseData()
                .setErrorCode(error.code())
                .setProtocolType(request.protocolType())
                .setProtocolName(request.protocolName());
        for (var assignment : request.assignments()) {
            if (error == Errors.NONE && assignment.memberId().equals(request.memberId())) {
                response.setAssignment(assignment.assignment());
            }
        }
        return response;
    }

    private HeartbeatResponseData heartbeat(HeartbeatRequestData request) {
        Errors error = heard(request.groupId(), request.memberId(), request.generationId());
        return new HeartbeatResponseData().setErrorCode(error.code());
    }

    private LeaveGroupResponseData leave(LeaveGroupRequestData request) {
        LeaveGroupResponseData response = new LeaveGroupResponseData();
        if (request.members().isEmpty()) {
            return response.setErrorCode(
                    leave(request.groupId(), request.memberId()).code());
        }
        for (var member : request.members()) {
            response.members()
                    .add(new MemberResponse()
                            .setMemberId(member.memberId())
                            .setGroupInstanceId(member.groupInstanceId())
                            .setErrorCode(
                                    leave(request.groupId(), member.memberId()).code()));
        }
        return response;
    }

    /** Adds a member; an empty id means a new member. Null if the group is full. */
    private @Nullable Member join(String group, String givenId, long sessionMillis) {
        if (members.size() >= MOST_GROUPS) {
            return null;
        }
        long now = System.nanoTime();
        String id = givenId.isEmpty() ? "member-" + ids.incrementAndGet() : givenId;
        Present joined = members.compute(group, (name, before) -> {
            boolean free = before == null || before.is(id) || now - before.heardNanos() > before.sessionNanos();
            int generation = before == null ? 1 : before.member().generation() + 1;
            long session = TimeUnit.MILLISECONDS.toNanos(Math.max(0, sessionMillis));
            return free ? new Present(new Member(id, generation), now, session) : before;
        });
        return joined.is(id) ? joined.member() : null;
    }

    /** Handles the heartbeat of a member. */
    private Errors heard(String group, String id, int generation) {
        Present present = members.computeIfPresent(
                group,
                (name, known) ->
                        known.is(id) ? new Present(known.member(), System.nanoTime(), known.sessionNanos()) : known);
        if (present == null || !present.is(id)) {
            return Errors.UNKNOWN_MEMBER_ID;
        }
        return present.member().generation() == generation ? Errors.NONE : Errors.ILLEGAL_GENERATION;
    }

    private Errors leave(String group, String id) {
        Present known = members.get(group);
        boolean left = known != null && known.is(id) && members.remove(group, known);
        return left ? Errors.NONE : Errors.UNKNOWN_MEMBER_ID;
    }

    private FindCoordinatorResponseData findCoordinator(FindCoordinatorRequestData request) {
        Errors error = request.keyType() == GROUP ? Errors.NONE : Errors.INVALID_REQUEST;
        FindCoordinatorResponseData response = new FindCoordinatorResponseData();
        if (request.coordinatorKeys().isEmpty()) {
            return response.setErrorCode(error.code())
                    .setNodeId(host.brokerId())
                    .setHost(host.name())
                    .setPort(host.port());
        }
        request.coordinatorKeys().forEach(key -> response.coordinators()
                .add(new Coordinator()
                        .setKey(key)
                        .setErrorCode(error.code())
                        .setNodeId(host.brokerId())
                        .setHost(host.name())
                        .setPort(host.port())));
        return response;
    }

    /** A topic by name or id; newer versions identify a topic only by id. */
    private ServedTopics.@Nullable Topic topic(@Nullable String name, Uuid id) {
        return id.equals(Uuid.ZERO_UUID) ? topics.named(name) : topics.withId(id);
    }

    private OffsetCommitResponseData commit(OffsetCommitRequestData request) {
        OffsetCommitResponseData response = new OffsetCommitResponseData();
        for (var topic : request.topics()) {
            ServedTopics.Topic known = topic(topic.name(), topic.topicId());
            OffsetCommitResponseTopic answer =
                    new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            topic.partitions().forEach(partition -> {
                int index = partition.partitionIndex();
                boolean there = known != null && known.partition(index) != null && commits.size() < MOST_COMMITS;
                if (there) {
                    TopicPartition committed = new TopicPartition(
                            Objects.requireNonNull(known).ref().name(), index);
                    commits.put(new Committed(request.groupId(), committed), partition.committedOffset());
                }
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

    /** @param wanted requested offsets; null for all committed offsets of the group */
    private List<OffsetFetchResponseTopics> offsets(String group, @Nullable List<OffsetFetchRequestTopics> wanted) {
        List<OffsetFetchResponseTopics> answers = new ArrayList<>();
        for (OffsetFetchRequestTopics topic : wanted != null ? wanted : committedBy(group)) {
            ServedTopics.Topic known = topic(topic.name(), topic.topicId());
            OffsetFetchResponseTopics answer =
                    new OffsetFetchResponseTopics().setName(topic.name()).setTopicId(topic.topicId());
            for (int index : topic.partitionIndexes()) {
                String name = known == null ? topic.name() : known.ref().name();
                long offset = commits.getOrDefault(new Committed(group, new TopicPartition(name, index)), NONE);
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
        commits.keySet().stream()
                .filter(committed -> committed.group().equals(group))
                .map(Committed::partition)
                .forEach(partition -> partitions
                        .computeIfAbsent(partition.topic(), topic -> new ArrayList<>())
                        .add(partition.partition()));
        List<OffsetFetchRequestTopics> found = new ArrayList<>();
        partitions.forEach((name, indexes) -> {
            ServedTopics.Topic known = topics.named(name);
            found.add(new OffsetFetchRequestTopics()
                    .setName(name)
                    .setTopicId(known == null ? Uuid.ZERO_UUID : known.ref().id())
                    .setPartitionIndexes(indexes));
        });
        return found;
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
