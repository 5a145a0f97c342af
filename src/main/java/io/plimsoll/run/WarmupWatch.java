package io.plimsoll.run;

import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.SteadyLoad;
import io.plimsoll.measure.SteadyLoad.Second;
import io.plimsoll.result.WarmupResult;
import io.plimsoll.scenario.Warmup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the end of an adaptive warm-up. The end is set in the future so that all load processes learn it in time, and
 * on a whole second so that no snapshot spans both windows. Confined to one thread.
 */
final class WarmupWatch {
    private static final long SECOND = 1_000_000_000L;
    private static final long SHORTEST_NANOS = SECOND / 2;

    private final Warmup asked;
    private final long noticeNanos;
    private final boolean produces;
    private final boolean openLoop;
    private final List<Second> seconds = new ArrayList<>();
    private boolean found;

    /**
     * @param notice lead time to inform all load processes
     * @param produces false for consume-only trials
     * @param openLoop whether records are sent on a schedule
     */
    WarmupWatch(Warmup asked, Duration notice, boolean produces, boolean openLoop) {
        this.asked = asked;
        this.noticeNanos = notice.toNanos();
        this.produces = produces;
        this.openLoop = openLoop;
        this.found = !asked.steady();
    }

    /**
     * The end of the warm-up.
     *
     * @param nanos since the trial's start
     * @param moving figures that are not steady
     */
    record End(long nanos, String ended, List<String> moving) {}

    /**
     * Adds one second.
     *
     * @param nowNanos since the trial's start
     * @return the end, once found
     */
    Optional<End> accept(Snapshot snapshot, long nowNanos) {
        boolean whole = snapshot.toNanos() - snapshot.fromNanos() >= SHORTEST_NANOS;
        if (found || !whole || snapshot.phase() != Phase.WARMUP) {
            return Optional.empty();
        }
        seconds.add(Second.of(snapshot, produces, openLoop));
        long soonest = nowNanos + noticeNanos;
        long at = (soonest + SECOND - 1) / SECOND * SECOND;
        long most = asked.atMost().toNanos();
        boolean last = at + SECOND > most;
        if (!last && (at < asked.atLeast().toNanos() || !SteadyLoad.canTell(seconds))) {
            return Optional.empty();
        }
        List<String> moving = SteadyLoad.canTell(seconds)
                ? SteadyLoad.moving(seconds).stream()
                        .map(SteadyLoad.Figure::word)
                        .toList()
                : List.of(SteadyLoad.Figure.THROUGHPUT.word());
        if (!moving.isEmpty() && !last) {
            return Optional.empty();
        }
        found = true;
        boolean steady = moving.isEmpty();
        return Optional.of(new End(
                steady && at <= most ? at : Math.max(most, soonest),
                steady ? WarmupResult.STEADY : WarmupResult.AT_MOST,
                moving));
    }
}
