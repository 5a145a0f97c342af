package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One entry of {@code ceilings}: the highest load that one setting carries, as a search found it.
 *
 * @param parameters what distinguishes this setting from others of the run; empty if there is one
 * @param cause what the limit was; null if unknown
 * @param curve what was measured, a point for each load, from the lowest on
 * @param remarks what a reader must know not to be misled, in plain words
 * @param bounds how near the highest load that passed is to what this host carries, as far as that is known
 * @param outage brokers that were away; null, and absent, if none were
 */
public record Ceiling(
        Map<String, String> parameters,
        @JsonUnwrapped Found found,
        @JsonUnwrapped Course course,
        Cause cause,
        List<CurvePoint> curve,
        List<Sentence> remarks,
        List<HostBound> bounds,
        @JsonInclude(JsonInclude.Include.NON_NULL) Outage outage) {

    /**
     * The ceiling itself.
     *
     * @param slo the user's criteria as text; null without any
     * @param sustained the most that is carried at all: no backlog grows, nothing fails, nothing is lost
     * @param withinSlo the most at which the user's criteria hold as well; null without any
     */
    public record Found(String slo, Bound sustained, Bound withinSlo) {
        /** The bounds that the user asked for most: within the criteria, if there are any. */
        public Bound decisive() {
            return withinSlo == null ? sustained : withinSlo;
        }
    }

    /**
     * How the search went.
     *
     * @param irregular a higher load passed where a lower one failed
     * @param generatorLimited what failed first was the load generator: the cluster carries at least the lower bound
     * @param end {@code found}, {@code mostReached}, {@code nothingPasses}, {@code generatorLimited}, {@code outOfTime} or
     *     {@code stopped}: why it ended; stopped by the user, by an error or for want of disk space
     * @param confirmed a longer trial at the lower bound passed
     */
    public record Course(boolean irregular, boolean generatorLimited, String end, boolean confirmed) {
        /** Whether the search found an answer that is sure. */
        public boolean answered() {
            return end.equals(FOUND) || end.equals(MOST_REACHED);
        }
    }

    public static final String FOUND = "found";
    public static final String MOST_REACHED = "mostReached";
    public static final String NOTHING_PASSES = "nothingPasses";
    public static final String GENERATOR_LIMITED = "generatorLimited";
    public static final String OUT_OF_TIME = "outOfTime";
    public static final String STOPPED = "stopped";

    /** Whether not even the smallest load was carried, within the user's criteria where there are any. */
    public boolean nothingPasses() {
        Bound decisive = found.decisive();
        boolean none = course.answered()
                && decisive != null
                && decisive.lowerRecordsPerSecond() == null
                && decisive.upperRecordsPerSecond() != null;
        return none || course.end().equals(NOTHING_PASSES);
    }

    public Ceiling {
        parameters = parameters == null ? Map.of() : parameters;
        curve = List.copyOf(curve);
        remarks = List.copyOf(remarks);
        // Results of earlier versions have none.
        bounds = bounds == null ? List.of() : List.copyOf(bounds);
    }

    /**
     * Brokers that were away during a search, and what a small load saw when they went. Everything but the brokers is null if
     * they were away before.
     *
     * @param brokers their ids
     * @param trial in which they went; the search began after it; null if they were away before
     * @param silentSeconds the longest that a partition was acknowledged nothing; null as well if none was silent
     * @param backSeconds until at least 95 % of the earlier throughput was there again
     * @param p99Before response time in the five seconds before, in microseconds; null as well with too few samples
     * @param p99During likewise, until throughput was back
     * @param p99After likewise, from then on
     */
    public record Outage(
            List<Integer> brokers,
            String trial,
            Double silentSeconds,
            Double backSeconds,
            Long p99Before,
            Long p99During,
            Long p99After) {
        /** The name of this setting among parameters. */
        public static final String PARAMETER = "without";

        /** The parameter's value where nothing is away. */
        public static final String NOTHING = "none";

        private static final String UNKNOWN = "–";

        public Outage {
            brokers = List.copyOf(brokers);
        }

        /** What happened when they went, in a sentence; empty if nobody has seen it. */
        public Optional<Sentence> told() {
            return trial == null
                    ? Optional.empty()
                    : Optional.of(Sentence.of(
                            "result.outage",
                            silentSeconds == null ? UNKNOWN : Units.duration(silentSeconds),
                            backSeconds == null ? UNKNOWN : Units.duration(backSeconds),
                            micros(p99During),
                            micros(p99Before),
                            micros(p99After)));
        }

        private static String micros(Long value) {
            return value == null ? UNKNOWN : Units.micros(value);
        }
    }

    /**
     * The two bounds of a ceiling.
     *
     * @param lowerRecordsPerSecond the highest load that passed; null if none did
     * @param upperRecordsPerSecond the lowest load above it that failed; null if none did
     * @param trials of full length at the two bounds
     * @param classified false if the search ended before the bounds had as many trials as they take
     */
    public record Bound(
            Double lowerRecordsPerSecond,
            Double upperRecordsPerSecond,
            Double lowerBytesPerSecond,
            Double upperBytesPerSecond,
            int trials,
            boolean classified) {}

    /**
     * The longest trial at one load.
     *
     * @param p50 response time in microseconds; null with too few samples
     * @param passed every criterion was met, the user's included
     * @param reasons why not
     */
    public record CurvePoint(
            double offeredRecordsPerSecond,
            double offeredBytesPerSecond,
            double recordsPerSecond,
            double bytesPerSecond,
            Long p50,
            Long p99,
            boolean passed,
            List<Sentence> reasons) {}

    /**
     * What stops the cluster from carrying more.
     *
     * @param proved a trial that changed this factor alone moved the ceiling
     * @param evidence the figures it rests on
     * @param others that were less likely
     * @param sentence as a person would say it; null if nothing stands out
     * @param stages see {@link Limits}, of a trial just beyond the ceiling
     * @param probes trials that changed one factor each; empty if none were made
     * @param proof what those trials say, in a sentence; null if none were made
     */
    public record Cause(
            @JsonUnwrapped Named named,
            boolean proved,
            List<Sentence> evidence,
            List<Suspect> others,
            Sentence sentence,
            List<Limits.Stage> stages,
            List<Probe> probes,
            Sentence proof) {
        public Cause {
            evidence = evidence == null ? List.of() : List.copyOf(evidence);
            others = others == null ? List.of() : List.copyOf(others);
            stages = stages == null ? List.of() : List.copyOf(stages);
            probes = probes == null ? List.of() : List.copyOf(probes);
        }
    }

    /**
     * The name of a cause.
     *
     * @param limit such as {@code client quota}; null if nothing stands out
     * @param where such as {@code broker 1}; null if that does not apply
     */
    public record Named(Sentence limit, Sentence where) {}

    /** A limit that was less likely, with what speaks for it. */
    public record Suspect(Sentence limit, Sentence evidence) {}

    /**
     * A trial that changed one factor, at a load near the ceiling.
     *
     * @param factor what was changed, such as {@code acks}
     * @param change such as {@code acks: all -> 1}
     * @param limits causes that this change would lift
     * @param offeredRecordsPerSecond the load
     * @param recordsPerSecond what was carried with the change
     * @param unchangedRecordsPerSecond what was carried without it, in trials made for comparison
     * @param moved it made more of a difference than trials differ anyway
     */
    public record Probe(
            Sentence factor,
            Sentence change,
            List<String> limits,
            Double offeredRecordsPerSecond,
            Double recordsPerSecond,
            Double unchangedRecordsPerSecond,
            boolean moved,
            Sentence sentence) {
        public Probe {
            limits = List.copyOf(limits);
        }
    }
}
