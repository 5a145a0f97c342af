package io.plimsoll.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A set of equal consumer groups.
 *
 * @param settings values of {@link ConsumerKeys} and of the keys of the engine
 */
public record ConsumerSpec(Settings settings) {
    /** Default of {@code max.poll.records}. */
    private static final long DEFAULT_POLL_RECORDS = 500;

    /** Groups with default settings. */
    public static ConsumerSpec of(List<String> topics) {
        return new ConsumerSpec(Settings.NONE.with(ConsumerKeys.TOPIC, topics));
    }

    public <T> ConsumerSpec with(Key<T> key, T value) {
        return new ConsumerSpec(settings.with(key, value));
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    public List<String> topics() {
        return get(ConsumerKeys.TOPIC);
    }

    /** The topics of one of the groups. */
    public List<String> topicsOf(int group) {
        return oneTopicEach() ? List.of(topics().get(group % topics().size())) : topics();
    }

    /** Whether each group reads one of the topics, assigned in turn, instead of all. */
    public boolean oneTopicEach() {
        return get(ConsumerKeys.ONE_TOPIC_EACH);
    }

    /** Number of groups, 1 or more; each reads all records. */
    public int groups() {
        return get(ConsumerKeys.GROUPS);
    }

    /** Consumers per group, 1 or more. */
    public int members() {
        return get(ConsumerKeys.MEMBERS);
    }

    public Start start() {
        return get(ConsumerKeys.START).start();
    }

    /** The place to which the group's offsets are set before it joins; empty: unchanged. */
    public Optional<Rewind> rewind() {
        return get(ConsumerKeys.START).rewind();
    }

    public Commit commit() {
        return get(ConsumerKeys.COMMIT);
    }

    public String engine() {
        return get(ConsumerKeys.ENGINE);
    }

    /** Topics that they write their records to. */
    public Set<String> writes() {
        return Engine.all().get(engine()).writes(this);
    }

    /** Whether they change settings of existing groups. */
    public boolean changesGroups() {
        return Engine.all().get(engine()).changesGroups(this);
    }

    /** Records after which each group ends; empty: it ends after the producers, when it has caught up. */
    public OptionalLong records() {
        return get(ConsumerKeys.RECORDS);
    }

    /** Time without records after which a group bound by records gives up. */
    public Duration idleTimeout() {
        return get(ConsumerKeys.IDLE_TIMEOUT);
    }

    /** Properties of the Kafka consumer. */
    public Map<String, String> config() {
        return get(ConsumerKeys.CONFIG);
    }

    /** Simulated processing of each member. */
    public Optional<WorkSpec> work() {
        return get(ConsumerKeys.WORK);
    }

    /** The check of their records; empty for none. */
    public Optional<SchemaSpec.Decoding> decoding() {
        return get(ConsumerKeys.SCHEMA);
    }

    /**
     * Maximum records per second of one group, by the work of its members; may be infinite.
     *
     * @param partitions of its topics, which limit the number of busy members
     */
    public double mostPerSecond(int partitions) {
        if (work().isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        WorkSpec work = work().get();
        double records = work.threads();
        if (work.shape() == WorkSpec.Shape.PER_BATCH) {
            records = engine().equals(Engine.DEFAULT)
                    ? LoadKeys.number(config(), "max.poll.records", DEFAULT_POLL_RECORDS)
                    : Double.POSITIVE_INFINITY;
        }
        int busy = Engine.all().get(engine()).sharesPartitions() ? members() : Math.min(members(), partitions);
        return busy * records * 1e9 / work.time().toNanos();
    }

    /** Labels of the agents of a fleet that run it; empty: any agent. */
    public Map<String, String> on() {
        return get(ConsumerKeys.ON);
    }

    /** Start of reading, offsets to set before, and whether it reads from disk. */
    public record Begin(Start start, Optional<Rewind> rewind, boolean cold) {
        static final Begin EARLIEST = new Begin(new Start.Earliest(), Optional.empty(), false);

        /** Whether the groups start after the producers. */
        boolean isLate() {
            return start instanceof Start.AfterProduce
                    || start instanceof Start.Backlog
                    || start instanceof Start.BacklogBytes;
        }
    }

    /** Whether the groups start after the producers, with a window of their own. */
    public boolean startsLate() {
        return get(ConsumerKeys.START).isLate();
    }

    /** Whether the groups read only when their topics are on disk and not in the page cache of the brokers' host. */
    public boolean startsCold() {
        return get(ConsumerKeys.START).cold();
    }

    /** Whether the groups start when their backlog is large enough. */
    public boolean isBacklog() {
        return start() instanceof Start.Backlog || start() instanceof Start.BacklogBytes;
    }

    /** Place and time of the first read. */
    public sealed interface Start {
        record Earliest() implements Start {}

        record Latest() implements Start {}

        /** The first record, once all producers of the trial are done. */
        record AfterProduce() implements Start {}

        /** The first record, after this time of producing. */
        record Backlog(Duration time) implements Start {}

        /** This offset in each partition, or the nearest existing one. */
        record Offset(long offset) implements Start {}

        /** The first record of each partition that is not older, or the end. */
        record Timestamp(Instant time) implements Start {}

        /** The first record, once this many key and value bytes are acknowledged in its topics, including warm-up. */
        record BacklogBytes(long bytes) implements Start {}
    }

    /** A place to set offsets to, as {@code kafka-consumer-groups --reset-offsets}. */
    public sealed interface Rewind {
        /** The first record of each partition. */
        record ToBeginning() implements Rewind {}

        /** The first record of each partition that is not older than this. */
        record ToTime(Instant time) implements Rewind {}
    }

    public sealed interface Commit {

        default String text() {
            if (this instanceof Sync sync) {
                return "sync every " + sync.everyPolls();
            } else if (this instanceof Async async) {
                return "async every " + async.everyPolls();
            }
            return this instanceof None ? "none" : "auto";
        }
        /** The client commits, every {@code auto.commit.interval.ms}. */
        record Auto() implements Commit {}

        record None() implements Commit {}

        /** Blocks after this many polls with records. */
        record Sync(long everyPolls) implements Commit {}

        /** Does not block. */
        record Async(long everyPolls) implements Commit {}
    }
}
