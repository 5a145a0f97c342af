package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One entry of {@code ceilings}: the highest load that one setting sustains, as found by a search.
 *
 * @param parameters settings that distinguish this ceiling from other ceilings of the run; empty if it is the only one
 * @param cause the limiting cause; null if unknown
 * @param curve one point per tested load, in ascending order
 * @param remarks remarks that affect the result
 * @param bounds use of this host's resources at the highest load that passed, as far as known
 * @param outage brokers that were down; null, and absent, if none were
 */
public record Ceiling(
        @JsonSetter(nulls = AS_EMPTY) Map<String, String> parameters,
        @JsonUnwrapped Found found,
        @JsonUnwrapped Course course,
        @Nullable Cause cause,
        @JsonSetter(nulls = AS_EMPTY) List<CurvePoint> curve,
        @JsonSetter(nulls = AS_EMPTY) List<Sentence> remarks,
        @JsonSetter(nulls = AS_EMPTY) List<HostBound> bounds,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Outage outage) {

    /**
     * The ceiling.
     *
     * @param slo the user's criteria as text; null if none
     * @param sustained highest load without a growing backlog, failures or loss
     * @param withinSlo highest sustained load that also meets the user's criteria; null without such criteria
     */
    public record Found(
            @Nullable String slo, Bound sustained, @Nullable Bound withinSlo) {
        /** The bounds within the user's criteria, or the sustained bounds without criteria. */
        public Bound decisive() {
            return withinSlo == null ? sustained : withinSlo;
        }
    }

    /**
     * Course of the search.
     *
     * @param irregular whether a higher load passed after a lower one failed
     * @param generatorLimited whether the load generator failed first, so the cluster sustains at least the lower bound
     * @param end {@code found}, {@code mostReached}, {@code nothingPasses}, {@code generatorLimited}, {@code outOfTime}
     *     or {@code stopped}: why the search ended; {@code stopped} by the user, an error or a full disk
     * @param confirmed whether a longer trial at the lower bound passed
     */
    public record Course(boolean irregular, boolean generatorLimited, String end, boolean confirmed) {
        /** Whether the search produced a conclusive result. */
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

    /** Whether even the lowest load failed, or missed the user's criteria, if any. */
    public boolean nothingPasses() {
        Bound decisive = found.decisive();
        boolean none = course.answered()
                && decisive != null
                && decisive.lowerRecordsPerSecond() == null
                && decisive.upperRecordsPerSecond() != null;
        return none || course.end().equals(NOTHING_PASSES);
    }

    /**
     * Brokers that were down during a search, and the effect of their outage on a light load. All fields except {@code
     * brokers} are null if the brokers were already down before the run.
     * @param brokers ids of the brokers that were down
     * @param trial trial in which they went down, before the search began; null if they were already down
     * @param silentSeconds longest time without an acknowledgment on one partition; null if no partition was silent
     * @param backSeconds time until at least 95 % of the previous throughput was restored
     * @param p99Before p99 response time in the five seconds before the outage, in microseconds; null with too few
     *     samples
     * @param p99During p99 response time until throughput was restored, in microseconds; null with too few samples
     * @param p99After p99 response time after throughput was restored, in microseconds; null with too few samples
     */
    public record Outage(
            @JsonSetter(nulls = AS_EMPTY) List<Integer> brokers,
            @Nullable String trial,
            @Nullable Double silentSeconds,
            @Nullable Double backSeconds,
            @Nullable Long p99Before,
            @Nullable Long p99During,
            @Nullable Long p99After) {
        /** Name of the parameter with the brokers that are down. */
        public static final String PARAMETER = "without";

        /** Value of the parameter {@link #PARAMETER} if no broker is down. */
        public static final String NOTHING = "none";

        private static final String UNKNOWN = "–";

        /** The effect of the outage as one sentence; empty if it was not measured. */
        public Optional<Sentence> effect() {
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

        private static String micros(@Nullable Long value) {
            return value == null ? UNKNOWN : Units.micros(value);
        }
    }

    /**
     * The two bounds of a ceiling.
     *
     * @param lowerRecordsPerSecond the highest load that passed; null if no load passed
     * @param upperRecordsPerSecond the lowest load above it that failed; null if no load failed
     * @param trials number of full-length trials at the two bounds
     * @param classified false if the search ended before both bounds had the required number of trials
     */
    public record Bound(
            @Nullable Double lowerRecordsPerSecond,
            @Nullable Double upperRecordsPerSecond,
            @Nullable Double lowerBytesPerSecond,
            @Nullable Double upperBytesPerSecond,
            int trials,
            boolean classified) {}

    /**
     * The longest trial at one load.
     *
     * @param p50 response time in microseconds; null with too few samples
     * @param passed whether every criterion was met, including the user's
     * @param reasons reasons why the load did not pass
     */
    public record CurvePoint(
            double offeredRecordsPerSecond,
            double offeredBytesPerSecond,
            double recordsPerSecond,
            double bytesPerSecond,
            @Nullable Long p50,
            @Nullable Long p99,
            boolean passed,
            List<Sentence> reasons) {}

    /**
     * The cause that limits the cluster.
     *
     * @param proved whether the ceiling moved when only the factor of this cause was changed
     * @param evidence figures that support the cause
     * @param others less likely causes
     * @param sentence the finding in one sentence; null if nothing stands out
     * @param stages stages of a trial just above the ceiling, see {@link Limits}
     * @param growth the stage that grew most from just below to just above the ceiling; null, and absent, if unknown
     * @param probes trials that changed one factor each; empty if none
     * @param proof result of these trials in one sentence; null if none
     */
    public record Cause(
            @JsonUnwrapped Named named,
            boolean proved,
            @JsonSetter(nulls = AS_EMPTY) List<Sentence> evidence,
            @JsonSetter(nulls = AS_EMPTY) List<Suspect> others,
            @Nullable Sentence sentence,
            @JsonSetter(nulls = AS_EMPTY) List<Limits.Stage> stages,
            @JsonInclude(JsonInclude.Include.NON_NULL) Limits.@Nullable Growth growth,
            @JsonSetter(nulls = AS_EMPTY) List<Probe> probes,
            @Nullable Sentence proof) {}

    /**
     * The name of a cause.
     *
     * @param limit name of the cause, such as {@code client quota}; null if nothing stands out
     * @param where place of the cause, such as {@code broker 1}; null if not applicable
     */
    public record Named(@Nullable Sentence limit, @Nullable Sentence where) {}

    /** A less likely cause and its evidence. */
    public record Suspect(Sentence limit, Sentence evidence) {}

    /**
     * A trial that changed one factor, at a load near the ceiling.
     *
     * @param factor the changed factor, such as {@code acks}
     * @param change the change, such as {@code acks: all -> 1}
     * @param limits causes that this change would remove
     * @param offeredRecordsPerSecond offered load
     * @param recordsPerSecond throughput with the change
     * @param unchangedRecordsPerSecond throughput without the change, in trials for comparison
     * @param moved whether the difference exceeds the normal variation between trials
     */
    public record Probe(
            Sentence factor,
            Sentence change,
            @JsonSetter(nulls = AS_EMPTY) List<String> limits,
            @Nullable Double offeredRecordsPerSecond,
            Double recordsPerSecond,
            Double unchangedRecordsPerSecond,
            boolean moved,
            Sentence sentence) {}
}
