package io.plimsoll.wire.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartition;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopic;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Handlers for cluster and topic metadata and log offsets. */
final class ClusterApis {
    private static final long LATEST = -1;
    private static final long EARLIEST = -2;
    private static final long MAX_TIMESTAMP = -3;
    private static final long EARLIEST_LOCAL = -4;
    private static final long NONE = -1;
    private final Served.Host host;
    private final ServedTopics topics;
    private final AtomicLong nextProducerId = new AtomicLong(1000);

    /** Timestamp of all records. */
    private final long recordMillis;

    ClusterApis(ServerApis apis, Served served) {
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

    private ServedTopics.Topic named(String name, boolean create) {
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

    /** No configuration is supported: every resource has an empty description. */
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

    private DeletableTopicResult delete(ServedTopics.Topic topic, String name, Uuid id) {
        if (topic != null) {
            topics.delete(topic.ref().name());
            return new DeletableTopicResult()
                    .setName(topic.ref().name())
                    .setTopicId(topic.ref().id());
        }
        Errors error = name == null ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION;
        return new DeletableTopicResult().setName(name).setTopicId(id).setErrorCode(error.code());
    }

    /** Transactional producers are rejected, because transactions are not supported. */
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

    /** All records have the broker's start time. */
    private ListOffsetsPartitionResponse offset(ListOffsetsPartition wanted, ServedTopics.Partition partition) {
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
}
