package io.plimsoll.load.client;

import io.plimsoll.load.ClientProperties;
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
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The kind that makes load with the official Kafka client, which can do whatever a scenario asks. */
public final class ClientKind implements LoadKind {

    @Override
    public String name() {
        return "client";
    }

    @Override
    public Optional<ProducerKind> producers() {
        return Optional.of(new Producing());
    }

    @Override
    public Optional<ConsumerKind> consumers() {
        return Optional.of(new Consuming());
    }

    private static final class Producing implements ProducerKind {

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

        /** A sending thread counts over all partitions: Kafka's own partitioner knows where a record goes. */
        @Override
        public int identities(ProducerSpec spec, Slice slice, ToIntFunction<String> partitions) {
            return slice.count() * spec.threads();
        }
    }

    static class Consuming implements ConsumerKind {

        @Override
        public Consumers create(ConsumerKind.Entry entry) {
            return new ClientConsumers(entry);
        }

        @Override
        public void tryOut(LoadContext context, ConsumerSpec spec, String part) {
            String id = groupId(context, spec, part, 0);
            ClientConsumers.create(ClientProperties.of(context, spec, id, 0), part)
                    .close(ClientConsumers.AT_ONCE);
        }

        @Override
        public boolean ownsOffsets() {
            return true;
        }

        /** The client hands over records, and nothing of the batches in which they came. */
        @Override
        public boolean feedsAudit(boolean byBatch) {
            return !byBatch;
        }
    }
}
