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

/** How one kind makes producers, and what others have to know of them. Any thread. */
public interface ProducerKind {

    /**
     * One entry of {@code producers} on one worker.
     *
     * @param slice of the entry's clients that are made here
     * @param part name of the entry in client ids and messages, such as {@code producers-0}
     * @param warmup its end; it runs at the schedule's initial rate
     * @param partitions how many partitions each of these topics has; asks the cluster
     * @param appendTimes topics whose records get their times from the brokers
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
     * Makes the producers of an entry, which are not connected yet.
     *
     * @throws PlimsollException {@link io.plimsoll.Exit#USAGE} if a payload file cannot be read or the rate cannot be
     *     kept
     */
    Producers create(Entry entry);

    /** @throws PlimsollException {@link io.plimsoll.Exit#USAGE} for what producers of this kind cannot do */
    default void check(ProducerSpec spec, String part) {}

    /**
     * Makes a client and closes it again, without a connection.
     *
     * @throws PlimsollException {@link io.plimsoll.Exit#USAGE} if the properties do not allow that, for want of a key
     *     store for example
     */
    default void tryOut(LoadContext context, ProducerSpec spec, String part) {
        ClientProperties.producer(ClientProperties.of(context, spec, part, 0), part)
                .close(Duration.ZERO);
    }

    /**
     * Says what the records of an entry carry.
     *
     * @param sample what its records are like
     * @param config the properties of its clients
     */
    Marks marks(RecordGenerator sample, ProducerConfig config);

    /** The marks that the records of an entry carry, whose kind has producers. */
    static Marks marksOf(LoadContext context, ProducerSpec spec) {
        String part = "producers";
        return LoadKind.producers(spec.engine())
                .marks(ProducerLoad.sample(context, spec, part), ClientProperties.config(context, spec, part));
    }

    /**
     * How many producers of identities these clients are: as many as count sequences of their own.
     *
     * @param partitions how many partitions a topic has; asks the cluster
     */
    int identities(ProducerSpec spec, Slice slice, ToIntFunction<String> partitions);

    /** Whether it makes the load of another kind's entry with less CPU of the host. */
    default boolean lightens(ProducerSpec spec) {
        return false;
    }

    /** The mark by which a record is known again, wherever it is read. */
    enum Identity {
        /** The identity in its value. */
        RECORD,
        /** Kafka's own producer id and sequence in the header of its batch. */
        BATCH,
        NONE
    }

    /**
     * The marks that records carry, by which they are known again.
     *
     * @param latencyFrom what end-to-end latency is measured from where timestamps are the producer's
     */
    record Marks(EndToEndSource latencyFrom, Identity identity) {}
}
