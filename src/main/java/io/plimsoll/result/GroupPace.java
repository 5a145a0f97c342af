package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.plimsoll.stats.Trend;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a consumer group kept up with the producers. Trials, searches and warnings judge all kinds of groups by this
 * rule, for windows of any length. The rule uses the minimum lag of each second, which rises only if records are unread
 * throughout that second:
 *
 * <ul>
 * <li>Lag that the group reduces again is in flight: the largest drop of its minimum lag, and at least the uncertainty
 * of one sample.
 * <li>A group <em>fell behind</em> if its minimum lag grew by more than the lag in flight and by more than 1 % of the
 * produced records. The growth must also exceed one second of load or half of the produced records. Smaller growth can
 * be due to chance: producers fill one partition at a time, so the reader of that partition then has the whole load.
 * <li>A group <em>kept up</em> if its minimum lag grew by at most 5 % of the produced records (in 20 s: one second of
 * load). In addition, the lag in flight and the growth of the lag must be at most 5 %. Alternatively, the lag at the
 * end must be at most 5 %, unless it is known only from commits.
 * <li>Otherwise the window is too short to decide, which is not a pass.
 * </ul>
 *
 * <p>For a group that a quota throttles, the warm-up counts as well: a quota grants the unused part of its window at
 * once. A load shorter than that window cannot show that such a group kept up.
 * @param outcome {@code keptUp}, {@code fellBehind} or {@code undecided}
 * @param receivedPerSecond records received per second
 * @param behindPerSecond growth of the lag in records per second; 0 unless the group fell behind
 * @param decidableSeconds window length that would be sufficient to decide; null if this window was sufficient, or if
 *     the lag is unknown
 */
public record GroupPace(
        String outcome,
        double receivedPerSecond,
        double behindPerSecond,
        @Nullable Double decidableSeconds) {
    public static final String KEPT_UP = "keptUp";
    public static final String FELL_BEHIND = "fellBehind";
    public static final String UNDECIDED = "undecided";

    static final String PACE = "pace";

    static final String DECIDABLE = "decidableSeconds";

    /** Growth of the lag, as a share of the produced records, up to which the lag counts as constant. */
    private static final double GROWTH = 0.01;
    /** Resolution of the decision, as a share of the produced records. */
    private static final double RESOLUTION = 0.05;
    /** Maximum lag in flight, as a multiple of the maximum that was observed. */
    private static final double UNSEEN = 1.5;
    /** Number of records that are always allowed in flight. */
    private static final double FEW = 5;
    /** Growth of the lag, in seconds of load, up to which it can be due to chance. */
    private static final double CHANCE_SECONDS = 1;
    /** Growth of the lag, as a share of the produced records, above which it is never due to chance. */
    private static final double MOSTLY = 0.5;
    /**
     * Number of samples at the start of a load from which the minimum is taken; at the end of the load, {@link
     * #AT_LAST}.
     */
    private static final int AT_FIRST = 6;

    private static final int AT_LAST = 3;
    private static final int MOST_BUCKETS = 300;
    /** Default quota window of a broker: eleven samples of one second, see {@code quota.window.num}. */
    private static final double QUOTA_WINDOW_SECONDS = 11;

    /** Window length in seconds with enough samples, even on a busy host: one sample is taken per second. */
    private static final double SAMPLED_SECONDS = 5;

    /** A group with an unknown lag. */
    static final GroupPace UNKNOWN = new GroupPace(UNDECIDED, 0, 0, null);

    enum Source {
        /** Lag from clients of this process, or from the coordinator of a share group. */
        RECEIVED(0.02),
        /** Lag from commits, which come late and in steps: a lag of 0 can be several seconds old. */
        COMMITTED(0.5);

        /** Uncertainty of one sample, in seconds of load. */
        private final double unseenSeconds;

        Source(double unseenSeconds) {
            this.unseenSeconds = unseenSeconds;
        }
    }

    /** A sample of a group, at {@code at} seconds of the trial; {@code least} is the lowest lag since the last sample. */
    record Look(double at, boolean measured, double lag, double least, double produced) {
        /**
         * The sample between an earlier one and this one.
         *
         * @param before the earlier sample; null if unknown, only for the end of the interval
         * @param part part of the interval between the samples, above 0; 1 for this sample
         */
        Look since(@Nullable Look before, double part) {
            return before == null || part == 1
                    ? this
                    : new Look(
                            between(before.at, at, part),
                            measured,
                            between(before.lag, lag, part),
                            between(before.least, least, part),
                            between(before.produced, produced, part));
        }

        private static double between(double from, double to, double part) {
            return from + part * (to - from);
        }
    }

    @JsonIgnore
    public boolean isBehind() {
        return FELL_BEHIND.equals(outcome);
    }

    @JsonIgnore
    public boolean isUndecided() {
        return UNDECIDED.equals(outcome);
    }

    /** Share of the produced records that the group did not receive, 0 to 1; 0 unless it fell behind. */
    @JsonIgnore
    public double behindShare() {
        return isBehind() ? behindPerSecond / (receivedPerSecond + behindPerSecond) : 0;
    }

    /** The pace of each group of a trial that follows its producers, by id; includes third-party groups. */
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

    private static double number(@Nullable Object value) {
        return value instanceof Number n ? n.doubleValue() : 0;
    }

    /** @param looks samples of the load in order, about evenly spaced */
    static GroupPace of(List<Look> looks, Source source, boolean throttled) {
        int first = (int) looks.stream().takeWhile(l -> !l.measured()).count();
        int from = throttled ? 0 : Math.max(0, first - 1);
        int count = looks.size() - from;
        if (looks.isEmpty()) {
            return UNKNOWN;
        }
        if (first == looks.size() || count < 2) {
            return new GroupPace(UNDECIDED, 0, 0, SAMPLED_SECONDS);
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
        // A backlog that is reduced evenly is not in flight.
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
            // A longer window can end when the lag in flight is at its maximum.
            double most = looks.stream().skip(from).mapToDouble(Look::lag).max().orElse(0);
            decidable = Math.max(decidable, Math.max(unexplained, most) * seconds / (RESOLUTION * produced));
        }
        return new GroupPace(UNDECIDED, received, 0, decidable > 0 ? decidable : null);
    }

    /** Growth over the whole series, by the median slope of all pairs of values. */
    private static double growth(double[] lag) {
        double[] buckets = Trend.coarsen(lag, MOST_BUCKETS);
        double range =
                Arrays.stream(lag).max().orElse(0) - Arrays.stream(lag).min().orElse(0);
        return Math.min(range, Trend.theilSenSlope(buckets) * (buckets.length - 1));
    }

    /** Largest drop in the lag from one sample to a later one, less this slope per sample. */
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
