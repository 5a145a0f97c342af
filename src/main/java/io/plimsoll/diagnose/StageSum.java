package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.TrialEvidence.total;

import io.plimsoll.result.Limits.Stage;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Times;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Splits the time of a produced record into stages. The mean response time, the send delay, the wait for buffer memory,
 * the request time and its broker stages are measured; the remainder is time in the batch. A broker processes the
 * requests of a connection in sequence, so a request waits for earlier requests. The remaining request time is network
 * and client.
 */
final class StageSum {
    /** Broker stages of a request, in order. */
    static final List<String> ON_BROKER =
            List.of("requestQueueMs", "localMs", "remoteMs", "responseQueueMs", "responseSendMs");

    /** The stages of a produced record; empty if the total or the request time is unknown. */
    static List<Stage> of(TrialEvidence e) {
        Double whole = whole(e);
        List<Stage> stages = new ArrayList<>();
        if (whole == null) {
            return stages;
        }
        milliseconds(e).forEach((name, value) -> {
            if (value > 0) {
                stages.add(new Stage(Sentence.of("diagnose.stage." + name), value, value / whole));
            }
        });
        return stages;
    }

    /** Mean time of each stage in ms, by name; empty if the total or the request time is unknown. */
    static Map<String, Double> milliseconds(TrialEvidence e) {
        Double request = e.requestMs();
        Double whole = whole(e);
        if (whole == null || request == null || whole <= 0) {
            return Map.of();
        }
        Produce p = e.produce();
        Map<String, Double> ms = new LinkedHashMap<>();
        double left = whole;
        double late = Math.min(left, e.closedLoop() ? 0 : lateMs(p, whole));
        left -= late;
        double buffer = Math.min(left, bufferMs(p));
        left -= buffer;
        double way = Math.min(left, request);
        ms.put("late", late);
        ms.put("buffer", buffer);
        ms.put("batch", left - way);
        onBroker(e, ms, way);
        return ms;
    }

    private static void onBroker(TrialEvidence e, Map<String, Double> ms, double way) {
        double left = way;
        boolean any = false;
        for (String stage : ON_BROKER) {
            Double mean = e.perRequest(stage);
            any |= mean != null;
            double part = Math.min(left, orElse(mean, 0));
            ms.put(stage, part);
            left -= part;
        }
        double behind = Math.min(left, Math.max(0, e.dueToBroker() - orElse(e.perRequest("totalMs"), 0)));
        ms.put("behind", behind);
        ms.put(any ? "network" : "request", left - behind);
    }

    /** Mean response time in ms, or service time in a closed loop; null if unknown. */
    static @Nullable Double whole(TrialEvidence e) {
        if (!e.produces()) {
            return null;
        }
        Times times = e.produce().times();
        return meanMs(e.closedLoop() ? times.serviceTime() : times.responseTime());
    }

    /**
     * Mean time from due time to send, over all due records. If every sent record is acknowledged, the remaining delay
     * belongs to unsent records, which have no distribution of their own. Otherwise unsent records are assumed to be
     * the last records that became due; their mean wait is half of the time in which they became due.
     */
    private static double lateMs(Produce p, double wholeMs) {
        Latency response = p.times().responseTime();
        Long unsent = p.schedule().unsent();
        double sent = orElse(meanMs(p.times().sendDelay()), 0);
        if (unsent == null || unsent == 0 || response == null || response.count() <= 0) {
            return sent;
        }
        double all = wholeMs * response.count();
        double delays = sum(p.times().sendDelay());
        double left = Math.max(0, all - delays - sum(p.times().serviceTime()));
        double rate = orElse(p.schedule().offeredRecordsPerSecond(), 0);
        Long unanswered = p.schedule().unacknowledged();
        boolean allAnswered = unanswered == null || unanswered == 0 || rate <= 0;
        double waited = allAnswered ? left : Math.min(left, unsent * (unsent / rate) / 2 * 1e3);
        return (delays + waited) / response.count();
    }

    private static double sum(@Nullable Latency latency) {
        return latency == null ? 0 : orElse(meanMs(latency), 0) * latency.count();
    }

    private static double bufferMs(Produce p) {
        Double waited = p.waits().bufferWaitSeconds();
        Long records = p.volume().records();
        return waited == null || records == null || records <= 0 ? 0 : waited * 1e3 / records;
    }

    /** The mean in milliseconds; null if unknown. */
    static @Nullable Double meanMs(@Nullable Latency latency) {
        return latency == null || latency.mean() == null ? null : Double.valueOf(latency.mean() / 1e3);
    }

    /**
     * A latency that exceeds its check although the load was sustained. The question is then which stage takes the
     * time, not which limit bounds throughput. Times are in milliseconds.
     * @param whole mean of that latency
     * @param least minimum of that latency
     * @param stages producer stages, as in {@link #milliseconds}
     * @param toRead time from acknowledgment to consumer; 0 if the check does not cover it
     */
    record Asked(double whole, double least, Map<String, Double> stages, double toRead) {
        private static final String END_TO_END = "consume.endToEnd.";
        private static final String FROM_APPEND = "consume.endToEndFromAppend.";
        private static final String[] PRODUCING = {"produce.response", "produce.service", "produce.delay"};
        private static final double CARRIED = 0.5;

        /** The latency to explain; null if no latency check failed or the load was not sustained. */
        static @Nullable Asked of(TrialEvidence e) {
            Double response = StageSum.whole(e);
            if (response == null || e.closedLoop() || e.late() > CARRIED) {
                return null;
            }
            Map<String, Double> stages = atTheirSource(e);
            if (failed(e.trial(), PRODUCING)) {
                return new Asked(response, leastMs(e.produce().times().responseTime()), stages, 0);
            }
            Consume c = e.trial().consume();
            if (c == null) {
                return null;
            }
            Double whole = failed(e.trial(), END_TO_END) ? meanMs(c.times().endToEnd()) : null;
            if (whole != null) {
                return new Asked(whole, leastMs(c.times().endToEnd()), stages, Math.max(0, whole - response));
            }
            Latency appended =
                    failed(e.trial(), FROM_APPEND) ? c.times().fromAppend().endToEndFromAppend() : null;
            Double read = meanMs(appended);
            return read == null ? null : new Asked(read, leastMs(appended), Map.of(), read);
        }

        private static double leastMs(@Nullable Latency latency) {
            return latency == null || latency.min() == null ? 0 : latency.min() / 1e3;
        }

        /** Minimum ÷ mean of the latency, 0 to 1. */
        double leastShare() {
            return whole <= 0 ? 0 : Math.min(1, least / whole);
        }

        /**
         * The stages, with two waits attributed to their cause. The wait for earlier requests belongs to the broker's
         * stages, and the wait of batches for a full connection to all stages of a request.
         */
        private static Map<String, Double> atTheirSource(TrialEvidence e) {
            Map<String, Double> stages = new LinkedHashMap<>(milliseconds(e));
            Double behind = stages.remove("behind");
            spread(stages, ON_BROKER, orElse(behind, 0));
            double full = ramp(orElse(e.busiest(), 0), 0.5, 0.85);
            double linger = orElse(e.entry("lingerMs", Math::max), 0);
            double waits = full * Math.max(0, stages.getOrDefault("batch", 0.0) - linger);
            stages.computeIfPresent("batch", (name, ms) -> ms - waits);
            List<String> request = new ArrayList<>(ON_BROKER);
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

        /** Share of these stages in the latency, 0 to 1. */
        double share(String... names) {
            return whole <= 0 ? 0 : Math.min(1, sum(stages, List.of(names)) / whole);
        }

        private static double sum(Map<String, Double> stages, List<String> names) {
            return total(names, name -> stages.getOrDefault(name, 0.0));
        }

        /** Share of the time between acknowledgment and consumer in the latency, 0 to 1. */
        double reading() {
            return whole <= 0 ? 0 : Math.min(1, toRead / whole);
        }
    }
}
