package io.plimsoll.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A group of equal producers that share one schedule.
 *
 * @param settings values of {@link ProducerKeys} and of the keys of the engine
 */
public record ProducerSpec(Settings settings) {
    public <T> ProducerSpec with(Key<T> key, T value) {
        return new ProducerSpec(settings.with(key, value));
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    /** One or more; records are sent to them in turn. */
    public List<String> topics() {
        return get(ProducerKeys.TOPIC);
    }

    /** Whether each client sends to one of the topics, assigned in turn, instead of to all. */
    public boolean oneTopicEach() {
        return get(ProducerKeys.ONE_TOPIC_EACH);
    }

    public int clients() {
        return get(ProducerKeys.CLIENTS);
    }

    /** Sending threads per client. */
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

    /** Records that all threads together send in the measured part; empty: bound by time. */
    public OptionalLong records() {
        return get(ProducerKeys.RECORDS);
    }

    /** Length of the measured part if not bound by records; empty: the scenario's. */
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

    /** Partitions of each topic that get records in turn; empty: key or partitioner decide. */
    public List<Integer> partitions() {
        return get(ProducerKeys.PARTITIONS);
    }

    /** Labels of the agents of a fleet that run it; empty: any agent. */
    public Map<String, String> on() {
        return get(ProducerKeys.ON);
    }

    /** Replies of an application to its records; empty: none expected. */
    public Optional<ReplySpec> reply() {
        return get(ProducerKeys.REPLY);
    }

    public int totalThreads() {
        return clients() * threads();
    }

    /** Distribution of arrivals. */
    public enum Arrivals {
        UNIFORM,
        /** Exponential gaps, seeded. */
        POISSON;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
