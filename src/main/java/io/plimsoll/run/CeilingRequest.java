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
 * @param prove hold the cause that is suspected against trials that change it, as far as time allows
 */
public record CeilingRequest(
        Optional<List<Check>> slo,
        Rate.Unit unit,
        double leastRate,
        OptionalDouble mostRate,
        double width,
        Optional<Duration> maxDuration,
        Lengths lengths,
        boolean prove) {

    /** Without proof of the cause. */
    public CeilingRequest(
            Optional<List<Check>> slo,
            Rate.Unit unit,
            double leastRate,
            OptionalDouble mostRate,
            double width,
            Optional<Duration> maxDuration,
            Lengths lengths) {
        this(slo, unit, leastRate, mostRate, width, maxDuration, lengths, false);
    }

    /** The same search when some of its time is over already. */
    public CeilingRequest after(Duration spent) {
        return new CeilingRequest(
                slo, unit, leastRate, mostRate, width, maxDuration.map(d -> d.minus(spent)), lengths, prove);
    }

    /**
     * @param full a trial that counts; shorter ones show the way
     * @param confirm the last one at the lower bound; zero: none
     * @param curvePoints loads below the ceiling, for the curve
     */
    public record Lengths(Duration full, Duration confirm, int curvePoints) {}
}
