package io.plimsoll.report.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.Figures;
import io.plimsoll.stats.RatioInterval;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The findings of {@code plimsoll compare}: each side compared with the first.
 *
 * @param warnings reasons why the comparison is unfair or uncertain
 * @param trials one entry for each trial of the first side and each other side that has the same trial
 * @param ceilings one entry for each search of the first side and each other side that has the same search
 * @param unpaired trials without a counterpart
 */
@JsonPropertyOrder("schema")
public record Comparison(
        Sentence sentence,
        List<Side> sides,
        List<Difference> differences,
        List<Sentence> warnings,
        List<TrialPair> trials,
        List<CeilingPair> ceilings,
        List<Sentence> unpaired,
        @Nullable Gate gate) {
    @JsonProperty
    public String schema() {
        return "plimsoll.comparison/1";
    }

    public record Side(String label, String what, List<String> runs, Instant startedAt) {}

    /**
     * @param group {@code scenario}, {@code client settings}, {@code tool}, {@code cluster} or {@code host}
     * @param values one for each side; null for a side without the setting
     * @param unfair whether this difference alone can change the figures
     */
    public record Difference(String group, String what, List<@Nullable String> values, boolean unfair) {}

    /**
     * A trial on two sides.
     *
     * @param name on the first side
     * @param measured whether both sides have a valid and complete run
     * @param curves for pictures; not in JSON
     */
    public record TrialPair(
            String name,
            Map<String, String> parameters,
            String first,
            String second,
            boolean measured,
            List<FigureLine> figures,
            @JsonIgnore List<Curve> curves) {}

    public record Curve(String side, List<TrialResult.Second> seconds) {}

    /**
     * @param figure as in checks
     * @param unit {@code us}, {@code bytes/s} or {@code bytes}
     * @param first geometric mean over several runs; null if not measured
     * @param interval null with too few samples, like its {@code basis}
     * @param detectable smallest detectable relative difference; null if no interval covers the variation between runs
     * @param outcome always {@link Outcome#UNKNOWN} if the interval is based on {@link Basis#SECONDS}
     */
    public record FigureLine(
            String figure,
            String unit,
            @Nullable Double first,
            @Nullable Double second,
            @Nullable RatioInterval interval,
            @Nullable Basis basis,
            @Nullable Double detectable,
            Outcome outcome) {
        /** Second ÷ first; empty unless both sides measured the figure and neither is zero. */
        public OptionalDouble ratio() {
            return first != null && second != null && first > 0 && second > 0
                    ? OptionalDouble.of(second / first)
                    : OptionalDouble.empty();
        }

        /** Whether a higher value is better. */
        public boolean moreIsBetter() {
            return Figures.moreIsBetter(figure).orElse(false);
        }
    }

    public enum Basis {
        /** Seconds of one run per side: only the variation within a run is known, which does not support a verdict. */
        SECONDS,
        RUNS,
        /** Alternating runs, compared pair by pair. */
        PAIRS;

        @JsonValue
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** The result of the second side compared with the first. */
    public enum Outcome {
        BETTER("better"),
        WORSE("worse"),
        NO_DIFFERENCE("noDifference"),
        UNKNOWN("unknown");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        @JsonValue
        public String text() {
            return text;
        }
    }

    /**
     * Ceilings of the same setting. They differ if their nearest bounds differ by more than the variation between
     * searches.
     * @param measured false if a search has no conclusive result
     * @param lost minimum relative loss of the second ceiling, 0 or less without a loss; null with too few searches
     * @param loads the tried loads of each search, for charts; not in JSON
     */
    public record CeilingPair(
            Map<String, String> parameters,
            String first,
            String second,
            boolean measured,
            CeilingBounds firstBounds,
            CeilingBounds secondBounds,
            @Nullable Double lost,
            Outcome outcome,
            @JsonIgnore List<LoadCurve> loads) {}

    public record LoadCurve(String side, CeilingBounds bounds, List<Ceiling.CurvePoint> points) {}

    /** Highest passed and lowest failed load in records/s, over all searches. */
    public record CeilingBounds(
            @Nullable Double lower, @Nullable Double upper) {}

    /**
     * @param tolerance maximum relative regression
     * @param regressions figures that are worse by more than the tolerance, even at the favorable end of the interval
     * @param undecided figures without a verdict: too few runs, too much variation, or worse by about the tolerance
     * @param notExcluded figures for which a regression beyond the tolerance is possible but not proven; these do not
     *     fail the gate
     * @param unmeasured trials and ceilings of the first side that are missing on another side, or invalid on either
     *     side
     */
    @JsonPropertyOrder({"tolerance", "passed"})
    public record Gate(
            double tolerance,
            List<Sentence> regressions,
            List<Sentence> undecided,
            List<Sentence> notExcluded,
            List<Sentence> unmeasured) {
        /**
         * A figure is undecided if its smallest detectable relative change is at least this value: a change to ten
         * times as much.
         */
        public static final double MOST_TELLING = 9;

        static Gate of(
                double tolerance, List<TrialPair> trials, List<CeilingPair> ceilings, List<Sentence> onlyInFirst) {
            Gate gate = new Gate(
                    tolerance, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(onlyInFirst));
            trials.forEach(gate::judge);
            ceilings.forEach(gate::judge);
            return gate;
        }

        /** Whether the gate passed. A figure that is undecided or was not measured fails it, too. */
        @JsonProperty
        public boolean passed() {
            return regressions.isEmpty() && undecided.isEmpty() && unmeasured.isEmpty();
        }

        private void judge(TrialPair pair) {
            if (!pair.measured()) {
                unmeasured.add(Sentence.of("report.compare.noMeasure", pair.name(), pair.first(), pair.second()));
                return;
            }
            for (FigureLine line : pair.figures()) {
                RatioInterval interval = line.interval();
                boolean worse = line.outcome() == Outcome.WORSE;
                if (worse && (interval == null || worse(line, interval.low(), interval.high()) > tolerance)) {
                    regressions.add(where("report.compare.where", line, pair));
                } else if (interval == null) {
                    boolean missing = (line.first() == null) != (line.second() == null);
                    undecided.add(where(missing ? "report.compare.missing" : "report.compare.where", line, pair));
                } else if (line.outcome() == Outcome.UNKNOWN) {
                    undecided.add(where("report.compare.where", line, pair));
                } else if (worse(line, interval.high(), interval.low()) > tolerance) {
                    boolean far = worse && worse(line, interval.ratio(), interval.ratio()) > tolerance;
                    boolean open = interval.detectable() >= MOST_TELLING || far;
                    (open ? undecided : notExcluded).add(where("report.compare.where", line, pair));
                }
            }
        }

        private void judge(CeilingPair pair) {
            if (!pair.measured()) {
                unmeasured.add(Sentence.of("report.compare.noCeiling", pair.first(), pair.second()));
            } else if (pair.lost() == null) {
                undecided.add(Sentence.of("report.compare.ceilingIn", pair.second()));
            } else if (pair.lost() > tolerance) {
                regressions.add(Sentence.of("report.compare.ceilingIn", pair.second()));
            }
        }

        private static Sentence where(String key, FigureLine line, TrialPair pair) {
            return Sentence.of(key, line.figure(), pair.name(), pair.second());
        }

        /**
         * The relative regression, from the ratio {@code costs} for a figure such as a time, or {@code gains} for one
         * such as a rate.
         */
        private static double worse(FigureLine line, double costs, double gains) {
            return line.moreIsBetter() ? 1 - gains : costs - 1;
        }
    }
}
