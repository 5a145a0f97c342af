package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.RECORDS_PER_SECOND;

import io.plimsoll.audit.PipelineAudit.Anomaly;
import io.plimsoll.measure.Consumed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The figures of share groups, and of the work that consumers do. */
public final class ShareFigures implements FigureSet {
    private static final int MOST_DELIVERIES = 5;

    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>(List.of(
                rate("deliveries").chart("share", "c4"),
                rate("released").chart("share", "c2"),
                count("share.accepted", "accepted"),
                count("share.releases", "released"),
                count("share.rejects", "rejected"),
                count("share.lockTimeouts", "lockTimeouts"),
                count("share.refused", "refused"),
                count("share.archived", "archived"),
                Figure.of("share.inFlight", COUNT)
                        .counted(s -> perSecond(s, "lockMicros", 1e6))
                        .chart("share.inFlight", "c3")
                        .column(9),
                Figure.of("consume.workBound", RECORDS_PER_SECOND)
                        .read(ShareFigures::workBound)
                        .column(5),
                count("consume.workFailures", "workFailures")));
        for (Anomaly anomaly : Anomaly.values()) {
            String name = "pipeline." + anomaly.word();
            all.add(count(name, name));
        }
        all.add(count("pipeline.left", "pipeline.left"));
        for (int i = 1; i <= MOST_DELIVERIES; i++) {
            all.add(count("share.delivered" + i, "delivery." + i));
        }
        return all;
    }

    private static Number workBound(TrialResult trial) {
        double sum = trial.observed().clients().values().stream()
                .mapToDouble(client -> client.getOrDefault("workBound", 0.0))
                .sum();
        return sum == 0 ? null : Double.valueOf(sum);
    }

    private static Figure rate(String event) {
        return Figure.of("share." + event, RECORDS_PER_SECOND).counted(s -> perSecond(s, event, 1));
    }

    /** From the measured window on, the drain included: results have it as {@code consume.events}. */
    private static Figure count(String id, String event) {
        return Figure.of(id, COUNT)
                .read(trial -> trial.consume() == null || !told(trial.consume().events(), event)
                        ? null
                        : trial.consume().events().getOrDefault(event, 0L));
    }

    /** Of several pipelines each must have been audited. */
    private static boolean told(Map<String, Long> events, String event) {
        boolean unaudited = event.startsWith("pipeline.") && events.containsKey("pipeline.unaudited");
        return events.containsKey(from(event)) && !unaudited;
    }

    /** Counts are available wherever such an event exists. */
    private static String from(String event) {
        return event.startsWith("pipeline.") ? "pipeline.inputs" : event.equals("workFailures") ? event : "deliveries";
    }

    /** Null where no share group is. */
    private static Double perSecond(Sums sums, String event, double unit) {
        Map<String, Long> events = sums.get(Consumed.EVENTS);
        boolean shared = events.containsKey("deliveries");
        return shared ? Double.valueOf(sums.ofReading(events.getOrDefault(event, 0L)) / unit) : null;
    }
}
