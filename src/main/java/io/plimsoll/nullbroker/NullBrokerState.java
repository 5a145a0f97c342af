package io.plimsoll.nullbroker;

import io.plimsoll.nullbroker.NullBroker.NullBrokerStats;
import io.plimsoll.nullbroker.NullBrokerBehaviour.Misbehaviour;
import io.plimsoll.wire.server.Served;
import io.plimsoll.wire.server.ServedTopics;
import io.plimsoll.wire.server.SyntheticLog;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;

/** State shared by all connections of a null broker. Thread-safe. */
final class NullBrokerState extends Served {
    private static final int BROKER_ID = 1;
    /** Seed for the log's payload and for the choice of rejected requests. */
    private static final long SEED = 1;

    static final String HOST = "127.0.0.1";
    private static final String CLUSTER_ID = "plimsoll-null-broker";

    final NullBrokerOptions options;
    final Misbehaviour misbehaviour;
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
        super(
                new Host(CLUSTER_ID, BROKER_ID, HOST, port),
                new ServedTopics(options.partitions, options.log.records(), options.topics),
                new SyntheticLog(options.log, options.values, SEED, System.currentTimeMillis()),
                options.maxVersions,
                options.checkCrc);
        this.options = options;
        misbehaviour = new Misbehaviour(options.behaviour, SEED);
    }

    int port() {
        return host().port();
    }

    @Override
    protected boolean refusesNext() {
        return misbehaviour.refusesNext();
    }

    @Override
    protected void produced(boolean refused) {
        produceRequests.increment();
        refusedRequests.add(refused ? 1 : 0);
    }

    @Override
    protected void refusedBatch() {
        refusedBatches.increment();
    }

    /** Time since the broker's start in ns, so that comparisons cannot overflow. */
    long nowNanos() {
        return System.nanoTime() - startNanos;
    }

    NullBrokerStats stats(long cpuNanos) {
        Map<TopicPartition, NullBrokerStats.Partition> partitions = new HashMap<>();
        for (ServedTopics.Topic topic : topics().all()) {
            for (int i = 0; i < topic.partitionCount(); i++) {
                partitions.put(
                        new TopicPartition(topic.ref().name(), i),
                        stats(Objects.requireNonNull(topic.partition(i)), options.log.records()));
            }
        }
        ServedTopics.Partition deleted = topics().deleted();
        return new NullBrokerStats(
                new NullBrokerStats.Produced(produceRequests.sum(), refusedRequests.sum(), refusedBatches.sum()),
                new NullBrokerStats.Fetched(fetchRequests.sum(), fetchedRecords.sum(), fetchedBytes.sum()),
                connections.sum(),
                brokenConnections.sum(),
                cpuNanos,
                Map.copyOf(partitions),
                new NullBrokerStats.Partition(deleted.records(), deleted.bytes(), deleted.batches(), 0));
    }

    private static NullBrokerStats.Partition stats(ServedTopics.Partition partition, long preloaded) {
        long produced = partition.records();
        return new NullBrokerStats.Partition(produced, partition.bytes(), partition.batches(), preloaded + produced);
    }
}
