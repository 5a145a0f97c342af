package io.plimsoll.result;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.ProduceCounts;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.TrialResult.Second;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** Folds snapshots into one entry a second, see {@link Stretch}. */
final class SecondsFold {
    private final Steadiness steadiness;
    private final boolean produces;
    private final SecondFigures figures;
    private final List<Integer> numbers = new ArrayList<>();
    private final List<Second> seconds = new ArrayList<>();
    private Stretch open;
    private long measuredDue;
    private long arrived;

    /** @param produces false if the trial only consumes: the rate of consuming is then what must be steady */
    SecondsFold(Steadiness steadiness, boolean produces, SecondFigures figures) {
        this.produces = produces;
        this.steadiness = steadiness;
        this.figures = figures;
    }

    void accept(Snapshot s) {
        if (open == null || !open.takes(s)) {
            close();
            open = new Stretch(s);
        }
        open.add(s);
        measuredDue += s.measured().produce().due();
        arrived += produces
                ? s.measured().produce().volume().arrived()
                : s.measured().consume().arrived();
    }

    List<Second> seconds() {
        close();
        return IntStream.range(0, seconds.size())
                .mapToObj(i -> seconds.get(i).with(figures.observed(numbers.get(i))))
                .toList();
    }

    /** A snapshot as a second of its own; empty if it is too short for that. */
    static Optional<Second> second(Snapshot s, SecondFigures figures) {
        if (s.toNanos() - s.fromNanos() < Stretch.SHORTEST_NANOS) {
            return Optional.empty();
        }
        Stretch stretch = new Stretch(s);
        stretch.add(s);
        return Optional.of(second(stretch, stretch.sums(), figures));
    }

    private void close() {
        if (open != null) {
            Sums sums = open.sums();
            seconds.add(second(open, sums, figures));
            numbers.add(open.second());
            if (open.first().phase() == Phase.MEASURE) {
                Latencies response = sums.produce().times().responseTime();
                steadiness.add(sums.seconds(), measuredDue, arrived, response);
            }
            open = null;
            measuredDue = 0;
            arrived = 0;
        }
    }

    private static Second second(Stretch stretch, Sums sums, SecondFigures figures) {
        ProduceCounts produce = sums.produce();
        Latencies response = produce.times().responseTime();
        Latencies service = produce.times().serviceTime();
        boolean answered = !response.isEmpty();
        return new Second(
                Math.round(stretch.toNanos() / 1e6) / 1e3,
                stretch.first().phase().name().toLowerCase(Locale.ROOT),
                new TrialResult.Rates(
                        sums.perSecond(produce.due()),
                        // What was acknowledged in this stretch: `arrived` has no meaning in the drain.
                        sums.perSecond(produce.volume().acknowledged()),
                        sums.perSecond(produce.volume().acknowledgedBytes()),
                        sums.perSecond(sums.consume().records()),
                        produce.errorTotal() + Sums.total(sums.consume().errors())),
                new TrialResult.Response(
                        answered ? response.percentileMicros(50) : null,
                        answered ? response.percentileMicros(99) : null,
                        answered ? response.maxMicros() : null,
                        service.isEmpty() ? null : service.maxMicros(),
                        null),
                sums.lag(),
                sums.perSecond(sums.generator().cpuNanos() / 1e9),
                figures.of(sums));
    }
}
