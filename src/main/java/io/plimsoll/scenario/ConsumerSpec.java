package io.plimsoll.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A set of like consumer groups.
 *
 * @param oneTopicEach each group reads one of the topics, dealt in turn, instead of all
 * @param groups how many groups, each of which reads everything; 1 or more
 * @param members consumers per group, 1 or more
 * @param rewind where the group's offsets are set before it joins; empty: they stay as they are
 * @param engine name of the {@link Engine} that makes this load
 * @param records each group ends after so many records; empty: it reads until the trial's producers are done and it
 *     has caught up
 * @param idleTimeout a group bound by records gives up when nothing came for so long
 * @param config any property of the Kafka consumer, as text; {@code group.protocol} selects classic or consumer
 * @param on labels that an agent of a fleet must have to be given a part of it; empty: any
 */
public record ConsumerSpec(
        List<String> topics,
        boolean oneTopicEach,
        int groups,
        int members,
        Start start,
        Optional<Rewind> rewind,
        Commit commit,
        String engine,
        OptionalLong records,
        Duration idleTimeout,
        Map<String, String> config,
        Map<String, String> on) {
    public ConsumerSpec {
        on = on == null ? Map.of() : Map.copyOf(on);
        topics = List.copyOf(topics);
        config = Collections.unmodifiableMap(new LinkedHashMap<>(config));
    }

    /** What one of the groups reads. */
    public List<String> topicsOf(int group) {
        return oneTopicEach ? List.of(topics.get(group % topics.size())) : topics;
    }

    /** Each group reads all topics, without rewinding. */
    public ConsumerSpec(
            List<String> topics,
            int groups,
            int members,
            Start start,
            Commit commit,
            String engine,
            OptionalLong records,
            Duration idleTimeout,
            Map<String, String> config) {
        this(
                topics,
                false,
                groups,
                members,
                start,
                Optional.empty(),
                commit,
                engine,
                records,
                idleTimeout,
                config,
                Map.of());
    }

    /** True if the groups are held back at first, and read in a window of their own. */
    public boolean startsLate() {
        return start instanceof Start.AfterProduce || isBacklog();
    }

    /** True if the groups are held back until there is enough for them to read. */
    public boolean isBacklog() {
        return start instanceof Start.Backlog || start instanceof Start.BacklogBytes;
    }

    /** Where and when reading begins. */
    public sealed interface Start {
        record Earliest() implements Start {}

        record Latest() implements Start {}

        /** From the beginning, once all producers of the trial are done. */
        record AfterProduce() implements Start {}

        /** From the beginning, once producing has gone on for so long. */
        record Backlog(Duration time) implements Start {}

        /** In each partition at this offset, or at the nearest that is there. */
        record Offset(long offset) implements Start {}

        /** In each partition at the first record that is not older; at the end if there is none. */
        record Timestamp(Instant time) implements Start {}

        /**
         * From the beginning, once so many key + value bytes have been acknowledged in the entry's topics, the warm-up's
         * included.
         */
        record BacklogBytes(long bytes) implements Start {}
    }

    /** Where the offsets of a group are set, as with {@code kafka-consumer-groups --reset-offsets}. */
    public sealed interface Rewind {
        /** To the first record of each partition. */
        record ToBeginning() implements Rewind {}

        /** To the first record of each partition that is not older than this. */
        record ToTime(Instant time) implements Rewind {}
    }

    /** How offsets are committed. */
    public sealed interface Commit {
        /** By the client, every {@code auto.commit.interval.ms}. */
        record Auto() implements Commit {}

        record None() implements Commit {}

        /** Blocks after every so many polls that returned records. */
        record Sync(long everyPolls) implements Commit {}

        /** Does not block. */
        record Async(long everyPolls) implements Commit {}
    }
}
