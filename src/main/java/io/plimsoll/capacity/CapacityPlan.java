package io.plimsoll.capacity;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.text.Sentence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code capacity.json}, schema {@code plimsoll.capacity/1} (published as {@code /schema/plimsoll.capacity-1.json} on
 * the class path): the number of brokers that a load needs, and the evidence. Loads are bytes of keys and values
 * written per second. Later versions can add fields but never change the meaning of a field.
 *
 * @param resources measured or given resources, the limiting one first
 * @param predictions of the cost model, for a trial above the loads from which it is derived, and for the ceiling;
 *     empty if none were made
 * @param assumptions conditions under which the answer holds
 */
public record CapacityPlan(
        String schema,
        Asked asked,
        Answer answer,
        Measured measured,
        List<Need> resources,
        List<Prediction> predictions,
        List<Sentence> assumptions) {
    public static final String SCHEMA = "plimsoll.capacity/1";
    public static final String FILE = "capacity.json";
    /** Value of the parameter {@code trial}: trials that warm up the brokers. */
    public static final String WARM = "warm";
    /** Value of {@code trial}: trials behind the cost model. */
    public static final String COST = "cost";
    /** Value of {@code trial}: trials with larger batches, which separate the cost of requests from the cost per byte. */
    public static final String FULLER = "fuller";
    /** Value of {@code trial}: the trial that checks the cost model. */
    public static final String CHECK = "check";

    /**
     * The request.
     *
     * @param target as typed by the user
     * @param targetBytesPerSecond load of today
     * @param neededBytesPerSecond load that the brokers must sustain, including growth and headroom
     */
    public record Asked(
            String target,
            double targetBytesPerSecond,
            @JsonUnwrapped Target.Margin margin,
            double neededBytesPerSecond) {}

    /**
     * The number of brokers.
     *
     * @param brokers including the brokers that may be down
     * @param least lower bound of the measurement; null if no resource was saturated
     * @param most upper bound of the measurement; null if a cost is too uncertain
     * @param binding limiting resource
     * @param second next limiting resource
     * @param moves cause of the ceiling
     */
    public record Answer(
            int brokers,
            @Nullable Integer least,
            @Nullable Integer most,
            Sentence binding,
            @Nullable Sentence second,
            Sentence sentence,
            @Nullable Sentence moves) {}

    /**
     * The measurement.
     *
     * @param brokers number of brokers
     * @param without ceiling with brokers down; null if not tried
     * @param costTrials number of loads behind the cost model
     * @param mostCostBytesPerSecond highest of these loads; 0 if none
     * @param oneHost whether brokers share a host with each other, and possibly with the load generator
     * @param requests size of a request; null if their number is unknown
     */
    public record Measured(
            int brokers,
            Bound ceiling,
            @Nullable Bound without,
            int costTrials,
            double mostCostBytesPerSecond,
            boolean oneHost,
            @Nullable Requests requests) {}

    /**
     * Bytes per request of producers, consumers and followers: {@code bytes + bytesPerMegabyte × load}, with the load
     * in MB/s; valid for loads from {@code fromBytesPerSecond}.
     *
     * @param bytes may be negative
     * @param fromBytesPerSecond lowest measured load
     */
    public record Requests(double bytes, double bytesPerMegabyte, double fromBytesPerSecond) {
        double perSecond(double megabytes) {
            double from = Math.max(megabytes, fromBytesPerSecond / Costs.MEGA);
            return megabytes * Costs.MEGA / (bytes + bytesPerMegabyte * from);
        }
    }

    /**
     * The demand for one resource.
     *
     * @param id such as {@code cpu}; {@code ceiling} for the limit found by the search, regardless of its cause
     * @param name for display
     * @param limit of one broker
     * @param brokers number of brokers that the needed load saturates, not rounded; null if the limit is unknown or
     *     never reached
     * @param shared whether the limit of one broker is an estimate, because other processes use the resource
     */
    public record Need(
            String id,
            Sentence name,
            @JsonUnwrapped Cost cost,
            @Nullable Double limit,
            @JsonUnwrapped Carries carries,
            @Nullable Double brokers,
            boolean shared) {}

    /**
     * The cost of a resource; all fields are null if not measured. {@code fixed + perMegabyte × load} is the tangent to
     * {@code idle + perRequest × requests per second + ofMegabyte × load} at the highest load behind the cost model.
     *
     * @param unit such as {@code cores}; null if it has none
     * @param fixed intercept of the tangent, for all measured brokers together; may be negative
     * @param perMegabyte cost of an additional MB/s written by producers; may be negative
     * @param perMegabyteError half the width of the 95 % confidence interval
     */
    public record Cost(
            @Nullable String unit,
            @Nullable Double fixed,
            @Nullable Double perMegabyte,
            @Nullable Double perMegabyteError,
            @JsonUnwrapped Parts parts) {
        static final Cost NONE = new Cost(null, null, null, null, new Parts(null, null, null));
    }

    /**
     * The parts of a cost; all fields are null if not measured.
     *
     * @param idle without load, for all measured brokers together; at least 0
     * @param perRequest per request per second; null if the number of requests is unknown
     * @param ofMegabyte per MB/s written by producers, without the cost of its requests
     */
    public record Parts(
            @Nullable Double idle,
            @Nullable Double perRequest,
            @Nullable Double ofMegabyte) {}

    /**
     * The load that one broker sustains before it saturates this resource.
     *
     * @param bytesPerSecond null if the resource was never saturated or its limit is unknown
     * @param low lower end of the interval; null in the same cases
     * @param high upper end of the interval; null if unbounded
     * @param extrapolated whether the load is above the highest measured load
     */
    public record Carries(
            @Nullable Double bytesPerSecond,
            @Nullable Double low,
            @Nullable Double high,
            boolean extrapolated) {
        static final Carries UNKNOWN = new Carries(null, null, null, false);
    }

    /**
     * The prediction of the cost model for a load, and the measurement.
     *
     * @param atBytesPerSecond load
     * @param predicted may be negative
     * @param error (predicted − measured) ÷ measured; may be negative; null if not measured
     * @param predictedError half the width of the 95 % confidence interval of the cost
     */
    public record Prediction(
            Sentence name,
            String unit,
            double atBytesPerSecond,
            double predicted,
            double measured,
            @Nullable Double error,
            @Nullable Double predictedError) {}
}
