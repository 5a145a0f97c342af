package io.plimsoll.scenario;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A group of like producers that share one schedule.
 *
 * @param topics one or more; records go to them in turn
 * @param oneTopicEach each client sends to one of the topics, dealt in turn, instead of to all
 * @param clients producer instances, 1 or more
 * @param threads sending threads per client; {@code clients × threads} threads in all.
 * @param engine name of the {@link Engine} that makes this load
 * @param connections of each client to each broker, 1 or more
 * @param rate of all threads of this entry together
 * @param records how many records all threads together send in the measured part; empty: bound by time
 * @param duration the measured part if not bound by records; empty: the scenario's
 * @param config any property of the Kafka producer, as text
 * @param partitions of each topic, to which records go in turn; empty: key or partitioner decide
 * @param on labels that an agent of a fleet must have to be given a part of it; empty: any
 */
public record ProducerSpec(
        List<String> topics,
        boolean oneTopicEach,
        int clients,
        int threads,
        String engine,
        int connections,
        Rate rate,
        Arrivals arrivals,
        OptionalLong records,
        Optional<Duration> duration,
        RecordSpec record,
        SendMode send,
        Transactions transactions,
        Map<String, String> config,
        List<Integer> partitions,
        Map<String, String> on) {
    public ProducerSpec {
        on = on == null ? Map.of() : Map.copyOf(on);
        topics = List.copyOf(topics);
        partitions = List.copyOf(partitions);
        config = Collections.unmodifiableMap(new LinkedHashMap<>(config));
    }

    /** The same but for what is changed in a draft of it. */
    public ProducerSpec with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new ProducerSpec(
                topics,
                oneTopicEach,
                draft.clients,
                threads,
                draft.engine,
                connections,
                draft.rate,
                arrivals,
                draft.records,
                draft.duration,
                draft.record,
                send,
                transactions,
                draft.config,
                draft.partitions,
                on);
    }

    /** What of a producer may be changed. */
    public static final class Draft {
        public int clients;
        public String engine;
        public Rate rate;
        public OptionalLong records;
        public Optional<Duration> duration;
        public RecordSpec record;
        public Map<String, String> config;
        public List<Integer> partitions;

        private Draft(ProducerSpec of) {
            clients = of.clients;
            engine = of.engine;
            rate = of.rate;
            records = of.records;
            duration = of.duration;
            record = of.record;
            config = of.config;
            partitions = of.partitions;
        }
    }

    /** All sending threads of this entry. */
    public int totalThreads() {
        return clients * threads;
    }

    /** How arrivals are spread around the rate. */
    public enum Arrivals {
        /** Evenly. */
        UNIFORM,
        /** Exponential gaps, seeded. */
        POISSON
    }
}
