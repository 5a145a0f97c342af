package io.plimsoll.result;

import io.plimsoll.result.TrialResult.PartitionResult;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Records that consumers did not read and that are not part of any lag: unread partitions and deleted records. Pure. */
public final class ReadGaps {
    /** Share of the produced records that can be in flight at the end of the load. */
    private static final double LEFT = 0.01;

    /** Number of partitions with records that no consumer read, in topics with other partitions that were read. */
    public static int partitions(TrialResult trial) {
        return (int) unread(trial).count();
    }

    /** Share of the produced records that are in these unread partitions, 0 to 1. */
    public static double share(TrialResult trial) {
        double all = produced(trial);
        return all <= 0 ? 0 : unread(trial).mapToLong(PartitionResult::produced).sum() / all;
    }

    private static Stream<PartitionResult> unread(TrialResult trial) {
        Set<String> read = readTopics(trial);
        return trial.detail().partitions().stream()
                .filter(p -> read.contains(p.topic()) && p.produced() > 0 && p.consumed() == 0);
    }

    /** Share of the produced records that were deleted unread, 0 to 1. */
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

    /** Share of the produced records that are in topics with reads, 0 to 1; 1 if nothing was read. */
    public static double wanted(TrialResult trial) {
        Set<String> read = readTopics(trial);
        double produced = produced(trial);
        return read.isEmpty() || produced <= 0 ? 1 : produced(trial, p -> read.contains(p.topic())) / produced;
    }

    /**
     * Whether almost no records of the groups' topics were unread, both in the last second of the window, if known, and
     * at the end of the trial. False if records were deleted, because the lag is not evidence then.
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
                && trial.consume() != null
                && trial.consume().groups().stream().allMatch(g -> g.lagAtEnd() != null && g.lagAtEnd() <= most);
    }

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
