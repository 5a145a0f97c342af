package io.plimsoll.result;

import io.plimsoll.result.TrialResult.PartitionResult;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What consumers did not read although it is nobody's lag: partitions that none of them has, and records that are gone. Pure. */
public final class Unread {
    /** So little of what was produced may be on its way when the load ends. */
    private static final double LEFT = 0.01;

    private Unread() {}

    /** Partitions that records came into and from which none was read, of topics of which others were read. */
    public static int partitions(TrialResult trial) {
        return (int) unread(trial).count();
    }

    /** The share of the records that came into these, 0 to 1. */
    public static double share(TrialResult trial) {
        double all = produced(trial);
        return all <= 0 ? 0 : unread(trial).mapToLong(PartitionResult::produced).sum() / all;
    }

    private static Stream<PartitionResult> unread(TrialResult trial) {
        Set<String> read = readTopics(trial);
        return trial.detail().partitions().stream()
                .filter(p -> read.contains(p.topic()) && p.produced() > 0 && p.consumed() == 0);
    }

    /** The part of what was produced that was deleted before it was read, 0 to 1: neither was it read, nor is it left to read. */
    public static double deleted(TrialResult trial) {
        double deleted = trial.observed().cluster().get("recordsDeleted") instanceof Number n ? n.doubleValue() : 0;
        double produced = produced(trial);
        if (trial.consume() == null || deleted <= 0 || produced <= 0) {
            return 0;
        }
        double read = trial.detail().partitions().stream()
                .mapToLong(PartitionResult::consumed)
                .sum();
        double left = trial.consume().groups().stream()
                .mapToLong(g -> g.lagAtEnd() == null ? 0 : g.lagAtEnd())
                .sum();
        double skipped = wanted(trial) * produced * trial.consume().groups().size() - read - left;
        return Math.max(0, Math.min(1, Math.min(deleted, skipped) / produced));
    }

    /** The part of what was produced that went to topics of which anything was read, 0 to 1; 1 where nothing was read at all. */
    public static double wanted(TrialResult trial) {
        Set<String> read = readTopics(trial);
        double produced = produced(trial);
        return read.isEmpty() || produced <= 0 ? 1 : produced(trial, p -> read.contains(p.topic())) / produced;
    }

    /**
     * Whether next to nothing was left to read in the last second of the window, of what groups read: they need not read
     * all topics. What they read later, while the load drains, does not count, where that is known. Where records were deleted
     * what is left says nothing.
     */
    public static boolean hardlyAny(TrialResult trial) {
        double most = LEFT * produced(trial);
        boolean deleted = trial.observed().cluster().get("recordsDeleted") instanceof Number n && n.doubleValue() > 0;
        Long then = trial.measured()
                .map(TrialResult.Second::lag)
                .filter(Objects::nonNull)
                .reduce((before, last) -> last)
                .orElse(null);
        return !deleted
                && (then == null || then <= most)
                && trial.consume().groups().stream().allMatch(g -> g.lagAtEnd() != null && g.lagAtEnd() <= most);
    }

    /** Whether all groups read the same topic. */
    public static boolean oneTopic(TrialResult trial) {
        return readTopics(trial).size() == 1;
    }

    private static Set<String> readTopics(TrialResult trial) {
        return trial.detail().partitions().stream()
                .filter(p -> p.consumed() > 0)
                .map(PartitionResult::topic)
                .collect(Collectors.toSet());
    }

    private static double produced(TrialResult trial) {
        return produced(trial, p -> true);
    }

    private static double produced(TrialResult trial, Predicate<PartitionResult> which) {
        return trial.detail().partitions().stream()
                .filter(which)
                .mapToLong(PartitionResult::produced)
                .sum();
    }
}
