package io.plimsoll.report;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.Window;
import io.plimsoll.measure.WindowSum;
import io.plimsoll.report.LiveFigures.PerSecond;
import io.plimsoll.report.LiveFigures.Response;
import io.plimsoll.result.SearchView;
import io.plimsoll.text.Sentence;
import java.util.Objects;

/**
 * Gathers what happens in a run for those who show it now and then. Figures are of all snapshots since they were last
 * shown. Not thread-safe.
 */
final class LiveState {
    private String trial;
    private String phase = "starting";
    private double fraction = -1;
    private double etaSeconds = -1;
    private long phaseNanos;
    private WindowSum recent = new WindowSum();
    private long fromNanos = Long.MAX_VALUE;
    private long toNanos;
    private long cpuNanos;
    private long errors;
    private Long lag;
    private boolean any;
    private boolean shown;
    private SearchView search;
    private Sentence fault;

    /** @return true if this is another trial or phase than before */
    boolean phase(String newTrial, String newPhase, double newFraction, double newEtaSeconds, long nowNanos) {
        boolean changed = !Objects.equals(trial, newTrial) || !phase.equals(newPhase);
        if (!Objects.equals(trial, newTrial)) {
            forget();
            any = false;
            errors = 0;
            lag = null;
        }
        trial = newTrial;
        phase = newPhase;
        fraction = newFraction;
        etaSeconds = newEtaSeconds;
        phaseNanos = nowNanos;
        return changed;
    }

    void search(SearchView view) {
        search = view;
    }

    void fault(Sentence what) {
        fault = what;
    }

    void snapshot(Snapshot s) {
        if (shown) {
            forget();
        }
        any = true;
        recent.add(s.warmup());
        recent.add(s.measured());
        fromNanos = Math.min(fromNanos, s.fromNanos());
        toNanos = Math.max(toNanos, s.toNanos());
        cpuNanos += s.generator().cpuNanos();
        errors += errors(s.warmup()) + errors(s.measured());
        lag = s.lag().isEmpty()
                ? null
                : Long.valueOf(
                        s.lag().values().stream().mapToLong(Long::longValue).sum());
    }

    private static long errors(Window window) {
        long consuming = window.consume().errors().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        return window.produce().errorTotal() + consuming;
    }

    private void forget() {
        recent = new WindowSum();
        fromNanos = Long.MAX_VALUE;
        toNanos = 0;
        cpuNanos = 0;
        shown = false;
    }

    /** Progress goes on between reports of it, as far as an end is known. */
    LiveFigures figures(long nowNanos) {
        shown = true;
        double since = (nowNanos - phaseNanos) / 1e9;
        boolean known = etaSeconds > 0 && fraction >= 0;
        double share = known ? Math.min(1, since / etaSeconds) : 0;
        return new LiveFigures(
                trial,
                phase,
                known ? fraction + (1 - fraction) * share : fraction,
                etaSeconds < 0 ? -1 : Math.max(0, etaSeconds - since),
                fault,
                any ? load() : null,
                search);
    }

    private LiveFigures.Load load() {
        double seconds = Math.max(toNanos - fromNanos, 1) / 1e9;
        Window total = recent.total();
        Latencies response = total.produce().times().responseTime();
        return new LiveFigures.Load(
                total.produce().due() / seconds,
                new PerSecond(
                        total.produce().volume().acknowledged() / seconds,
                        total.produce().volume().acknowledgedBytes() / seconds),
                new PerSecond(
                        total.consume().records() / seconds, total.consume().bytes() / seconds),
                response.isEmpty()
                        ? null
                        : new Response(
                                response.percentileMicros(50), response.percentileMicros(99), response.maxMicros()),
                errors,
                lag,
                cpuNanos / 1e9 / seconds);
    }
}
