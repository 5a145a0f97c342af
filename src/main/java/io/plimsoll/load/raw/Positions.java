package io.plimsoll.load.raw;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.GroupState;
import io.plimsoll.wire.OffsetLookup;
import io.plimsoll.wire.RawErrors;
import io.plimsoll.wire.RawLink;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;

/** Finds out where partitions without a position are to be read from. Owned by the reading thread. */
final class Positions {
    private final ReadPartition[] partitions;
    private final FetchSettings settings;
    private final RawCluster cluster;
    private final GroupState group;
    private final Map<TopicPartition, ReadPartition> byName = new HashMap<>();
    private boolean changed;
    private PlimsollException failure;
    /** Partitions without a position that nobody is asked about. */
    private int missing;

    Positions(ReadPartition[] partitions, FetchSettings settings, RawCluster cluster, GroupState group) {
        this.partitions = partitions;
        this.settings = settings;
        this.cluster = cluster;
        this.group = group;
        for (ReadPartition partition : partitions) {
            byName.put(partition.name, partition);
        }
        missing = partitions.length;
    }

    /** True once after positions were found. */
    boolean changed() {
        boolean was = changed;
        changed = false;
        return was;
    }

    boolean complete() {
        return Stream.of(partitions).allMatch(ReadPartition::positioned);
    }

    /** The position is not there (any more): look for another as the settings say. */
    void reset(ReadPartition partition) {
        partition.offset = -1;
        partition.lookFor = settings.lookFor(System.currentTimeMillis());
        missing++;
    }

    /**
     * Asks the leaders where that is due.
     *
     * @throws PlimsollException if a leader refuses to tell
     */
    void tick(long nowNanos) {
        if (failure != null) {
            throw failure;
        }
        if (missing == 0) {
            return;
        }
        Map<RawLink, Map<TopicPartition, Long>> questions = new HashMap<>();
        for (ReadPartition partition : partitions) {
            boolean due = !partition.positioned() && !partition.lookingUp && nowNanos >= partition.retryAtNanos;
            if (due && partition.link != null && partition.link.idle()) {
                questions.computeIfAbsent(partition.link, l -> new HashMap<>()).put(partition.name, partition.lookFor);
            }
        }
        questions.forEach(this::ask);
    }

    private void ask(RawLink link, Map<TopicPartition, Long> question) {
        question.keySet().forEach(name -> byName.get(name).lookingUp = true);
        missing -= question.size();
        OffsetLookup.send(link, question, settings.limits().readCommitted(), cluster.clientId, answers -> {
            if (answers == null) {
                cluster.markStale();
            }
            for (TopicPartition name : question.keySet()) {
                answered(byName.get(name), answers == null ? null : answers.get(name));
            }
        });
    }

    private void answered(ReadPartition partition, OffsetLookup.Answer answer) {
        partition.lookingUp = false;
        if (answer != null && RawErrors.ok(answer.error()) && answer.offset() >= 0) {
            if (partition.wanted > answer.offset() && partition.lookFor == OffsetLookup.EARLIEST) {
                // It may lie behind the end: that is looked for next.
                partition.lookFor = OffsetLookup.LATEST;
                missing++;
                return;
            }
            boolean atWanted = partition.wanted >= 0 && partition.lookFor == OffsetLookup.LATEST;
            partition.offset = atWanted ? Math.min(partition.wanted, answer.offset()) : answer.offset();
            partition.wanted = -1;
            group.positioned(partition.name, partition.offset);
            changed = true;
            return;
        }
        missing++;
        if (answer != null && RawErrors.ok(answer.error())) {
            // No record is so late: what comes from now on is.
            partition.lookFor = OffsetLookup.LATEST;
            return;
        }
        partition.retryAtNanos = System.nanoTime() + settings.retryBackoffNanos();
        if (answer != null) {
            cluster.markStale();
            Exception error = RawErrors.exception(answer.error());
            if (error instanceof AuthorizationException) {
                failure = KafkaErrors.explain(
                        error, "read the offsets of", KafkaErrors.topics(List.of(partition.name.topic())));
            }
        }
    }
}
