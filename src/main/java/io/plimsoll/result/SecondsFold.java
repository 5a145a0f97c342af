package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Checks.SecondFigures;
import io.plimsoll.result.TrialResult.Second;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Folds snapshots into one entry per second, see {@link SnapshotSum}, and older seconds into minutes, see {@link
 * Folding}. Figures of the whole window of a long trial come from its minutes.
 */
final class SecondsFold {
    private final boolean produces;
    private final SecondFigures figures;
    private final Folding folding;
    private final Deque<Numbered> seconds = new ArrayDeque<>();
    private final List<Numbered> minutes = new ArrayList<>();
    /** Counts, by minute, that checks of seconds need. */
    private final Map<Long, Map<String, Double>> counted = new HashMap<>();

    private final Steadiness bySecond;
    private final Steadiness byMinute;
    private @Nullable SnapshotSum open;
    private @Nullable SnapshotSum minute;
    private long untilNanos;

    /** An entry, and the number of the second or minute that contains its midpoint. */
    private record Numbered(long number, Second second) {}

    /** @param produces whether the trial has producers; if not, consumed records decide whether it was steady */
    SecondsFold(boolean openLoop, boolean produces, SecondFigures figures, Folding folding) {
        this.produces = produces;
        this.figures = figures;
        this.folding = folding;
        bySecond = new Steadiness(openLoop);
        byMinute = new Steadiness(openLoop);
    }

    void accept(Snapshot s) {
        if (open == null || !open.takes(s)) {
            close();
            open = new SnapshotSum(s);
        } else {
            open.add(s);
        }
        if (minute == null || !minute.takes(s)) {
            closeMinute();
            minute = new SnapshotSum(s, folding);
        } else {
            minute.add(s);
        }
        untilNanos = folding.untilNanos(s.toNanos());
        while (!seconds.isEmpty() && seconds.getFirst().number * 1_000_000_000L < untilNanos) {
            Numbered old = seconds.removeFirst();
            long number = old.number * 1_000_000_000L / folding.minuteNanos();
            figures.fold((int) old.number, old.second, counted.computeIfAbsent(number, n -> new HashMap<>()));
        }
    }

    /** The minutes, followed by the seconds of the last hour. */
    List<Second> seconds() {
        close();
        List<Second> all = new ArrayList<>();
        minutes.stream()
                .filter(m -> m.number * folding.minuteNanos() < untilNanos)
                .forEach(m -> all.add(SecondFigures.with(m.second, counted.getOrDefault(m.number, Map.of()))));
        seconds.forEach(s -> all.add(SecondFigures.with(s.second, figures.observed((int) s.number))));
        return all;
    }

    /** All complete minutes of the measured window, and the remainder. */
    List<Second> minutes() {
        return minutes.stream()
                .map(Numbered::second)
                .filter(m -> m.phase().equals("measure"))
                .toList();
    }

    /** @return null with too few seconds to decide */
    @Nullable
    Boolean steady() {
        close();
        return (untilNanos > 0 ? byMinute : bySecond).steady();
    }

    /** A snapshot as one second; empty if it is too short for that. */
    static Optional<Second> second(Snapshot s, SecondFigures figures) {
        return s.toNanos() - s.fromNanos() < SnapshotSum.SHORTEST_NANOS
                ? Optional.empty()
                : Optional.of(second(s, Sums.of(s), figures));
    }

    private void close() {
        if (open != null) {
            Snapshot s = open.snapshot();
            Sums sums = Sums.of(s);
            seconds.add(new Numbered(open.second(), second(s, sums, figures)));
            if (untilNanos == 0) {
                add(bySecond, s, sums);
            }
            open = null;
        }
    }

    private void closeMinute() {
        if (minute != null) {
            Snapshot s = minute.snapshot();
            Sums sums = Sums.of(s);
            minutes.add(
                    new Numbered(folding.minuteOf(s), second(s, sums, figures).of(sums.seconds())));
            add(byMinute, s, sums);
        }
    }

    private void add(Steadiness steadiness, Snapshot s, Sums sums) {
        if (s.phase() == Phase.MEASURE) {
            long arrived = s.measured().get(produces ? Produced.ARRIVED : Consumed.ARRIVED);
            steadiness.add(sums.seconds(), s.measured().get(Produced.DUE), arrived, sums.get(Produced.RESPONSE_TIME));
        }
    }

    private static Second second(Snapshot s, Sums sums, SecondFigures figures) {
        Latencies response = sums.get(Produced.RESPONSE_TIME);
        Latencies service = sums.get(Produced.SERVICE_TIME);
        boolean answered = !response.isEmpty();
        return new Second(
                Math.round(s.toNanos() / 1e6) / 1e3,
                s.phase().name().toLowerCase(Locale.ROOT),
                new TrialResult.Rates(
                        sums.perSecond(Produced.DUE),
                        // The acknowledgments of this interval, because `arrived` has no meaning in the drain.
                        sums.perSecond(Produced.ACKNOWLEDGED),
                        sums.perSecond(Produced.ACKNOWLEDGED_BYTES),
                        sums.perSecond(Consumed.RECORDS),
                        sums.counts().total(Produced.ERRORS) + sums.counts().total(Consumed.ERRORS)),
                new TrialResult.Response(
                        answered ? response.percentileMicros(50) : null,
                        answered ? response.percentileMicros(99) : null,
                        answered ? response.maxMicros() : null,
                        service.isEmpty() ? null : service.maxMicros(),
                        null),
                sums.lag(),
                sums.perSecond(sums.get(GeneratorUse.CPU_NANOS) / 1e9),
                figures.of(sums),
                null);
    }
}
