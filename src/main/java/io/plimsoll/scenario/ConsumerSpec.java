package io.plimsoll.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A set of like consumer groups.
 *
 * @param settings values of {@link ConsumerKeys}, and of the keys that a kind of consumer has for itself
 */
public record ConsumerSpec(Settings settings) {
    /** Of Kafka's consumer, {@code max.poll.records}. */
    private static final long DEFAULT_POLL_RECORDS = 500;

    /** Groups that read some topics, for which nothing else was said. */
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

    /** The topics that one of the groups reads. */
    public List<String> topicsOf(int group) {
        return oneTopicEach() ? List.of(topics().get(group % topics().size())) : topics();
    }

    /** Whether each group reads one of the topics, dealt in turn, instead of all. */
    public boolean oneTopicEach() {
        return get(ConsumerKeys.ONE_TOPIC_EACH);
    }

    /** The number of groups, each of which reads everything; 1 or more. */
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

    /** The place where the group's offsets are set before it joins; empty: they stay as they are. */
    public Optional<Rewind> rewind() {
        return get(ConsumerKeys.START).rewind();
    }

    public Commit commit() {
        return get(ConsumerKeys.COMMIT);
    }

    public String engine() {
        return get(ConsumerKeys.ENGINE);
    }

    /** Topics that they write to what they read. */
    public Set<String> writes() {
        return Engine.all().get(engine()).writes(this);
    }

    /** Whether groups that are there already would have other settings. */
    public boolean changesGroups() {
        return Engine.all().get(engine()).changesGroups(this);
    }

    /** Each group ends after so many; empty: it reads until the trial's producers are done and it has caught up. */
    public OptionalLong records() {
        return get(ConsumerKeys.RECORDS);
    }

    /** A group bound by records gives up when nothing came for so long. */
    public Duration idleTimeout() {
        return get(ConsumerKeys.IDLE_TIMEOUT);
    }

    /** Any property of the Kafka consumer, as text; {@code group.protocol} selects classic or consumer. */
    public Map<String, String> config() {
        return get(ConsumerKeys.CONFIG);
    }

    /** What each member does with its records; empty: nothing. */
    public Optional<WorkSpec> work() {
        return get(ConsumerKeys.WORK);
    }

    /**
     * The records a second that one group can process at most, by the work of its members; infinite where that sets no
     * bound.
     *
     * @param partitions of the topics that it reads: where each has one member, more members than that do nothing
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

    /** Labels that an agent of a fleet must have to be given a part of it; empty: any. */
    public Map<String, String> on() {
        return get(ConsumerKeys.ON);
    }

    /** When reading begins, where the offsets are set before, if they are, and whether it reads from disk. */
    public record Begin(Start start, Optional<Rewind> rewind, boolean cold) {
        static final Begin EARLIEST = new Begin(new Start.Earliest(), Optional.empty(), false);

        /** Whether the groups are held back at first. */
        boolean isLate() {
            return start instanceof Start.AfterProduce
                    || start instanceof Start.Backlog
                    || start instanceof Start.BacklogBytes;
        }
    }

    /** True if the groups are held back at first, and read in a window of their own. */
    public boolean startsLate() {
        return get(ConsumerKeys.START).isLate();
    }

    /** True if the groups read only once their topics are on disk, and no longer in the memory of the brokers' host. */
    public boolean startsCold() {
        return get(ConsumerKeys.START).cold();
    }

    /** True if the groups are held back until there is enough for them to read. */
    public boolean isBacklog() {
        return start() instanceof Start.Backlog || start() instanceof Start.BacklogBytes;
    }

    /** The place and time at which reading begins. */
    public sealed interface Start {
        record Earliest() implements Start {}

        record Latest() implements Start {}

        /** Reading begins at the first record, once all producers of the trial are done. */
        record AfterProduce() implements Start {}

        /** Reading begins at the first record, once producing has gone on for so long. */
        record Backlog(Duration time) implements Start {}

        /** Reading begins in each partition at this offset, or at the nearest that is there. */
        record Offset(long offset) implements Start {}

        /** Reading begins in each partition at the first record that is not older; at the end if there is none. */
        record Timestamp(Instant time) implements Start {}

        /** From the beginning, once so many key + value bytes are acknowledged in its topics, warm-up included. */
        record BacklogBytes(long bytes) implements Start {}
    }

    /** A place to which the offsets of a group are set, as with {@code kafka-consumer-groups --reset-offsets}. */
    public sealed interface Rewind {
        /** The first record of each partition. */
        record ToBeginning() implements Rewind {}

        /** The first record of each partition that is not older than this. */
        record ToTime(Instant time) implements Rewind {}
    }

    /** A way of committing offsets. */
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

        /** Blocks after every so many polls that returned records. */
        record Sync(long everyPolls) implements Commit {}

        /** Does not block. */
        record Async(long everyPolls) implements Commit {}
    }
}
