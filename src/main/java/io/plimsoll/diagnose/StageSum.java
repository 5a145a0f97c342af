package io.plimsoll.diagnose;

import io.plimsoll.result.Limits.Stage;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the time of a produced record goes. The whole is measured (the mean response time), and so are the time before
 * the record was handed over, the wait for buffer memory, a request's way and its stages on the broker; what is left of
 * the whole is the wait in the batch. A broker takes the requests of a connection one after the other, so that a request
 * waits for those before it; what is left of the way then is the network with the clients' own work.
 */
final class StageSum {
    static final String SCHEDULE = "late to be sent";
    static final String BUFFER = "wait for buffer memory";
    static final String BATCH = "in the batch";
    static final String BEHIND = "behind earlier requests";
    static final String NETWORK = "network and client";
    static final String REQUEST = "request and answer";
    private static final Map<String, String> BROKER_STAGES = stages();

    private StageSum() {}

    private static Map<String, String> stages() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("requestQueueMs", "broker: request queue");
        names.put("localMs", "broker: append");
        names.put("remoteMs", "broker: followers");
        names.put("responseQueueMs", "broker: response queue");
        names.put("responseSendMs", "broker: response send");
        return names;
    }

    /** Empty if the whole, or the way of a request, is unknown. */
    static List<Stage> of(TrialEvidence seen) {
        Double request = seen.requestMs();
        Double whole = whole(seen);
        if (whole == null || request == null || whole <= 0) {
            return List.of();
        }
        Produce p = seen.trial().produce();
        Map<String, Double> ms = new LinkedHashMap<>();
        double left = whole;
        double late =
                Math.min(left, seen.closedLoop() ? 0 : orZero(mean(p.times().sendDelay())) / 1e3);
        left -= late;
        double buffer = Math.min(left, bufferMs(p));
        left -= buffer;
        double way = Math.min(left, request);
        ms.put(SCHEDULE, late);
        ms.put(BUFFER, buffer);
        ms.put(BATCH, left - way);
        onBroker(seen, ms, way);
        List<Stage> stages = new ArrayList<>();
        ms.forEach((name, value) -> {
            if (value > 0) {
                stages.add(new Stage(name, value, value / whole));
            }
        });
        return stages;
    }

    private static void onBroker(TrialEvidence seen, Map<String, Double> ms, double way) {
        double left = way;
        boolean any = false;
        for (Map.Entry<String, String> stage : BROKER_STAGES.entrySet()) {
            Double mean = seen.perRequest(stage.getKey());
            any |= mean != null;
            double part = Math.min(left, orZero(mean));
            ms.put(stage.getValue(), part);
            left -= part;
        }
        double behind = Math.min(left, Math.max(0, seen.dueToBroker() - orZero(seen.perRequest("totalMs"))));
        ms.put(BEHIND, behind);
        ms.put(any ? NETWORK : REQUEST, left - behind);
    }

    /** Mean response time, in a closed loop service time, in milliseconds; null if unknown. */
    static Double whole(TrialEvidence seen) {
        if (!seen.produces()) {
            return null;
        }
        Produce p = seen.trial().produce();
        Double micros =
                mean(seen.closedLoop() ? p.times().serviceTime() : p.times().responseTime());
        return micros == null ? null : Double.valueOf(micros / 1e3);
    }

    private static double bufferMs(Produce p) {
        boolean known = p.waits().bufferWaitSeconds() != null
                && p.volume().records() != null
                && p.volume().records() > 0;
        return known ? p.waits().bufferWaitSeconds() * 1e3 / p.volume().records() : 0;
    }

    private static Double mean(Latency latency) {
        return latency == null ? null : latency.mean();
    }

    private static double orZero(Double value) {
        return value == null ? 0 : value;
    }
}
