package io.plimsoll.run;

import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Settings of a ceiling search; the load itself comes from the plan of the {@link RunRequest}.
 *
 * @param slo the user's criteria; if empty, the scenario's checks apply
 * @param unit of the load: records, or bytes of keys and values, per second
 * @param leastRate lowest rate to try, in that unit
 * @param mostRate highest rate to try; empty for no bound
 * @param width target width between the bounds, see {@link io.plimsoll.search.SearchSettings}
 * @param maxDuration time limit for the whole run; empty for no limit
 */
public record CeilingRequest(
        Optional<List<Check>> slo,
        Rate.Unit unit,
        double leastRate,
        OptionalDouble mostRate,
        double width,
        Optional<Duration> maxDuration,
        Lengths lengths,
        Extras extras) {

    /** The same search with its time limit reduced by the time already spent. */
    public CeilingRequest after(Duration spent) {
        return new CeilingRequest(
                slo, unit, leastRate, mostRate, width, maxDuration.map(d -> d.minus(spent)), lengths, extras);
    }

    /**
     * Optional parts of a search.
     *
     * @param prove whether to test the suspected cause by experiment if time permits
     * @param without outage under which to search again; empty for none
     * @param costs whether to measure the broker cost of loads below the ceiling
     */
    public record Extras(boolean prove, Optional<Without> without, boolean costs) {
        public static final Extras NONE = new Extras(false, Optional.empty(), false);
    }

    /**
     * An outage during a search.
     *
     * @param which broker id (also for a disk) or zone name; {@code any} for the last broker or zone
     * @param exec command that stops each broker, as with the fault {@code exec}; empty if the lab stops it
     * @param undo command that starts each broker again
     */
    public record Without(Kind kind, String which, Optional<String> exec, Optional<String> undo) {
        public enum Kind {
            BROKER,
            ZONE,
            /** The last disk of a broker. */
            DISK
        }
    }

    /**
     * @param full length of a decisive trial; shorter trials only guide the search
     * @param confirm length of the last trial at the lower bound; zero for no such trial
     * @param curvePoints number of loads below the ceiling for the latency curve
     */
    public record Lengths(Duration full, Duration confirm, int curvePoints) {}
}
