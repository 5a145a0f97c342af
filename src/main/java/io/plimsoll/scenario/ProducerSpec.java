package io.plimsoll.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A group of like producers that share one schedule.
 *
 * @param settings values of {@link ProducerKeys}, and of the keys that a kind of producer has for itself
 */
public record ProducerSpec(Settings settings) {
    public <T> ProducerSpec with(Key<T> key, T value) {
        return new ProducerSpec(settings.with(key, value));
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    /** One or more; records go to them in turn. */
    public List<String> topics() {
        return get(ProducerKeys.TOPIC);
    }

    /** Whether each client sends to one of the topics, dealt in turn, instead of to all. */
    public boolean oneTopicEach() {
        return get(ProducerKeys.ONE_TOPIC_EACH);
    }

    /** Producer instances, 1 or more. */
    public int clients() {
        return get(ProducerKeys.CLIENTS);
    }

    /** Sending threads per client; {@code clients × threads} threads in all. */
    public int threads() {
        return get(ProducerKeys.THREADS);
    }

    public String engine() {
        return get(ProducerKeys.ENGINE);
    }

    public Rate rate() {
        return get(ProducerKeys.RATE);
    }

    public Arrivals arrivals() {
        return get(ProducerKeys.ARRIVALS);
    }

    /** The records that all threads together send in the measured part; empty: bound by time. */
    public OptionalLong records() {
        return get(ProducerKeys.RECORDS);
    }

    /** The measured part if not bound by records; empty: the scenario's. */
    public Optional<Duration> duration() {
        return get(ProducerKeys.DURATION);
    }

    public RecordSpec record() {
        return get(ProducerKeys.RECORD);
    }

    public SendMode send() {
        return get(ProducerKeys.SEND);
    }

    public Transactions transactions() {
        return get(ProducerKeys.TRANSACTIONS);
    }

    public Map<String, String> config() {
        return get(ProducerKeys.CONFIG);
    }

    /** Partitions of each topic to which records go in turn; empty: key or partitioner decide. */
    public List<Integer> partitions() {
        return get(ProducerKeys.PARTITIONS);
    }

    /** Labels that an agent of a fleet must have to be given a part of it; empty: any. */
    public Map<String, String> on() {
        return get(ProducerKeys.ON);
    }

    /** The answers of an application to its records; empty: nobody waits for any. */
    public Optional<ReplySpec> reply() {
        return get(ProducerKeys.REPLY);
    }

    public int totalThreads() {
        return clients() * threads();
    }

    /** The spread of arrivals around the rate. */
    public enum Arrivals {
        UNIFORM,
        /** Exponential gaps, seeded. */
        POISSON;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
