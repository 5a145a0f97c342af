package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.ms;
import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.TrialEvidence.greatest;
import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.TrialEvidence.ratio;
import static io.plimsoll.diagnose.TrialEvidence.total;

import io.plimsoll.result.GroupName;
import io.plimsoll.result.ReadGaps;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one consumer entry's groups, as reported by their clients.
 * @param slowest the group with the largest lag growth; null if unknown
 * @param groups all groups of the entry
 * @param perSecond records read per second by all groups
 * @param lag share of the produced records, or of the processing capacity, that was not read in time
 * @param last degree to which this entry, rather than other entries, falls behind; 1 for a single entry
 * @param client metrics of the clients
 */
record ReadEvidence(
        @Nullable Sentence slowest,
        List<Group> groups,
        double perSecond,
        double lag,
        double last,
        Map<String, Double> client) {
    private static final double UNREAD = 0.01;

    /** A finding about the slowest group: {@code degree} of its lag or excess end-to-end latency is due to one cause. */
    Finding finding(TrialEvidence e, double degree) {
        return finding(e, slowest, degree);
    }

    Finding finding(TrialEvidence e, @Nullable Sentence where, double degree) {
        return Finding.at(where, late() * degree).explains(slow(e) * degree);
    }

    /** A figure by the key of its sentence; null if unknown or zero. */
    @Nullable
    String shown(String key) {
        return switch (key) {
            case "diagnose.read" -> Units.rate(perSecond);
            case "diagnose.workAllows" -> allowed();
            case "diagnose.fallsBehind" -> lag > 0 ? percent(lag) : null;
            case "diagnose.outsidePoll" -> percent(1 - idle());
            case "diagnose.rebalanceShare" -> percent(rebalances());
            case "diagnose.aFetch" -> ms(fetchMs());
            default -> throw new IllegalArgumentException(key);
        };
    }

    /** Records read ÷ processing capacity; null without configured processing. */
    @Nullable
    Double ofWork() {
        Double most = client.get("workBound");
        return most == null ? null : Double.valueOf(perSecond / most);
    }

    /** Whether the groups are share groups, in which any member can read any record. */
    boolean shares() {
        return client.containsKey("recordLocks");
    }

    long rebalanced() {
        return groups.stream().mapToLong(Group::rebalances).sum();
    }

    /** Number of members in the largest group. */
    int members() {
        return groups.stream().mapToInt(Group::members).max().orElse(0);
    }

    /** Share of an excess end-to-end latency that these groups cause. */
    double slow(TrialEvidence e) {
        return e.slowReading() * last;
    }

    /** Share of time that the members wait in {@code poll}. */
    double idle() {
        return client.getOrDefault("pollIdle", 0.0);
    }

    double commits() {
        return client.getOrDefault("commitShare", 0.0);
    }

    /** Mean time of a fetch in ms. */
    @Nullable
    Double fetchMs() {
        return client.get("fetchMs");
    }

    /** Mean bytes per fetch. */
    @Nullable
    Double fetchBytes() {
        return ratio(client.get("fetchBytes"), client.get("fetches"));
    }

    /** Bytes fetched per second by all members; 0 if unknown. */
    double fetchedPerSecond() {
        double seconds = client.getOrDefault("seconds", 0.0) / Math.max(1, client.getOrDefault("clients", 1.0));
        return seconds <= 0 ? 0 : client.getOrDefault("fetchBytes", 0.0) / seconds;
    }

    /** Share of time spent in rebalances. Clients count a rebalance at its end; until then, no member has a partition. */
    double rebalances() {
        return Math.min(
                1, Math.max(client.getOrDefault("rebalanceShare", 0.0), client.getOrDefault("noneAssigned", 0.0)));
    }

    double late() {
        return ramp(lag, 0.01, 0.05);
    }

    /** Share of time spent in processing and commits, as a score from 0 to 1. */
    double working() {
        double outside = ofWork() == null ? ramp(1 - idle(), 0.4, 0.8) : ramp(ofWork(), 0.8, 0.95);
        return Math.max(outside, ramp(commits(), 0.3, 0.6));
    }

    /** Share of time spent waiting for data, as a score. Slow processing leaves little of it. */
    double waiting() {
        return (1 - working()) * (ofWork() == null ? 1 : ramp(idle(), 0.1, 0.4));
    }

    /** Share of time without partitions, as a score from 0 to 1. */
    double rebalancing() {
        return ramp(rebalances(), 0.05, 0.3);
    }

    /** Closeness of the poll interval to its maximum, as a score from 0 to 1. */
    double pollsTooLate() {
        Double most = client.get("maxPollIntervalMs");
        Double between = client.get("betweenPollsMs");
        return most == null || between == null ? 0 : ramp(between / Math.max(1, most), 0.9, 1);
    }

    /** Maximum number of locked records of share groups; 0 for other groups. */
    double locks() {
        return client.getOrDefault("recordLocks", 0.0);
    }

    /** Maximum bytes of a fetch, by partition and in total; infinite if unknown. */
    double mostFetched() {
        double infinite = Double.POSITIVE_INFINITY;
        double partitions = Math.max(1, mostAssigned());
        return Math.min(
                client.getOrDefault("fetchMaxBytes", infinite),
                client.getOrDefault("maxPartitionFetchBytes", infinite) * partitions);
    }

    double mostPolled() {
        return client.getOrDefault("maxPollRecords", 0.0);
    }

    /** Processing capacity per second; null without configured processing. */
    @Nullable
    String allowed() {
        Double most = client.get("workBound");
        return most == null ? null : Units.rate(most);
    }

    /** Share of time that the busiest member waits in {@code poll}. */
    double leastIdle() {
        return client.getOrDefault("leastPollIdle", idle());
    }

    /** Degree to which one member is saturated while other members wait for records, 0 to 1. */
    double alone() {
        return ramp(1 - leastIdle(), 0.5, 0.9) * ramp(idle() - leastIdle(), 0.1, 0.3);
    }

    /** Number of partitions that the groups read; 0 if unknown. */
    double toRead() {
        return client.getOrDefault("toRead", 0.0);
    }

    /** Mean number of the partitions in {@link #toRead} that members of the load own. */
    double assigned() {
        return client.getOrDefault("assigned", toRead());
    }

    double mostAssigned() {
        return client.getOrDefault("mostAssigned", 0.0);
    }

    /** Partitions of one member beyond an even assignment, as a score from 0 to 1. */
    double uneven() {
        double members = client.getOrDefault("members", 0.0);
        return members < 2 || toRead() <= 0
                ? 0
                : ramp(mostAssigned() / Math.max(1, Math.ceil(toRead() / members)), 1.3, 2);
    }

    /** Records per poll if members have a processing time per poll; otherwise, or if unknown, 0. */
    double perPoll() {
        Double polls = client.get("polls");
        return polls == null || polls <= 0 || !client.containsKey("workPerPollMs")
                ? 0
                : perSecond / polls / Math.max(1, client.getOrDefault("members", 1.0));
    }

    /** All entries with client metrics; null if none. */
    static @Nullable List<ReadEvidence> all(TrialEvidence e) {
        if (!e.consumes()) {
            return null;
        }
        Map<String, List<Group>> groups = new TreeMap<>();
        e.consume().groups().forEach(g -> groups.computeIfAbsent(
                        GroupName.of(e.trial(), g).part(), part -> new ArrayList<>())
                .add(g));
        Map<String, Map<String, Double>> clients = e.readers();
        List<ReadEvidence> alone = new ArrayList<>();
        clients.forEach((part, client) -> alone.add(
                of(e, clients.size() == 1 ? e.consume().groups() : groups.getOrDefault(part, List.of()), client)));
        double most = greatest(alone, ReadEvidence::lag);
        return alone.isEmpty()
                ? null
                : alone.stream()
                        .map(r -> r.beside(most <= 0 || alone.size() == 1 ? 1 : r.lag / most))
                        .toList();
    }

    static @Nullable List<ReadEvidence> ofShares(TrialEvidence e) {
        return those(e, true);
    }

    /** Entries of groups that assign each partition to one member. */
    static @Nullable List<ReadEvidence> ofPartitions(TrialEvidence e) {
        return those(e, false);
    }

    private static @Nullable List<ReadEvidence> those(TrialEvidence e, boolean shares) {
        List<ReadEvidence> all = all(e);
        return all == null
                ? null
                : all.stream().filter(r -> r.shares() == shares).toList();
    }

    private ReadEvidence beside(double degree) {
        return new ReadEvidence(slowest, groups, perSecond, lag, degree, client);
    }

    private static ReadEvidence of(TrialEvidence e, List<Group> groups, Map<String, Double> client) {
        Sentence slowest = groups.stream()
                .filter(g -> g.lagAtEnd() != null || groups.size() == 1)
                .max(Comparator.comparingDouble((Group g) -> g.paceOrUnknown().behindPerSecond())
                        .thenComparingDouble(g -> orElse(g.lagAtEnd(), 0)))
                .map(g -> GroupName.of(e.trial(), g).words())
                .orElse(null);
        if (paced(groups)) {
            double received = total(groups, g -> g.paceOrUnknown().receivedPerSecond());
            double behind = greatest(groups, g -> g.paceOrUnknown().behindShare());
            return new ReadEvidence(slowest, groups, received, behind, 1, client);
        }
        boolean only = e.readers().size() == 1;
        double all = orElse(e.consume().volume().recordsPerSecond(), 0);
        double rate = only ? all : perSecond(e, groups, client);
        return new ReadEvidence(slowest, groups, rate, only ? e.behind() : behind(e, groups, rate), 1, client);
    }

    static boolean paced(List<Group> groups) {
        return !groups.isEmpty()
                && groups.stream().noneMatch(g -> g.paceOrUnknown().isUndecided());
    }

    /**
     * Records per second of one entry of several: from its client counts or, in results of earlier versions, from its
     * groups' totals.
     */
    private static double perSecond(TrialEvidence e, List<Group> groups, Map<String, Double> client) {
        double seconds = Math.max(1e-9, e.seconds());
        Double each = client.get("recordsRead");
        return each == null
                ? groups.stream().mapToLong(Group::records).sum() / seconds
                : each * client.getOrDefault("seconds", 0.0) / seconds;
    }

    /**
     * Share of their records that the groups of one entry did not read in time; 0 if negligible. The number of records
     * is known if all groups read one topic; otherwise it is estimated from the lag at the end.
     */
    private static double behind(TrialEvidence e, List<Group> groups, double rate) {
        boolean left = !ReadGaps.oneTopic(e.trial()) && groups.stream().allMatch(g -> g.lagAtEnd() != null);
        if (e.consume().reading().backlog() != null || !e.produces()) {
            return e.behind();
        }
        double seconds = e.seconds() + orElse(e.trial().course().warmupSeconds(), 0);
        double unread = total(groups, g -> orElse(g.lagAtEnd(), 0));
        double arriving = left
                ? rate + unread / Math.max(1e-9, seconds)
                : e.producedPerSecond() * groups.size() * ReadGaps.wanted(e.trial());
        double behind = arriving <= 0 ? 0 : Math.max(0, 1 - rate / arriving);
        return behind < UNREAD ? 0 : behind;
    }
}
