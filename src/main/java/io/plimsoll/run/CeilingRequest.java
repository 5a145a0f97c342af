package io.plimsoll.run;

import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How a run searches for ceilings, beside its {@link RunRequest}, whose plan says for what load.
 *
 * @param slo what the user asks for in place of the scenario's checks; empty: those
 * @param unit what is raised: records, or bytes of keys and values, per second
 * @param leastRate in that unit, tried at least
 * @param mostRate in that unit, tried at most; empty: as high as it takes
 * @param width goal width, see {@link io.plimsoll.search.SearchSettings}
 * @param maxDuration of the whole run; empty: as long as it takes
 * @param lengths of trials
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

    /** The same search when some of its time is over already. */
    public CeilingRequest after(Duration spent) {
        return new CeilingRequest(
                slo, unit, leastRate, mostRate, width, maxDuration.map(d -> d.minus(spent)), lengths, extras);
    }

    /**
     * What is done beside the search.
     *
     * @param prove hold the cause that is suspected against trials that change it, as far as time allows
     * @param without brokers with whose loss the search is made once more
     * @param costs trials below the ceiling that show what a load costs
     */
    public record Extras(boolean prove, Optional<Without> without, boolean costs) {
        public static final Extras NONE = new Extras(false, Optional.empty(), false);
    }

    /**
     * Brokers that are taken away.
     *
     * @param kind of what is named
     * @param which broker, or that of the disk, by its id, or zone, by its name; {@code any} for the last one there is
     * @param exec a command that ends each of these brokers, which is told of it as the fault {@code exec} is; empty: the lab does
     * @param undo a command that starts it again
     */
    public record Without(Kind kind, String which, Optional<String> exec, Optional<String> undo) {
        /** What may be taken away. */
        public enum Kind {
            BROKER,
            ZONE,
            /** The last disk of a broker. */
            DISK
        }
    }

    /**
     * @param full a trial that counts; shorter ones show the way
     * @param confirm the last one at the lower bound; zero: none
     * @param curvePoints loads below the ceiling, for the curve
     */
    public record Lengths(Duration full, Duration confirm, int curvePoints) {}
}
