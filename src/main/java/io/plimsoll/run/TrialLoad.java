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
 * @param inBytes whether loads are bytes per second instead of records
 */
record TrialLoad(TrialResult result, boolean inBytes) {
    private static final double QUOTA_WINDOW_SECONDS = 11;

    /** Maximum of the load generator; empty if not calibrated or just exceeded. */
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

    /** Whether quotas throttled clients. */
    boolean throttled() {
        Produce p = result.produce();
        boolean producers =
                p != null && p.waits().throttledSeconds() != null && p.waits().throttledSeconds() > 0;
        return producers
                || result.observed().clients().values().stream()
                        .anyMatch(client -> client.getOrDefault("throttleShare", 0.0) > 0);
    }

    /**
     * Achieved load: produced, and received by every group. A quota alternates bursts and throttling over many seconds,
     * so with a quota only the whole trial is meaningful.
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

    /** Mean over all acknowledgements: with large buffers, records that arrive in the window were due before it. */
    private double bytesPerRecord() {
        List<Second> seconds = result.detail().seconds();
        double bytes =
                seconds.stream().mapToDouble(s -> s.rates().producedBytes()).sum();
        double records = seconds.stream().mapToDouble(s -> s.rates().produced()).sum();
        return records == 0 ? 0 : bytes / records;
    }

    /** Records per second from the start of the warm-up to the end of the load. */
    private double duringLoad(ToDoubleFunction<Rates> rate) {
        double records = 0;
        double at = 0;
        for (Second s : result.detail().seconds()) {
            if (!"drain".equals(s.phase())) {
                records += rate.applyAsDouble(s.rates()) * (s.at() - at);
                at = s.at();
            }
        }
        // The burst credit equals the throughput of the quota's whole window.
        return records / Math.max(at, QUOTA_WINDOW_SECONDS);
    }

    /** Records per second at the end of a push, when initial buffers, credits, and caches are exhausted. */
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
