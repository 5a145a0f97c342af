package io.plimsoll.load.raw;

import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.Producers;
import io.plimsoll.load.Slice;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SendMode;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The kind that sends pre-encoded batches and reads batches in place. */
public final class RawKind implements LoadKind, ProducerKind, ConsumerKind {
    private static final int MOST_CONNECTIONS = 10_000;

    /** Connections of each client to each broker, 1 or more. */
    static final Key<Integer> CONNECTIONS = Key.count("connections", 1, MOST_CONNECTIONS);

    @Override
    public List<Key<?>> producerKeys() {
        return List.of(CONNECTIONS);
    }

    @Override
    public String name() {
        return "raw";
    }

    @Override
    public boolean joinsGroups() {
        return false;
    }

    @Override
    public Producers create(ProducerKind.Entry entry) {
        return new RawProducers(entry);
    }

    @Override
    public void check(ProducerSpec spec, String part) {
        LoadKind.refuse(spec.threads() > 1, part + ".threads", "load.rawIsOneThread", spec.totalThreads());
        LoadKind.refuse(!(spec.send() instanceof SendMode.Async), part + ".send", "load.rawIsAsynchronous");
        LoadKind.refuse(spec.transactions().enabled(), part + ".transactions", "load.rawHasNone");
        LoadKind.refuse(spec.get(ProducerSpec.REPLY).isPresent(), part + ".reply", "load.rawRecurs");
        boolean evolves = spec.record().schema().flatMap(SchemaSpec::evolve).isPresent();
        LoadKind.refuse(evolves, part + ".record.schema.evolve", "load.rawHasNone");
        String partitioner = spec.config().get(ProducerConfig.PARTITIONER_CLASS_CONFIG);
        LoadKind.refuse(
                partitioner != null && !partitioner.isBlank(),
                part + ".config.partitioner.class",
                "load.rawPartitions");
    }

    /**
     * Compressed batches are identified as a whole, because marking their records would require compressing them again.
     */
    @Override
    public Marks marks(RecordGenerator sample, ProducerConfig config) {
        boolean each = config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG).equals("none");
        Identity batch = config.getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG) ? Identity.BATCH : Identity.NONE;
        return new Marks(
                sample.stamped() && each ? EndToEndSource.STAMP : EndToEndSource.BATCH_TIME,
                sample.identifiable() && each ? Identity.RECORD : batch);
    }

    /** A client has a separate sequence for each partition. */
    @Override
    public int identities(ProducerSpec spec, Slice slice, ToIntFunction<String> partitions) {
        int all = 0;
        for (int client = slice.from(); client < slice.to(); client++) {
            List<String> topics = spec.oneTopicEach()
                    ? List.of(spec.topics().get(client % spec.topics().size()))
                    : spec.topics();
            all += topics.stream().mapToInt(partitions).sum();
        }
        return all;
    }

    @Override
    public boolean lightens(ProducerSpec spec) {
        return spec.engine().equals(Engine.DEFAULT)
                && !spec.transactions().enabled()
                && spec.record().payload() instanceof RecordSpec.Payload.Random
                && spec.record().mix().isEmpty();
    }

    @Override
    public Consumers create(ConsumerKind.Entry entry) {
        return new RawConsumers(entry);
    }

    @Override
    public void check(ConsumerSpec spec, String part) {
        LoadKind.refuse(
                spec.commit() instanceof ConsumerSpec.Commit.Sync || spec.commit() instanceof ConsumerSpec.Commit.Async,
                part + ".commit",
                "load.rawCommitsNothing");
        LoadKind.refuse(
                "none".equals(spec.config().get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG)),
                part + ".config.auto.offset.reset",
                "load.rawHasNoOffsets");
        LoadKind.refuse(spec.decoding().isPresent(), part + ".schema", "load.rawDecodesNothing");
        ConsumerKind.checkBlocking(spec, part);
    }

    /** The configured name is ignored, because no such group exists on the cluster. */
    @Override
    public String groupId(LoadContext context, ConsumerSpec spec, String part, int group) {
        return context.runTag() + "-" + part + "-group-" + group;
    }

    @Override
    public boolean feedsAudit(boolean byBatch) {
        return true;
    }
}
