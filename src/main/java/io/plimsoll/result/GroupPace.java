package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.plimsoll.stats.Trend;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether a consumer group received what was produced for it. This is the one rule by which trials, searches and warnings
 * judge groups of every kind, with a window of any length. It looks at the least lag of each second, which rises only if
 * records are left at every moment of it:
 *
 * <ul>
 *   <li>The lag that a group is able to work off again is in flight: the largest fall of its least lag, and at least what
 *       one look may miss.
 *   <li>It <em>fell behind</em> if its least lag grew by more than is in flight, by more than 1 % of what was produced, and by
 *       more than a second of load, or half of it all. So much may be left by chance: producers fill one partition for a
 *       while before they turn to another, and the member that reads it has all of the load then.
 *   <li>It <em>kept up</em> if its least lag did not grow, or not by more than 5 % of what was produced, which a second of load
 *       is in 20 s; and if what is in flight, and what its lag has grown by at the end, are at most 5 % too, or the lag at the
 *       end is at most 5 % of all that was produced.
 *   <li>Otherwise the window is too short to tell, which is no pass.
 * </ul>
 *
 * <p>Of a group that a quota holds back the whole load counts, the warm-up included: a quota grants all at once what was not
 * used in its window of many seconds. A load shorter than that window tells of no such group that it kept up.
 *
 * @param outcome {@code keptUp}, {@code fellBehind} or {@code undecided}
 * @param receivedPerSecond records that the group received, per second
 * @param behindPerSecond records per second by which it fell behind; 0 unless it did
 * @param decidableSeconds length of a window that decides; null if this one did, or if its lag is unknown
 */
public record GroupPace(String outcome, double receivedPerSecond, double behindPerSecond, Double decidableSeconds) {
    public static final String KEPT_UP = "keptUp";
    public static final String FELL_BEHIND = "fellBehind";
    public static final String UNDECIDED = "undecided";

    /** Figures of a group of others. */
    static final String PACE = "pace";

    static final String DECIDABLE = "decidableSeconds";

    /** Growth of a lag that is none, as a part of what was produced. */
    private static final double GROWTH = 0.01;
    /** What may be missing unnoticed, likewise. */
    private static final double RESOLUTION = 0.05;
    /** What is in flight at most, as a part of the most that looks have seen. */
    private static final double UNSEEN = 1.5;
    /** Records that may be in flight at any rate. */
    private static final double FEW = 5;
    /** Seconds of load that may be left by chance. */
    private static final double CHANCE_SECONDS = 1;
    /** A part of what was produced that is never left by chance. */
    private static final double MOSTLY = 0.5;
    /** Values of which the least is taken at either end of a load. */
    private static final int AT_FIRST = 6;

    private static final int AT_LAST = 3;
    private static final int MOST_BUCKETS = 300;
    /** By default a broker adds up eleven samples of a second, see {@code quota.window.num}. */
    private static final double QUOTA_WINDOW_SECONDS = 11;

    /** A group whose lag is unknown. */
    static final GroupPace UNKNOWN = new GroupPace(UNDECIDED, 0, 0, null);

    /** The source of a lag. */
    enum Source {
        /** Clients of this process, or the coordinator of a share group. */
        RECEIVED(0.02),
        /** Commits, which are seen a moment late, and come in lumps: a lag of 0 may be a few seconds old. */
        COMMITTED(0.5);

        /** Seconds of load by which a look may be wrong. */
        private final double unseenSeconds;

        Source(double unseenSeconds) {
            this.unseenSeconds = unseenSeconds;
        }
    }

    /**
     * A look at a group.
     *
     * @param at in seconds of the trial
     * @param measured within the measured window, otherwise in the warm-up
     * @param lag records that it had not received then
     * @param least the least lag since the look before
     * @param produced records that had been produced for it since the first look
     */
    record Look(double at, boolean measured, double lag, double least, double produced) {}

    @JsonIgnore
    public boolean isBehind() {
        return FELL_BEHIND.equals(outcome);
    }

    @JsonIgnore
    public boolean isUndecided() {
        return UNDECIDED.equals(outcome);
    }

    /** The part of what was produced for it that it did not receive, 0 to 1; 0 unless it fell behind. */
    @JsonIgnore
    public double behindShare() {
        return isBehind() ? behindPerSecond / (receivedPerSecond + behindPerSecond) : 0;
    }

    /** The groups of a trial that were to follow its producers, those of others too, by id. */
    public static Map<String, GroupPace> of(TrialResult trial) {
        Map<String, GroupPace> paces = new TreeMap<>();
        if (trial.consume() != null) {
            trial.consume().groups().stream()
                    .filter(group -> group.pace() != null)
                    .forEach(group -> paces.put(group.id(), group.pace()));
        }
        trial.observed().groups().forEach(group -> paces.put((String) group.get("id"), ofOthers(group)));
        return paces;
    }

    /** Whether a group of a trial fell behind. */
    public static boolean anyBehind(TrialResult trial) {
        return of(trial).values().stream().anyMatch(GroupPace::isBehind);
    }

    private static GroupPace ofOthers(Map<String, Object> group) {
        return new GroupPace(
                (String) group.getOrDefault(PACE, UNDECIDED),
                number(group.get("consumed")),
                number(group.get("growth")),
                group.get(DECIDABLE) instanceof Number n ? n.doubleValue() : null);
    }

    private static double number(Object value) {
        return value instanceof Number n ? n.doubleValue() : 0;
    }

    /**
     * @param looks of the load in their order, about evenly spaced
     * @param throttled a quota held the group back at some time of the load
     */
    static GroupPace of(List<Look> looks, Source source, boolean throttled) {
        int first = (int) looks.stream().takeWhile(l -> !l.measured()).count();
        int from = throttled ? 0 : Math.max(0, first - 1);
        int count = looks.size() - from;
        if (first == looks.size() || count < 2) {
            return UNKNOWN;
        }
        Look begin = looks.get(from);
        Look end = looks.get(looks.size() - 1);
        double seconds = end.at - begin.at;
        double produced = end.produced - begin.produced;
        double left = end.lag - begin.lag;
        double received = Math.max(0, produced - left) / seconds;
        double[] least = looks.stream().mapToDouble(Look::least).toArray();
        boolean bursts = throttled && least.length >= AT_FIRST + AT_LAST;
        double growth = bursts
                ? least(least, least.length - AT_LAST, least.length) - least(least, 0, AT_FIRST)
                : growth(Arrays.copyOfRange(least, from, least.length));
        // A backlog that is worked off evenly is not in flight.
        double backlogPerLook = bursts ? 0 : Math.min(0, growth) / (count - 1);
        double fall = bursts ? 0 : largestFall(least, Math.max(0, from - count), backlogPerLook);
        double rate = produced / seconds;
        double inFlight = Math.max(Math.max(FEW, UNSEEN * fall), source.unseenSeconds * rate);
        double little = Math.max(inFlight, GROWTH * produced);
        double chance = Math.min(CHANCE_SECONDS * rate, MOSTLY * produced);
        if (growth > Math.max(little, chance)) {
            return new GroupPace(FELL_BEHIND, received, growth / seconds, null);
        }
        double unexplained = Math.max(inFlight, left);
        boolean decided = (growth <= little || chance <= RESOLUTION * produced)
                && (unexplained <= RESOLUTION * produced
                        || (source == Source.RECEIVED && end.lag <= RESOLUTION * end.produced));
        boolean granted = throttled && end.at - looks.get(0).at < QUOTA_WINDOW_SECONDS - 1;
        if (decided && !granted) {
            return new GroupPace(KEPT_UP, received, 0, null);
        }
        double decidable = granted ? QUOTA_WINDOW_SECONDS : 0;
        if (growth > little) {
            decidable = Math.max(decidable, Math.min(CHANCE_SECONDS / RESOLUTION, chance * seconds / growth));
        } else if (produced > 0) {
            // A longer window may end when most is in flight.
            double most = looks.stream().skip(from).mapToDouble(Look::lag).max().orElse(0);
            decidable = Math.max(decidable, Math.max(unexplained, most) * seconds / (RESOLUTION * produced));
        }
        return new GroupPace(UNDECIDED, received, 0, decidable > 0 ? decidable : null);
    }

    /** Over the whole series, by the slope that most pairs of its values have. */
    private static double growth(double[] lag) {
        double[] buckets = Trend.coarsen(lag, MOST_BUCKETS);
        double range =
                Arrays.stream(lag).max().orElse(0) - Arrays.stream(lag).min().orElse(0);
        return Math.min(range, Trend.theilSenSlope(buckets) * (buckets.length - 1));
    }

    /** Records worked off at once: the largest fall of the lag from a look to a later one, beyond this slope per look. */
    private static double largestFall(double[] lag, int from, double slope) {
        double most = Double.NEGATIVE_INFINITY;
        double fall = 0;
        for (int i = from; i < lag.length; i++) {
            double above = lag[i] - slope * i;
            most = Math.max(most, above);
            fall = Math.max(fall, most - above);
        }
        return fall;
    }

    private static double least(double[] values, int from, int to) {
        return Arrays.stream(values, from, to).min().orElse(0);
    }
}
