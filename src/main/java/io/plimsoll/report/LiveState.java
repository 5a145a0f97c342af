package io.plimsoll.report;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.report.LiveState.LiveFigures.PerSecond;
import io.plimsoll.report.LiveState.LiveFigures.Response;
import io.plimsoll.result.Progress;
import io.plimsoll.result.SearchView;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Collects the progress of a run for periodic display. Figures cover all snapshots since the previous display. Guarded by
 * this object.
 */
class LiveState implements Progress {
    private String trial;
    private String phase = "starting";
    private double fraction = -1;
    private double etaSeconds = -1;
    private long begunNanos;
    /** When the phase was last heard of. */
    private long phaseNanos;

    private Counts.Sum recent = Counts.Sum.overTime();
    private long fromNanos = Long.MAX_VALUE;
    private long toNanos;
    private long cpuNanos;
    private long errors;
    private Long lag;
    private boolean any;
    private boolean shown;
    private SearchView search;
    private Sentence fault;
    private LiveFigures.Checked checks;

    /** @return true if this is another trial or phase than before */
    synchronized boolean phase(
            String newTrial, String newPhase, double newFraction, double newEtaSeconds, long nowNanos) {
        boolean changed = !isIn(newTrial, newPhase);
        if (!Objects.equals(trial, newTrial)) {
            forget();
            any = false;
            checks = null;
            errors = 0;
            lag = null;
        }
        begunNanos = changed ? nowNanos : begunNanos;
        trial = newTrial;
        phase = newPhase;
        fraction = newFraction;
        etaSeconds = newEtaSeconds;
        phaseNanos = nowNanos;
        return changed;
    }

    boolean isIn(String aTrial, String aPhase) {
        return Objects.equals(trial, aTrial) && phase.equals(aPhase);
    }

    @Override
    public synchronized void search(SearchView view) {
        search = view;
    }

    @Override
    public synchronized void checks(List<String> held, List<String> missed) {
        checks = new LiveFigures.Checked(held, missed);
    }

    /** Whether there are seconds that were not shown. */
    boolean unseen() {
        return any && !shown;
    }

    @Override
    public synchronized void fault(Sentence what) {
        fault = what;
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        if (shown) {
            forget();
        }
        any = true;
        recent.add(s.warmup());
        recent.add(s.measured());
        fromNanos = Math.min(fromNanos, s.fromNanos());
        toNanos = Math.max(toNanos, s.toNanos());
        cpuNanos += s.whole().get(GeneratorUse.CPU_NANOS);
        errors += errors(s.warmup()) + errors(s.measured());
        Map<String, Long> byGroup = s.whole().get(Consumed.LAG);
        lag = byGroup.isEmpty() ? null : Long.valueOf(Counts.total(byGroup));
    }

    private static long errors(Counts window) {
        return window.total(Produced.ERRORS) + window.total(Consumed.ERRORS);
    }

    private void forget() {
        recent = Counts.Sum.overTime();
        fromNanos = Long.MAX_VALUE;
        toNanos = 0;
        cpuNanos = 0;
        shown = false;
    }

    /** Extrapolates the progress between two reports if the end is known. */
    synchronized LiveFigures figures(long nowNanos) {
        shown = true;
        double since = (nowNanos - phaseNanos) / 1e9;
        boolean known = etaSeconds > 0 && fraction >= 0;
        double share = known ? Math.min(1, since / etaSeconds) : 0;
        return new LiveFigures(
                trial,
                phase,
                (nowNanos - begunNanos) / 1e9,
                known ? fraction + (1 - fraction) * share : fraction,
                etaSeconds < 0 ? -1 : Math.max(0, etaSeconds - since),
                fault,
                checks,
                any ? load() : null,
                search);
    }

    @Override
    public void close() {
        // Nothing is kept open.
    }

    private LiveFigures.Load load() {
        double seconds = Math.max(toNanos - fromNanos, 1) / 1e9;
        Counts total = recent.total();
        Latencies response = total.get(Produced.RESPONSE_TIME);
        return new LiveFigures.Load(
                total.get(Produced.DUE) / seconds,
                new PerSecond(
                        total.get(Produced.ACKNOWLEDGED) / seconds, total.get(Produced.ACKNOWLEDGED_BYTES) / seconds),
                new PerSecond(total.get(Consumed.RECORDS) / seconds, total.get(Consumed.BYTES) / seconds),
                response.isEmpty()
                        ? null
                        : new Response(
                                response.percentileMicros(50), response.percentileMicros(99), response.maxMicros()),
                errors,
                lag,
                cpuNanos / 1e9 / seconds);
    }

    /**
     * The visible state of a run at one moment.
     *
     * @param trial null outside of trials
     * @param elapsedSeconds since the phase began
     * @param fraction of the phase that is done, 0 to 1; negative if unknown
     * @param etaSeconds negative if unknown
     * @param fault the injected fault; null for none
     * @param checks null if none was decided yet
     * @param load null before the first second of the trial
     * @param search null unless a ceiling is searched for
     */
    record LiveFigures(
            String trial,
            String phase,
            double elapsedSeconds,
            double fraction,
            double etaSeconds,
            Sentence fault,
            Checked checks,
            Load load,
            SearchView search) {

        /** Checks that the last second decided. */
        record Checked(List<String> held, List<String> missed) {}

        /**
         * Figures of the last seconds.
         *
         * @param offered records per second; null in a trial that only consumes
         * @param produced acknowledged records
         * @param response null without one
         * @param errors since the trial began
         * @param lag null if unknown or without consumers
         * @param cores CPU of the load generator
         */
        record Load(
                double offered,
                PerSecond produced,
                PerSecond consumed,
                Response response,
                long errors,
                Long lag,
                double cores) {}

        record PerSecond(double records, double bytes) {}

        /** Response times in microseconds. */
        record Response(long p50, long p99, long max) {}
    }
}
