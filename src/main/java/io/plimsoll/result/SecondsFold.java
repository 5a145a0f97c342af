package io.plimsoll.result;

import io.plimsoll.measure.ConsumeCounts;
import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.ProduceCounts;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.WireCounts;
import io.plimsoll.result.TrialResult.Second;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Folds snapshots into one entry a second. Snapshots with the same sequence number (of several workers) are one second;
 * a stretch too short for a rate, such as the rest at the end of a trial, joins the second before it.
 */
final class SecondsFold {
    private static final long SHORTEST_NANOS = 200_000_000;

    private final Steadiness steadiness;
    private final boolean produces;
    private final SecondFigures figures;
    private final List<Integer> numbers = new ArrayList<>();
    private final List<Second> seconds = new ArrayList<>();
    private Stretch open;

    /**
     * @param produces false if the trial only consumes: the rate of consuming is then what must be steady
     * @param figures that checks ask of single seconds
     */
    SecondsFold(Steadiness steadiness, boolean produces, SecondFigures figures) {
        this.produces = produces;
        this.steadiness = steadiness;
        this.figures = figures;
    }

    void accept(Snapshot s) {
        boolean joins = open != null
                && (s.sequence() == open.sequence || s.toNanos() - Math.max(s.fromNanos(), open.to) < SHORTEST_NANOS);
        if (!joins) {
            close();
            open = new Stretch(s);
        }
        open.add(s);
    }

    List<Second> seconds() {
        close();
        return IntStream.range(0, seconds.size())
                .mapToObj(i -> with(seconds.get(i), figures.observed(numbers.get(i))))
                .toList();
    }

    private static Second with(Second s, Map<String, Double> observed) {
        if (observed.isEmpty()) {
            return s;
        }
        Map<String, Double> all = new HashMap<>(s.figures());
        all.putAll(observed);
        return s.with(all);
    }

    /** A snapshot as a second of its own; empty if it is too short for that. */
    static Optional<Second> second(Snapshot s, SecondFigures figures) {
        if (s.toNanos() - s.fromNanos() < SHORTEST_NANOS) {
            return Optional.empty();
        }
        Stretch stretch = new Stretch(s);
        stretch.add(s);
        return Optional.of(stretch.toSecond(figures));
    }

    private void close() {
        if (open != null) {
            seconds.add(open.toSecond(figures));
            numbers.add(SecondFigures.second(open.from, open.to));
            if (open.phase == Phase.MEASURE) {
                long arrived = produces ? open.producedArrived : open.consumedArrived;
                steadiness.add(
                        open.seconds(),
                        open.measuredDue,
                        arrived,
                        open.produce.times().responseTime());
            }
            open = null;
        }
    }

    private static final class Stretch {
        private final long sequence;
        private final long from;
        private final Phase phase;
        private final Map<String, Long> lag = new HashMap<>();
        private long to;
        private long measuredDue;
        private long producedArrived;
        private long consumedArrived;
        private ProduceCounts produce = ProduceCounts.ZERO;
        private ConsumeCounts consume = ConsumeCounts.ZERO;
        private WireCounts wire = WireCounts.ZERO;
        private GeneratorSample generator = GeneratorSample.ZERO;

        Stretch(Snapshot first) {
            sequence = first.sequence();
            from = first.fromNanos();
            phase = first.phase();
        }

        void add(Snapshot s) {
            to = Math.max(to, s.toNanos());
            for (var window : List.of(s.warmup(), s.measured())) {
                produce = produce.plus(window.produce());
                consume = consume.plus(window.consume());
            }
            wire = wire.plus(s.wire());
            generator = generator.plus(s.generator());
            measuredDue += s.measured().produce().due();
            producedArrived += s.measured().produce().volume().arrived();
            consumedArrived += s.measured().consume().arrived();
            lag.putAll(s.lag());
        }

        double seconds() {
            return Math.max(to - from, 1) / 1e9;
        }

        Sums sums() {
            return new Sums(seconds(), produce, consume, wire, generator, lag.isEmpty() ? null : Sums.total(lag));
        }

        Second toSecond(SecondFigures figures) {
            Latencies response = produce.times().responseTime();
            boolean answered = !response.isEmpty();
            return new Second(
                    Math.round(to / 1e6) / 1e3,
                    phase.name().toLowerCase(Locale.ROOT),
                    new TrialResult.Rates(
                            produce.due() / seconds(), // Not `arrived`, which has no meaning in the drain: what was
                            // acknowledged in this stretch.
                            produce.volume().acknowledged() / seconds(),
                            produce.volume().acknowledgedBytes() / seconds(),
                            consume.records() / seconds(),
                            produce.errorTotal() + Sums.total(consume.errors())),
                    new TrialResult.Response(
                            answered ? response.percentileMicros(50) : null,
                            answered ? response.percentileMicros(99) : null,
                            answered ? response.maxMicros() : null),
                    sums().lag(),
                    generator.cpuNanos() / 1e9 / seconds(),
                    figures.of(sums()));
        }
    }
}
