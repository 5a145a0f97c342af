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
                rate(
                                "share.deliveries",
                                "records that members of share groups were given, again ones included",
                                "deliveries")
                        .called("deliveries/s", "投递/秒")
                        .chart("share", "c4"),
                rate("share.released", "records that members released, to be delivered again", "released")
                        .called("released/s", "释放/秒")
                        .chart("share", "c2"),
                count("share.accepted", "records that members accepted, as the cluster has confirmed", "accepted"),
                count("share.releases", "records that members released", "released"),
                count("share.rejects", "records that members rejected", "rejected"),
                count(
                        "share.lockTimeouts",
                        "records that members kept longer than their locks lasted, so that what they said was too late",
                        "lockTimeouts"),
                count(
                        "share.refused",
                        "records of which the cluster refused what a member said: it had not got them any more",
                        "refused"),
                count(
                        "share.archived",
                        "records that will be given to nobody any more although nobody accepted them: rejected ones, and"
                                + " those that were delivered as often as allowed",
                        "archived"),
                Figure.of("share.inFlight", "records that members had in hand at a time, on average", COUNT)
                        .called("in flight", "处理中")
                        .counted(s -> perSecond(s, "lockMicros", 1e6))
                        .chart("share.inFlight", "c3")
                        .column(9),
                Figure.of(
                                "consume.workBound",
                                "the records a second that the `work` of all members lets through: members ÷ time of a"
                                        + " record, and not more members than partitions where each has one",
                                RECORDS_PER_SECOND)
                        .called("work allows/s", "处理上限/秒")
                        .read(ShareFigures::workBound)
                        .column(5),
                count("consume.workFailures", "records at which the `work` of a member failed", "workFailures")));
        for (Anomaly anomaly : Anomaly.values()) {
            String name = "pipeline." + anomaly.word();
            all.add(count(name, "records of which a pipeline's audit says: " + anomaly.meaning(), name));
        }
        all.add(count("pipeline.left", "records that a pipeline had not reached at its end", "pipeline.left"));
        for (int i = 1; i <= MOST_DELIVERIES; i++) {
            all.add(count(
                    "share.delivered" + i, "records that were delivered for the " + i + ". time", "delivery." + i));
        }
        return all;
    }

    private static Number workBound(TrialResult trial) {
        double sum = trial.observed().clients().values().stream()
                .mapToDouble(client -> client.getOrDefault("workBound", 0.0))
                .sum();
        return sum == 0 ? null : Double.valueOf(sum);
    }

    private static Figure rate(String id, String meaning, String event) {
        return Figure.of(id, meaning, RECORDS_PER_SECOND).counted(s -> perSecond(s, event, 1));
    }

    /** From the measured window on, the drain included: results have it as {@code consume.events}. */
    private static Figure count(String id, String meaning, String event) {
        return Figure.of(id, meaning, COUNT)
                .read(trial -> trial.consume() == null || !told(trial.consume().events(), event)
                        ? null
                        : trial.consume().events().getOrDefault(event, 0L));
    }

    /** Of several pipelines each must have been audited. */
    private static boolean told(Map<String, Long> events, String event) {
        boolean unaudited = event.startsWith("pipeline.") && events.containsKey("pipeline.unaudited");
        return events.containsKey(from(event)) && !unaudited;
    }

    /** What is counted wherever there is such an event at all. */
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
