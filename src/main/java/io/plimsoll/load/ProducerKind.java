package io.plimsoll.load;

import io.plimsoll.PlimsollException;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ProducerSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.producer.ProducerConfig;

/** A kind of producer: its factory and its properties. Usable by any thread. */
public interface ProducerKind {

    /**
     * One entry of {@code producers} on one worker.
     * @param slice local clients of the entry
     * @param part name of the entry in client IDs and messages, such as {@code producers-0}
     * @param warmup end of the warm-up, which runs at the schedule's initial rate
     * @param partitions returns the number of partitions of a topic; queries the cluster
     * @param appendTimes topics with {@code LogAppendTime} timestamps
     */
    record Entry(
            LoadContext context,
            ProducerSpec spec,
            Slice slice,
            String part,
            WarmupEnd warmup,
            Function<List<String>, int[]> partitions,
            Set<String> appendTimes) {}

    /**
     * Creates the producers of an entry, not yet connected.
     * @throws PlimsollException {@link io.plimsoll.Exit#USAGE} for an unreadable payload file or an impossible rate
     */
    Producers create(Entry entry);

    /** @throws PlimsollException {@link io.plimsoll.Exit#USAGE} for settings that this kind does not support */
    default void check(ProducerSpec spec, String part) {}

    /**
     * Creates and closes a client without connecting, to check its properties.
     * @throws PlimsollException {@link io.plimsoll.Exit#USAGE} if the properties are invalid
     */
    default void tryOut(LoadContext context, ProducerSpec spec, String part) {
        ClientProperties.producer(ClientProperties.of(context, spec, part, 0), part)
                .close(Duration.ZERO);
    }

    /**
     * The start time and the identity that an entry's records carry.
     * @param sample generator of the entry's records
     * @param config of the entry's clients
     */
    Marks marks(RecordGenerator sample, ProducerConfig config);

    static Marks marksOf(LoadContext context, ProducerSpec spec) {
        String part = "producers";
        return LoadKind.producers(spec.engine())
                .marks(ProducerLoad.sample(context, spec, part), ClientProperties.config(context, spec, part));
    }

    /**
     * The number of producers of an entry that appear in record identities; each has its own sequence.
     * @param partitions returns the number of partitions of a topic; queries the cluster
     */
    int identities(ProducerSpec spec, Slice slice, ToIntFunction<String> partitions);

    /** Whether this kind generates, with less CPU, the same load as another kind. */
    default boolean lightens(ProducerSpec spec) {
        return false;
    }

    /** How a record is identified wherever it is read. */
    enum Identity {
        RECORD,
        /** By Kafka's producer ID and sequence in the batch header. */
        BATCH,
        NONE
    }

    /** @param latencyFrom start of end-to-end latency if producers set the timestamps */
    record Marks(EndToEndSource latencyFrom, Identity identity) {}
}
