package io.plimsoll.nullbroker;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;

/** What all connections of a null broker share. Safe for several threads. */
final class NullBrokerState {
    static final int BROKER_ID = 1;
    static final String HOST = "127.0.0.1";
    static final String CLUSTER_ID = "plimsoll-null-broker";

    private final NullBrokerOptions options;
    private final int port;
    private final NullTopics topics;
    private final SyntheticLog log;
    private final Misbehaviour misbehaviour;
    private final long startNanos = System.nanoTime();

    final LongAdder produceRequests = new LongAdder();
    final LongAdder refusedRequests = new LongAdder();
    final LongAdder refusedBatches = new LongAdder();
    final LongAdder fetchRequests = new LongAdder();
    final LongAdder fetchedRecords = new LongAdder();
    final LongAdder fetchedBytes = new LongAdder();
    final LongAdder connections = new LongAdder();
    final LongAdder brokenConnections = new LongAdder();

    NullBrokerState(NullBrokerOptions options, int port) {
        this.options = options;
        this.port = port;
        topics = new NullTopics(options);
        log = new SyntheticLog(options.log(), options.seed(), System.currentTimeMillis());
        misbehaviour = new Misbehaviour(options.behaviour(), options.seed());
    }

    NullBrokerOptions options() {
        return options;
    }

    int port() {
        return port;
    }

    NullTopics topics() {
        return topics;
    }

    SyntheticLog log() {
        return log;
    }

    Misbehaviour misbehaviour() {
        return misbehaviour;
    }

    /** Since the start of the broker, so that times can be compared without care for overflow. */
    long nowNanos() {
        return System.nanoTime() - startNanos;
    }

    NullBrokerStats stats(long cpuNanos) {
        Map<TopicPartition, NullBrokerStats.Partition> partitions = new HashMap<>();
        for (NullTopic topic : topics.all()) {
            for (int i = 0; i < topic.partitionCount(); i++) {
                partitions.put(
                        new TopicPartition(topic.name(), i), topic.partition(i).stats());
            }
        }
        return new NullBrokerStats(
                new NullBrokerStats.Produced(produceRequests.sum(), refusedRequests.sum(), refusedBatches.sum()),
                new NullBrokerStats.Fetched(fetchRequests.sum(), fetchedRecords.sum(), fetchedBytes.sum()),
                connections.sum(),
                brokenConnections.sum(),
                cpuNanos,
                Map.copyOf(partitions),
                topics.deleted());
    }
}
