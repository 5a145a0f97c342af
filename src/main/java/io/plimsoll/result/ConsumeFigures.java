package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RECORDS_PER_SECOND;

import io.plimsoll.audit.PipelineAudit.Anomaly;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.WireUse;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.EndToEnd;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.scenario.Check.Dimension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Declares the figures of consumers. */
public final class ConsumeFigures implements FigureSet {
    private static final int MOST_DELIVERIES = 5;

    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>(reading());
        all.addAll(lag());
        all.addAll(backlog());
        all.addAll(sharing());
        all.addAll(decoding());
        return all;
    }

    private static List<Figure> reading() {
        return List.of(
                Figure.of("consume.throughput", BYTES_PER_SECOND, RECORDS_PER_SECOND)
                        .read(of((c, d) -> d == BYTES_PER_SECOND
                                ? c.volume().bytesPerSecond()
                                : c.volume().recordsPerSecond()))
                        .each((s, d) -> s.perSecond(d == BYTES_PER_SECOND ? Consumed.BYTES : Consumed.RECORDS))
                        .chart("throughput", "c4")
                        .dashed()
                        .ifAny()
                        .column(7)
                        .column(7, BYTES_PER_SECOND),
                latency("consume.endToEnd", EndToEnd::endToEnd, s -> s.get(Consumed.END_TO_END))
                        .withUnended(of(c -> c.times().neverReceived()))
                        .hiddenBelow(of(c -> c.times().endToEndUnknown() == null
                                ? null
                                : c.times().clockErrorMicros()))
                        .betweenClocks()
                        .chart("endToEnd", null)
                        .column(3, Statistic.P99),
                Figure.of("consume.clockError", MICROSECONDS)
                        .read(of(c -> c.times().clockErrorMicros()))
                        .each(s -> s.clockErrorMicros())
                        .mayBeMissing()
                        .chart("endToEnd", "c6")
                        .dashed()
                        .ifAny(),
                latency(
                                "consume.endToEndFromAppend",
                                t -> t.fromAppend().endToEndFromAppend(),
                                s -> s.get(Consumed.END_TO_END_FROM_APPEND))
                        .hiddenBelow(of(c -> c.times().fromAppend().fromAppendUnknown() == null
                                ? null
                                : c.times().fromAppend().appendClockErrorMicros()))
                        .betweenClocks()
                        .chart("endToEndFromAppend", null)
                        .column(4, Statistic.P99),
                Figure.of("consume.appendClockError", MICROSECONDS)
                        .read(of(c -> c.times().fromAppend().appendClockErrorMicros())),
                latency("consume.ownEndToEnd", EndToEnd::ownEndToEnd, null),
                Figure.of("consume.wireThroughput", BYTES_PER_SECOND)
                        .read(t -> t.consume() == null ? null : wireBytesPerSecond(t.consume(), t.produce())),
                Figure.of("consume.requestRate", COUNT)
                        .read(of(c -> c.fetches().requestsPerSecond()))
                        .each(s -> s.perSecond(WireUse.FETCH_REQUESTS))
                        .column(9),
                count("records", c -> c.volume().records()),
                count("errors", c -> c.errors() == null ? null : c.errors().total())
                        .chart("errors", "c2")
                        .ifAny()
                        .each(s -> (double) s.counts().total(Consumed.ERRORS))
                        .grows(s -> s.counts().total(Consumed.ERRORS)),
                count("neverReceived", c -> c.times().neverReceived()),
                count("missing", c -> c.reading().missing()));
    }

    private static List<Figure> decoding() {
        Map<String, Metric<Long>> each = new LinkedHashMap<>();
        each.put("decoded", Consumed.DECODED);
        each.put("undecodable", Consumed.UNDECODABLE);
        each.put("unknownSchema", Consumed.UNKNOWN_SCHEMA);
        each.put("unexpected", Consumed.UNEXPECTED);
        return each.entrySet().stream()
                .map(e -> Figure.of("consume." + e.getKey(), COUNT)
                        .counted(s -> s.get(Consumed.DECODED) == 0 ? null : Double.valueOf(s.get(e.getValue())))
                        .mayBeMissing()
                        .grows(s -> s.get(e.getValue())))
                .toList();
    }

    private static List<Figure> lag() {
        return List.of(
                Figure.of("consume.lag", COUNT)
                        .read(t -> t.consume() == null ? null : highestLag(t))
                        .each(s -> {
                            Long lag = s.lag();
                            return lag == null ? null : Double.valueOf(lag);
                        })
                        .mayBeMissing()
                        .chart("lag", "c3")
                        .ifAny(),
                count("lagAtEnd", c -> lagAtEnd(c.groups())),
                count(
                        "rebalances",
                        c -> c.groups().stream().mapToLong(Group::rebalances).sum()));
    }

    private static List<Figure> backlog() {
        return List.of(
                count("backlog", backlog(Backlog::records)),
                Figure.of("consume.drainTime", MICROSECONDS)
                        .read(of(backlog(b -> b.drained() ? b.drainSeconds() * 1e6 : null))),
                Figure.of("consume.firstRecord", MICROSECONDS)
                        .read(of(ConsumeFigures::firstRecord))
                        .column(6),
                Figure.of("consume.drainRate", BYTES_PER_SECOND, RECORDS_PER_SECOND)
                        .read(of((c, d) -> backlog(
                                        d == BYTES_PER_SECOND ? Backlog::bytesPerSecond : Backlog::recordsPerSecond)
                                .apply(c)))
                        .column(5));
    }

    private static Figure count(String name, Function<Consume, Number> figure) {
        return Figure.of("consume." + name, COUNT).read(of(figure));
    }

    private static @Nullable Number firstRecord(Consume c) {
        Long partitions = c.events().get("firstRecords");
        Long micros = c.events().get("firstRecordMicros");
        return c.reading().backlog() == null || partitions == null || micros == null
                ? null
                : Double.valueOf((double) micros / partitions);
    }

    private static <T> Function<TrialResult, T> of(Function<Consume, T> figure) {
        return trial -> trial.consume() == null ? null : figure.apply(trial.consume());
    }

    private static BiFunction<TrialResult, Dimension, Number> of(BiFunction<Consume, Dimension, Number> figure) {
        return (trial, dimension) -> trial.consume() == null ? null : figure.apply(trial.consume(), dimension);
    }

    private static Function<Consume, Number> backlog(Function<Backlog, Number> figure) {
        return c ->
                c.reading().backlog() == null ? null : figure.apply(c.reading().backlog());
    }

    private static Figure latency(
            String id, Function<EndToEnd, TrialResult.Latency> ofTrial, @Nullable Function<Sums, Latencies> ofSecond) {
        return Figure.latency(id, of(c -> ofTrial.apply(c.times())), ofSecond);
    }

    private static @Nullable Long highestLag(TrialResult trial) {
        return trial.measured()
                .map(TrialResult.Second::lag)
                .filter(Objects::nonNull)
                .max(Long::compare)
                .orElse(null);
    }

    /** @return the total lag of all groups; null if the lag of any group is unknown */
    static @Nullable Long lagAtEnd(List<Group> groups) {
        boolean known = groups.stream().map(Group::lagAtEnd).allMatch(Objects::nonNull);
        return known ? groups.stream().mapToLong(Group::lagAtEnd).sum() : null;
    }

    /** Consumed records × their mean size when produced, per second; null if no records were produced. */
    private static @Nullable Double wireBytesPerSecond(Consume c, TrialResult.@Nullable Produce p) {
        Double each =
                p == null ? null : Sums.ratio(p.wire().bytesPerBatch(), p.wire().recordsPerBatch());
        Double perSecond = c.volume().recordsPerSecond();
        return each == null || perSecond == null ? null : Double.valueOf(perSecond * each);
    }

    /** Figures of share groups, and of the simulated work of consumers. */
    private static List<Figure> sharing() {
        List<Figure> all = new ArrayList<>(List.of(
                rate("deliveries").chart("share", "c4"),
                rate("released").chart("share", "c2"),
                event("share.accepted", "accepted"),
                event("share.releases", "released"),
                event("share.rejects", "rejected"),
                event("share.lockTimeouts", "lockTimeouts"),
                event("share.refused", "refused"),
                event("share.archived", "archived"),
                Figure.of("share.inFlight", COUNT)
                        .counted(s -> perSecond(s, "lockMicros", 1e6))
                        .chart("share.inFlight", "c3")
                        .column(9),
                Figure.of("consume.workBound", RECORDS_PER_SECOND)
                        .read(ConsumeFigures::workBound)
                        .column(5),
                event("consume.workFailures", "workFailures")));
        for (Anomaly anomaly : Anomaly.values()) {
            String name = "pipeline." + anomaly.word();
            all.add(event(name, name));
        }
        all.add(event("pipeline.left", "pipeline.left"));
        for (int i = 1; i <= MOST_DELIVERIES; i++) {
            all.add(event("share.delivered" + i, "delivery." + i));
        }
        return all;
    }

    private static @Nullable Number workBound(TrialResult trial) {
        double sum = trial.observed().clients().values().stream()
                .mapToDouble(client -> client.getOrDefault("workBound", 0.0))
                .sum();
        return sum == 0 ? null : Double.valueOf(sum);
    }

    private static Figure rate(String event) {
        return Figure.of("share." + event, RECORDS_PER_SECOND).counted(s -> perSecond(s, event, 1));
    }

    /** A count from the start of the measured window, including the drain; {@code consume.events} in results. */
    private static Figure event(String id, String event) {
        return Figure.of(id, COUNT)
                .read(trial ->
                        trial.consume() == null || !isCounted(trial.consume().events(), event)
                                ? null
                                : trial.consume().events().getOrDefault(event, 0L));
    }

    /** Whether the event was counted; with several pipelines, each must have been audited. */
    private static boolean isCounted(Map<String, Long> events, String event) {
        boolean unaudited = event.startsWith("pipeline.") && events.containsKey("pipeline.unaudited");
        return events.containsKey(from(event)) && !unaudited;
    }

    /** The event that is present whenever this event was counted, because a count of 0 can be absent. */
    private static String from(String event) {
        return event.startsWith("pipeline.") ? "pipeline.inputs" : event.equals("workFailures") ? event : "deliveries";
    }

    /** Rate of an event; null without share groups. */
    private static @Nullable Double perSecond(Sums sums, String event, double unit) {
        Map<String, Long> events = sums.get(Consumed.EVENTS);
        boolean shared = events.containsKey("deliveries");
        return shared ? Double.valueOf(events.getOrDefault(event, 0L) / sums.readSeconds() / unit) : null;
    }
}
