package io.plimsoll.report.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.TrialResult;
import io.plimsoll.stats.RatioInterval;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The findings of {@code plimsoll compare}: the first side is what the others are compared with.
 *
 * @param sentence one sentence a person would say
 * @param differences what was not the same on all sides
 * @param warnings what makes the comparison unfair or unsure
 * @param trials one entry for each trial of the first side and each other side that has it
 * @param ceilings the same for searches
 * @param unpaired trials that were compared with nothing, in words
 * @param gate null if nothing was asked for
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
        Gate gate) {
    /** The format of this value as JSON. */
    @JsonProperty
    public String schema() {
        return "plimsoll.comparison/1";
    }

    /**
     * @param label A, B, C, …
     * @param what its runs have that the other sides' do not, or the name of the run
     * @param runs paths as they were given
     */
    public record Side(String label, String what, List<String> runs, Instant startedAt) {}

    /**
     * @param group {@code scenario}, {@code client settings}, {@code tool}, {@code cluster} or {@code host}
     * @param values one a side; null where there is none
     * @param unfair true if figures differ for this reason alone
     */
    public record Difference(String group, String what, List<String> values, boolean unfair) {}

    /**
     * A trial on two sides.
     *
     * @param name of the trial on the first side
     * @param first label of the first side
     * @param second label of the other side
     * @param measured false if it is no measure of the cluster on a side, or was not complete there in any run
     * @param curves for pictures; not in JSON, as the runs have them
     */
    public record TrialPair(
            String name,
            Map<String, String> parameters,
            String first,
            String second,
            boolean measured,
            List<FigureLine> figures,
            @JsonIgnore List<Curve> curves) {}

    /** The seconds of one trial of a side. */
    public record Curve(String side, List<TrialResult.Second> seconds) {}

    /**
     * @param figure as in checks
     * @param unit {@code us} or {@code bytes/s} or {@code records/s}
     * @param first of several runs the geometric mean; null if it was not measured
     * @param interval null if there is too little to tell
     * @param basis what the interval rests on; null without
     * @param detectable differences below this share would not have shown; null without an interval
     */
    public record FigureLine(
            String figure,
            String unit,
            Double first,
            Double second,
            RatioInterval interval,
            Basis basis,
            Double detectable,
            Outcome outcome) {}

    /** The basis of an interval. */
    public enum Basis {
        /** The seconds of one run a side. */
        SECONDS,
        /** Several runs. */
        RUNS,
        /** Runs made in turns, pair by pair. */
        PAIRS;

        @JsonValue
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** The second side, seen from the first. */
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
     * Ceilings of the same setting. They differ if their bounds do not overlap.
     *
     * @param measured false if a side's search has no answer that is sure
     * @param firstBounds in records/s, either null if unknown
     * @param loads what each side's search tried, for pictures; not in JSON, as the runs have it
     */
    public record CeilingPair(
            Map<String, String> parameters,
            String first,
            String second,
            boolean measured,
            CeilingBounds firstBounds,
            CeilingBounds secondBounds,
            Outcome outcome,
            @JsonIgnore List<LoadCurve> loads) {}

    /** The loads that a search tried, from the lowest on. */
    public record LoadCurve(String side, CeilingBounds bounds, List<Ceiling.CurvePoint> points) {}

    /** Bounds in records/s: the highest that passed, the lowest that failed; null if unknown. */
    public record CeilingBounds(Double lower, Double upper) {}

    /**
     * @param tolerance share by which a figure may be worse
     * @param regressions figures that are worse by more, even at the interval's end that is nearer to no change
     * @param undecided figures that are worse by more, or may be, without being sure
     * @param unmeasured trials and ceilings of the first side that say nothing of the cluster on a side, or are missing on the other
     */
    public record Gate(
            double tolerance,
            boolean passed,
            List<Sentence> regressions,
            List<Sentence> undecided,
            List<Sentence> unmeasured) {
        static Gate of(
                double tolerance, List<TrialPair> trials, List<CeilingPair> ceilings, List<Sentence> onlyInFirst) {
            List<Sentence> regressions = new ArrayList<>();
            List<Sentence> undecided = new ArrayList<>();
            List<Sentence> unmeasured = new ArrayList<>(onlyInFirst);
            for (TrialPair pair : trials) {
                if (!pair.measured()) {
                    unmeasured.add(Sentence.of("report.compare.noMeasure", pair.name(), pair.first(), pair.second()));
                    continue;
                }
                for (FigureLine line : pair.figures()) {
                    if (stopped(line)) {
                        regressions.add(where("report.compare.where", line, pair));
                    } else if (line.interval() == null) {
                        boolean missing = line.first() != null && line.second() == null;
                        undecided.add(where(missing ? "report.compare.missing" : "report.compare.unsure", line, pair));
                    } else if (worstCase(line, false) > tolerance) {
                        regressions.add(where("report.compare.where", line, pair));
                    } else if (worstCase(line, true) > tolerance) {
                        undecided.add(where("report.compare.where", line, pair));
                    }
                }
            }
            for (CeilingPair pair : ceilings) {
                if (!pair.measured()) {
                    unmeasured.add(Sentence.of("report.compare.noCeiling", pair.first(), pair.second()));
                } else if (lost(pair) > tolerance) {
                    regressions.add(Sentence.of("report.compare.ceilingIn", pair.second()));
                }
            }
            boolean passed = regressions.isEmpty() && unmeasured.isEmpty();
            return new Gate(
                    tolerance, passed, List.copyOf(regressions), List.copyOf(undecided), List.copyOf(unmeasured));
        }

        /** A rate that is nothing any more has no ratio. */
        private static boolean stopped(FigureLine line) {
            boolean rate = !line.unit().equals("us");
            return rate && line.first() != null && line.first() > 0 && line.second() != null && line.second() == 0;
        }

        private static Sentence where(String key, FigureLine line, TrialPair pair) {
            return Sentence.of(key, line.figure(), pair.name(), pair.second());
        }

        /** The share by which a figure is worse at one end of its interval: at the kinder one, or at the other. */
        private static double worstCase(FigureLine line, boolean worst) {
            RatioInterval i = line.interval();
            boolean time = line.unit().equals("us");
            double ratio = time == worst ? i.high() : i.low();
            return time ? ratio - 1 : 1 - ratio;
        }

        private static double lost(CeilingPair pair) {
            Double before = pair.firstBounds().lower();
            Double after = pair.secondBounds().upper();
            // Where all that was asked for is carried, nothing is lost.
            return before == null || after == null || before == 0 ? 0 : 1 - after / before;
        }
    }
}
