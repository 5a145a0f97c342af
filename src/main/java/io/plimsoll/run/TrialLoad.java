package io.plimsoll.run;

import io.plimsoll.result.GroupPace;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Rates;
import io.plimsoll.result.TrialResult.Second;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * The load that a trial of a search carried.
 *
 * @param inBytes whether the search is one in bytes per second, else in records
 */
record TrialLoad(TrialResult result, boolean inBytes) {
    private static final double QUOTA_WINDOW_SECONDS = 11;

    /** The most that the load generator makes; empty if it was never calibrated for this, or has made more just now. */
    OptionalDouble calibrated() {
        Double share = result.observed().generator() == null
                ? null
                : result.observed().generator().calibratedShare();
        Produce p = result.produce();
        if (share == null || share <= 0 || share >= 1 || p == null || p.volume().records() == 0) {
            return OptionalDouble.empty();
        }
        double records = p.volume().recordsPerSecond() / share;
        return OptionalDouble.of(
                inBytes ? records * p.volume().bytes() / p.volume().records() : records);
    }

    /** Quotas held producers or consumers back. */
    boolean throttled() {
        Produce p = result.produce();
        boolean producers =
                p != null && p.waits().throttledSeconds() != null && p.waits().throttledSeconds() > 0;
        return producers
                || result.observed().clients().values().stream()
                        .anyMatch(client -> client.getOrDefault("throttleShare", 0.0) > 0);
    }

    /**
     * What was carried: produced, and received by every group. A quota first grants a burst, then makes clients wait,
     * and so on in turns of many seconds: only the whole of the trial says something then.
     *
     * @param push whether the trial was a closed loop
     */
    double achieved(boolean push) {
        Produce p = result.produce();
        if (p == null) {
            return 0;
        }
        boolean throttled = throttled();
        double produced = throttled
                ? duringLoad(Rates::produced)
                : push ? lastThird() : p.volume().recordsPerSecond();
        double received = GroupPace.of(result).values().stream()
                .filter(GroupPace::isBehind)
                .mapToDouble(GroupPace::receivedPerSecond)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        if (throttled && received < produced && result.observed().groups().isEmpty()) {
            received = duringLoad(Rates::consumed) / result.consume().groups().size();
        }
        double records = Math.min(produced, received);
        return inBytes ? records * bytesPerRecord() : records;
    }

    /** Of all that was acknowledged: where a buffer is seconds of load, what came in the window was due before it. */
    private double bytesPerRecord() {
        List<Second> seconds = result.detail().seconds();
        double bytes =
                seconds.stream().mapToDouble(s -> s.rates().producedBytes()).sum();
        double records = seconds.stream().mapToDouble(s -> s.rates().produced()).sum();
        return records == 0 ? 0 : bytes / records;
    }

    /** Records per second from the beginning of the warm-up to the end of the load. */
    private double duringLoad(ToDoubleFunction<Rates> rate) {
        double records = 0;
        double at = 0;
        for (Second s : result.detail().seconds()) {
            if (!"drain".equals(s.phase())) {
                records += rate.applyAsDouble(s.rates()) * (s.at() - at);
                at = s.at();
            }
        }
        // What a quota grants in advance is as much as it lets through in its whole window.
        return records / Math.max(at, QUOTA_WINDOW_SECONDS);
    }

    /** Records per second at the end of a push, when buffers, credits and caches of the beginning are used up. */
    private double lastThird() {
        List<Second> seconds = result.detail().seconds().stream()
                .filter(s -> "measure".equals(s.phase()))
                .toList();
        return seconds.subList(seconds.size() * 2 / 3, seconds.size()).stream()
                .mapToDouble(s -> s.rates().produced())
                .average()
                .orElse(0);
    }
}
