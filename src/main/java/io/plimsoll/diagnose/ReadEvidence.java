package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.Map;

/**
 * How consumers read, by what they say of themselves.
 *
 * @param slowest the group with the most left to read; null if unknown
 * @param lag share of what was produced, or of what their work allows, that was not read in time
 * @param ofWork what was read ÷ what their work allows; null if they have none
 * @param client what the clients say of themselves
 */
record ReadEvidence(Sentence slowest, String rate, double lag, Double ofWork, Map<String, Double> client) {

    /** Share of their time that they wait in {@code poll}. */
    double idle() {
        return client.get("pollIdle");
    }

    double commits() {
        return client.getOrDefault("commitShare", 0.0);
    }

    /** Null if unknown. */
    Double fetchMs() {
        return client.get("fetchMs");
    }

    /** Bytes of a fetch, on average; null if unknown. */
    Double fetchBytes() {
        Double fetches = client.get("fetches");
        Double bytes = client.get("fetchBytes");
        return fetches == null || bytes == null || fetches <= 0 ? null : Double.valueOf(bytes / fetches);
    }

    /** Bytes a second that all members fetch; 0 if unknown. */
    double fetchedPerSecond() {
        double seconds = client.getOrDefault("seconds", 0.0) / Math.max(1, client.getOrDefault("clients", 1.0));
        return seconds <= 0 ? 0 : client.getOrDefault("fetchBytes", 0.0) / seconds;
    }

    /**
     * Share of the time in rebalances. Clients count one when it is over; while it lasts, none of the members has a
     * partition.
     */
    double rebalances() {
        return Math.min(
                1, Math.max(client.getOrDefault("rebalanceShare", 0.0), client.getOrDefault("noneAssigned", 0.0)));
    }

    double late() {
        return ramp(lag, 0.01, 0.1);
    }

    /** The degree to which they wait for their own work, and not for data, 0 to 1. */
    double working() {
        double outside = ofWork == null ? ramp(1 - idle(), 0.4, 0.8) : ramp(ofWork, 0.8, 0.95);
        return Math.max(outside, ramp(commits(), 0.3, 0.6));
    }

    /** The degree to which they wait for data. Work that takes longer than it should leaves little of both. */
    double waiting() {
        return (1 - working()) * (ofWork == null ? 1 : ramp(idle(), 0.1, 0.4));
    }

    /** The degree to which they have no partitions to read, 0 to 1. */
    double rebalancing() {
        return ramp(rebalances(), 0.05, 0.3);
    }

    /** The degree to which their polls lie so far apart that they are put out of their group, 0 to 1. */
    double pollsTooLate() {
        Double most = client.get("maxPollIntervalMs");
        Double between = client.get("betweenPollsMs");
        return most == null || between == null ? 0 : ramp(between / Math.max(1, most), 0.9, 1);
    }

    /** Records that members of share groups may have in hand at a time; 0 if they are of other groups. */
    double locks() {
        return client.getOrDefault("recordLocks", 0.0);
    }

    /** Bytes that may be in a fetch, of each partition and in all; infinite if unknown. */
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

    /** What their work allows a second; null if they have none. */
    String allowed() {
        return ofWork == null ? null : Units.rate(client.get("workBound"));
    }

    /** Share of its time that the member which waits least waits in {@code poll}. */
    double leastIdle() {
        return client.getOrDefault("leastPollIdle", idle());
    }

    /** The degree to which one member has no time left while others wait for records, 0 to 1. */
    double alone() {
        return ramp(1 - leastIdle(), 0.5, 0.9) * ramp(idle() - leastIdle(), 0.1, 0.3);
    }

    /** Partitions that all groups have to read; 0 if unknown. */
    double toRead() {
        return client.getOrDefault("toRead", 0.0);
    }

    /** How many of them the members of the load have, on average. */
    double assigned() {
        return client.getOrDefault("assigned", toRead());
    }

    double mostAssigned() {
        return client.getOrDefault("mostAssigned", 0.0);
    }

    /** The degree to which the member with most partitions has more than an even assignment gives it, 0 to 1. */
    double uneven() {
        double members = client.getOrDefault("members", 0.0);
        return members < 2 || toRead() <= 0
                ? 0
                : ramp(mostAssigned() / Math.max(1, Math.ceil(toRead() / members)), 1.3, 2);
    }

    /** Records that a poll brings to members whose work is for each poll, whatever it brings; 0 if it is not, or unknown. */
    double perPoll(TrialEvidence e) {
        Double polls = client.get("polls");
        double read = TrialEvidence.orElse(e.trial().consume().volume().recordsPerSecond(), 0);
        return polls == null || polls <= 0 || !client.containsKey("workPerPollMs")
                ? 0
                : read / polls / Math.max(1, client.getOrDefault("members", 1.0));
    }

    static ReadEvidence of(TrialEvidence e) {
        Map<String, Double> client = e.consumers();
        if (client == null) {
            return null;
        }
        Sentence slowest = e.trial().consume().groups().stream()
                .filter(g -> g.lagAtEnd() != null)
                .max(Comparator.comparing(Group::lagAtEnd))
                .map(g -> Sentence.of("diagnose.group", g.id()))
                .orElse(null);
        return new ReadEvidence(
                slowest, Units.rate(e.trial().consume().volume().recordsPerSecond()), e.behind(), e.ofWork(), client);
    }
}
