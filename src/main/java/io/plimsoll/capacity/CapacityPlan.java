package io.plimsoll.capacity;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.text.Sentence;
import java.util.List;

/**
 * {@code capacity.json}, schema {@code plimsoll.capacity/1} (published as {@code /schema/plimsoll.capacity-1.json} on the class
 * path): how many brokers a load takes, and what that was concluded from. Loads are bytes of keys and values per second that
 * producers write; fields may be added, and none changes its meaning.
 *
 * @param resources each that was measured or given, the one that takes most brokers first
 * @param predictions of a trial above those that the costs were made from, and of the ceiling; empty if they were not made
 * @param assumptions what else must hold
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
    /** The value of the parameter {@code trial} of those in which brokers become warm. */
    public static final String WARM = "warm";
    /** That of those that costs are made from. */
    public static final String COST = "cost";
    /** That of those whose batches hold more than the load's own, which tell requests from bytes; costs are made from them too. */
    public static final String FULLER = "fuller";
    /** That of the one against which the costs are held. */
    public static final String CHECK = "check";

    /**
     * What was asked.
     *
     * @param target as it was typed
     * @param targetBytesPerSecond today
     * @param neededBytesPerSecond that the brokers must carry for it, growth and headroom included
     */
    public record Asked(
            String target,
            double targetBytesPerSecond,
            @JsonUnwrapped Target.Margin margin,
            double neededBytesPerSecond) {}

    /**
     * The number of brokers.
     *
     * @param brokers those that may be away included
     * @param least as far as the measurement can tell; null if it cannot, because nothing was found to be used up
     * @param most likewise; null if a cost is known too badly
     * @param binding resource that takes most brokers
     * @param second resource that takes most of the others; null if there is none
     * @param moves what is known of the ceiling's cause; null if nothing is
     */
    public record Answer(
            int brokers,
            Integer least,
            Integer most,
            Sentence binding,
            Sentence second,
            Sentence sentence,
            Sentence moves) {}

    /**
     * What was measured.
     *
     * @param brokers how many there were
     * @param without the ceiling without the brokers that were taken away; null if that was not tried
     * @param costTrials loads from which costs were made
     * @param mostCostBytesPerSecond the highest of these; 0 without any
     * @param oneHost brokers share a host with each other, and perhaps with the load generator
     * @param requests how much a request holds; null if it is not known how many there were
     */
    public record Measured(
            int brokers,
            Bound ceiling,
            Bound without,
            int costTrials,
            double mostCostBytesPerSecond,
            boolean oneHost,
            Requests requests) {}

    /**
     * How much a request of producers, consumers or followers holds of what producers write: {@code bytes + bytesPerMegabyte × load},
     * the load in MB/s, or {@code fromBytesPerSecond} where it is less.
     *
     * @param bytes may be negative
     * @param fromBytesPerSecond the least that was measured
     */
    public record Requests(double bytes, double bytesPerMegabyte, double fromBytesPerSecond) {
        double perSecond(double megabytes) {
            double from = Math.max(megabytes, fromBytesPerSecond / Costs.MEGA);
            return megabytes * Costs.MEGA / (bytes + bytesPerMegabyte * from);
        }
    }

    /**
     * What the load needs of one resource.
     *
     * @param id such as {@code cpu}; {@code ceiling} for the limit that the search met, whatever it was
     * @param name for people
     * @param limit that one broker has of it; null if unknown
     * @param brokers that the needed load would keep busy, with a fraction; null if the limit is unknown or nothing uses it up
     * @param shared what one broker has of it is a guess, since others use it too
     */
    public record Need(
            String id,
            Sentence name,
            @JsonUnwrapped Cost cost,
            Double limit,
            @JsonUnwrapped Carries carries,
            Double brokers,
            boolean shared) {}

    /**
     * What it costs; all null where it was not measured so. {@code fixed + perMegabyte × load} is the tangent to
     * {@code idle + perRequest × requests per second + ofMegabyte × load} at the highest load of those that costs were made from.
     *
     * @param unit such as {@code cores}; null as well
     * @param fixed of all measured brokers together where the tangent meets no load; may be negative; null as well
     * @param perMegabyte what another MB/s that producers write costs; may be negative; null as well
     * @param perMegabyteError half the interval that covers it in 95 of 100 cases; null as well
     */
    public record Cost(
            String unit,
            Double fixed,
            Double perMegabyte,
            Double perMegabyteError,
            @JsonUnwrapped Parts parts) {
        static final Cost NONE = new Cost(null, null, null, null, new Parts(null, null, null));
    }

    /**
     * What it is made of.
     *
     * @param idle of all measured brokers together without load, at least 0; null as well
     * @param perRequest of a request per second; null as well, and if it is not known how many there were
     * @param ofMegabyte of a MB/s that producers write, without the requests that bring it; null as well
     */
    public record Parts(Double idle, Double perRequest, Double ofMegabyte) {}

    /**
     * The load that one broker carries as far as this resource goes.
     *
     * @param bytesPerSecond null if it was not found to be used up, or its limit is unknown
     * @param low end of the interval; null likewise
     * @param high likewise; null if there is no end
     * @param extrapolated this is more than was measured
     */
    public record Carries(Double bytesPerSecond, Double low, Double high, boolean extrapolated) {
        static final Carries UNKNOWN = new Carries(null, null, null, false);
    }

    /**
     * What the costs say of a load, and what was measured at it.
     *
     * @param atBytesPerSecond the load
     * @param predicted may be negative
     * @param error (predicted − measured) ÷ measured; may be negative; null if nothing was measured
     * @param predictedError half the interval that covers what it costs in 95 of 100 cases; null if unknown
     */
    public record Prediction(
            Sentence name,
            String unit,
            double atBytesPerSecond,
            double predicted,
            double measured,
            Double error,
            Double predictedError) {}
}
