package io.plimsoll.load.client;

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
import io.plimsoll.scenario.ProducerSpec;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The kind that uses the official Kafka client and supports all settings. */
public final class ClientKind implements LoadKind, ProducerKind, ConsumerKind {

    @Override
    public String name() {
        return "client";
    }

    @Override
    public Producers create(ProducerKind.Entry entry) {
        return new ClientProducers(entry);
    }

    @Override
    public Marks marks(RecordGenerator sample, ProducerConfig config) {
        return new Marks(
                sample.stamped() ? EndToEndSource.STAMP : EndToEndSource.CREATE_TIME,
                sample.identifiable() ? Identity.RECORD : Identity.NONE);
    }

    /** A sending thread has one sequence for all partitions, because the client chooses the partition later. */
    @Override
    public int identities(ProducerSpec spec, Slice slice, ToIntFunction<String> partitions) {
        return slice.count() * spec.threads();
    }

    @Override
    public Consumers create(ConsumerKind.Entry entry) {
        return new ClientConsumers(entry);
    }

    @Override
    public void tryOut(LoadContext context, ConsumerSpec spec, String part) {
        ClientConsumers.tryOut(context, spec, groupId(context, spec, part, 0), part);
    }

    /** The client's API does not expose batch headers. */
    @Override
    public boolean feedsAudit(boolean byBatch) {
        return !byBatch;
    }
}
