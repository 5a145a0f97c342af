package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.total;

import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.CheckParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A latency that exceeds its check although the load was carried. The question is then where its time goes, not which
 * limit bounds throughput. Times in milliseconds.
 *
 * @param whole mean of that latency
 * @param least minimum of that latency
 * @param stages producer stages, as in {@link StageSum}
 * @param toRead time from acknowledgement to consumer; 0 if the check does not cover it
 */
record AskedLatency(double whole, double least, Map<String, Double> stages, double toRead) {
    private static final String END_TO_END = "consume.endToEnd.";
    private static final String FROM_APPEND = "consume.endToEndFromAppend.";
    private static final String[] PRODUCING = {"produce.response", "produce.service", "produce.delay"};
    private static final double CARRIED = 0.5;

    /** Null if no latency check failed, or the load was not carried. */
    static AskedLatency of(TrialEvidence e) {
        Double response = StageSum.whole(e);
        if (response == null || e.closedLoop() || e.late() > CARRIED) {
            return null;
        }
        Map<String, Double> stages = atTheirSource(e);
        if (failed(e.trial(), PRODUCING)) {
            return new AskedLatency(response, leastMs(e.produce().times().responseTime()), stages, 0);
        }
        TrialResult.Consume c = e.consume();
        Double whole = c == null || !failed(e.trial(), END_TO_END)
                ? null
                : StageSum.meanMs(c.times().endToEnd());
        if (whole != null) {
            return new AskedLatency(whole, leastMs(c.times().endToEnd()), stages, Math.max(0, whole - response));
        }
        TrialResult.Latency appended = c == null || !failed(e.trial(), FROM_APPEND)
                ? null
                : c.times().fromAppend().endToEndFromAppend();
        Double read = StageSum.meanMs(appended);
        return read == null ? null : new AskedLatency(read, leastMs(appended), Map.of(), read);
    }

    private static double leastMs(TrialResult.Latency latency) {
        return latency.min() == null ? 0 : latency.min() / 1e3;
    }

    /** Share of the minimum in the mean, 0 to 1. */
    double leastShare() {
        return whole <= 0 ? 0 : Math.min(1, least / whole);
    }

    /**
     * The stages, with two waits attributed to their source: the wait behind earlier requests to the broker's stages,
     * and the wait of batches for a full connection to all stages of a request.
     */
    private static Map<String, Double> atTheirSource(TrialEvidence e) {
        Map<String, Double> stages = new LinkedHashMap<>(StageSum.milliseconds(e));
        Double behind = stages.remove("behind");
        spread(stages, StageSum.ON_BROKER, TrialEvidence.orElse(behind, 0));
        double full = TrialEvidence.ramp(TrialEvidence.orElse(e.busiest(), 0), 0.5, 0.85);
        double linger = TrialEvidence.orElse(e.entry("lingerMs", Math::max), 0);
        double waits = full * Math.max(0, stages.getOrDefault("batch", 0.0) - linger);
        stages.computeIfPresent("batch", (name, ms) -> ms - waits);
        List<String> request = new ArrayList<>(StageSum.ON_BROKER);
        request.addAll(List.of("network", "request"));
        spread(stages, request, waits);
        return stages;
    }

    private static void spread(Map<String, Double> stages, List<String> over, double ms) {
        double sum = sum(stages, over);
        if (sum > 0) {
            over.forEach(name -> stages.computeIfPresent(name, (n, own) -> own + ms * own / sum));
        }
    }

    private static boolean failed(TrialResult trial, String... figures) {
        return trial.judgement().checks().stream()
                .filter(c -> !c.passed() && c.measured() != null)
                .map(c -> CheckParser.today(c.check()))
                .anyMatch(check -> Stream.of(figures).anyMatch(check::startsWith));
    }

    /** Share of these stages, 0 to 1. */
    double share(String... names) {
        return whole <= 0 ? 0 : Math.min(1, sum(stages, List.of(names)) / whole);
    }

    private static double sum(Map<String, Double> stages, List<String> names) {
        return total(names, name -> stages.getOrDefault(name, 0.0));
    }

    /** Share of the time between acknowledgement and consumer, 0 to 1. */
    double reading() {
        return whole <= 0 ? 0 : Math.min(1, toRead / whole);
    }
}
