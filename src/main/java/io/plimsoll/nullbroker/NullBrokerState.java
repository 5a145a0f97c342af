package io.plimsoll.nullbroker;

import io.plimsoll.wire.server.Served;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;

/** The state that all connections of a null broker share. Safe for several threads. */
final class NullBrokerState implements Served {
    private static final int BROKER_ID = 1;
    static final String HOST = "127.0.0.1";
    private static final String CLUSTER_ID = "plimsoll-null-broker";

    private final NullBrokerOptions options;
    private final Host host;
    private final NullGroups groups = new NullGroups(this::nowNanos);
    private final NullTopics topics;
    private final SyntheticLog log;
    private final Misbehaviour misbehaviour;
    private final long startNanos = System.nanoTime();

    private final LongAdder produceRequests = new LongAdder();
    private final LongAdder refusedRequests = new LongAdder();
    private final LongAdder refusedBatches = new LongAdder();
    final LongAdder fetchRequests = new LongAdder();
    final LongAdder fetchedRecords = new LongAdder();
    final LongAdder fetchedBytes = new LongAdder();
    final LongAdder connections = new LongAdder();
    final LongAdder brokenConnections = new LongAdder();

    NullBrokerState(NullBrokerOptions options, int port) {
        this.options = options;
        this.host = new Host(CLUSTER_ID, BROKER_ID, HOST, port);
        topics = new NullTopics(options);
        log = new SyntheticLog(options.log, options.values, options.seed, System.currentTimeMillis());
        misbehaviour = new Misbehaviour(options.behaviour, options.seed);
    }

    NullBrokerOptions options() {
        return options;
    }

    int port() {
        return host.port();
    }

    @Override
    public NullTopics topics() {
        return topics;
    }

    @Override
    public SyntheticLog log() {
        return log;
    }

    @Override
    public Host host() {
        return host;
    }

    @Override
    public NullGroups groups() {
        return groups;
    }

    @Override
    public Map<Short, Short> maxVersions() {
        return options.maxVersions;
    }

    @Override
    public boolean checksCrcs() {
        return options.checkCrc;
    }

    @Override
    public boolean refusesNext() {
        return misbehaviour.refusesNext();
    }

    @Override
    public void produced(boolean refused) {
        produceRequests.increment();
        refusedRequests.add(refused ? 1 : 0);
    }

    @Override
    public void refusedBatch() {
        refusedBatches.increment();
    }

    Misbehaviour misbehaviour() {
        return misbehaviour;
    }

    /** The time since the start of the broker, so that times can be compared without care for overflow. */
    long nowNanos() {
        return System.nanoTime() - startNanos;
    }

    NullBrokerStats stats(long cpuNanos) {
        Map<TopicPartition, NullBrokerStats.Partition> partitions = new HashMap<>();
        for (NullTopics.NullTopic topic : topics.all()) {
            for (int i = 0; i < topic.partitionCount(); i++) {
                partitions.put(
                        new TopicPartition(topic.ref().name(), i),
                        topic.partition(i).stats());
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
