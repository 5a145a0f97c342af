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
 * @param slo the user's criteria; empty: the scenario's checks
 * @param unit of the load: records, or bytes of keys and values, per second
 * @param leastRate lowest rate to try, in that unit
 * @param mostRate highest rate to try; empty: unbounded
 * @param width target width between the bounds, see {@link io.plimsoll.search.SearchSettings}
 * @param maxDuration of the whole run; empty: unlimited
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

    /** The same search after part of its time has been spent. */
    public CeilingRequest after(Duration spent) {
        return new CeilingRequest(
                slo, unit, leastRate, mostRate, width, maxDuration.map(d -> d.minus(spent)), lengths, extras);
    }

    /**
     * Optional parts of a search.
     *
     * @param prove test the suspected cause by experiment if time allows
     * @param without brokers to remove for a second search
     * @param costs measure the broker cost of loads below the ceiling
     */
    public record Extras(boolean prove, Optional<Without> without, boolean costs) {
        public static final Extras NONE = new Extras(false, Optional.empty(), false);
    }

    /**
     * An outage to search under.
     *
     * @param which broker id (also for a disk) or zone name; {@code any} for the last one
     * @param exec command that stops each broker, as of the fault {@code exec}; empty: the lab stops it
     * @param undo command that starts it again
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
     * @param full a decisive trial; shorter ones only guide the search
     * @param confirm the last trial at the lower bound; zero for none
     * @param curvePoints number of loads below the ceiling for the latency curve
     */
    public record Lengths(Duration full, Duration confirm, int curvePoints) {}
}
