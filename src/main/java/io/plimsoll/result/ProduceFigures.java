package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.BYTES;
import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RATIO;
import static io.plimsoll.scenario.Check.Dimension.RECORDS_PER_SECOND;

import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.WireUse;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Times;
import io.plimsoll.scenario.Check.Dimension;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Declares the figures of producers. */
public final class ProduceFigures implements FigureSet {
    /** Acknowledged ÷ offered records above which records from before the window affect the result. */
    private static final double ABOVE = 1.01;

    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>(load());
        all.addAll(latencies());
        all.addAll(counts());
        all.addAll(wire());
        return all;
    }

    private static List<Figure> latencies() {
        return List.of(
                Figure.latency("produce.response", times(Times::responseTime), s -> s.get(Produced.RESPONSE_TIME))
                        .withUnended(ProduceFigures::unended)
                        .shown((second, statistic, d) -> statistic == Statistic.P50
                                ? second.response().responseP50()
                                : statistic == Statistic.P99
                                        ? second.response().responseP99()
                                        : statistic == Statistic.MAX
                                                ? second.response().responseMax()
                                                : null)
                        .chart("response", null)
                        .column(1, Statistic.P50)
                        .column(9, Statistic.P90)
                        .column(0, Statistic.P99)
                        .column(8, Statistic.P999)
                        .column(4, Statistic.MAX),
                Figure.latency("produce.service", times(Times::serviceTime), s -> s.get(Produced.SERVICE_TIME))
                        .chart("service", null)
                        .column(1, Statistic.P50)
                        .column(9, Statistic.P90)
                        .column(0, Statistic.P99)
                        .column(8, Statistic.P999)
                        .column(4, Statistic.MAX),
                Figure.latency("produce.delay", times(Times::sendDelay), s -> s.get(Produced.SEND_DELAY)));
    }

    private static List<Figure> load() {
        return List.of(
                Figure.of("produce.offered", RECORDS_PER_SECOND)
                        .read(of(p -> p.schedule().offeredRecordsPerSecond()))
                        .each(s -> s.perSecond(Produced.DUE))
                        .chart("throughput", "c0")
                        .dashed()
                        .column(5),
                Figure.of("produce.throughput", BYTES_PER_SECOND, RECORDS_PER_SECOND)
                        .read(of((p, d) -> d == BYTES_PER_SECOND
                                ? p.volume().bytesPerSecond()
                                : p.volume().recordsPerSecond()))
                        .each((s, d) -> s.perSecond(
                                d == BYTES_PER_SECOND ? Produced.ACKNOWLEDGED_BYTES : Produced.ACKNOWLEDGED))
                        .shown((second, statistic, d) -> d == BYTES_PER_SECOND
                                ? second.rates().producedBytes()
                                : second.rates().produced())
                        .chart("throughput", "c1")
                        .column(0)
                        .column(2, BYTES_PER_SECOND),
                Figure.of("produce.achieved", RATIO)
                        .read(of(ProduceFigures::achieved))
                        .each(s -> s.ratio(Produced.ACKNOWLEDGED, Produced.DUE)),
                Figure.of("produce.duration", MICROSECONDS)
                        .read(trial -> trial.produce() == null
                                ? null
                                : Double.valueOf(trial.course().measuredSeconds() * 1e6)));
    }

    private static List<Figure> counts() {
        List<Figure> counts = new ArrayList<>(List.of(
                Figure.of("produce.records", COUNT).read(of(p -> p.volume().records())),
                Figure.of("produce.errors", COUNT)
                        .chart("errors", "c5")
                        .ifAny()
                        .read(of(p -> p.errors() == null ? null : p.errors().total()))
                        .each(s -> (double) s.counts().total(Produced.ERRORS))
                        .grows(s -> s.counts().total(Produced.ERRORS)),
                Figure.of("produce.unacknowledged", COUNT)
                        .read(of(p -> p.schedule().unacknowledged()))
                        .grows(s -> s.get(Produced.UNACKNOWLEDGED)),
                Figure.of("produce.missing", COUNT).read(of(ProduceFigures::missing))));
        for (String event : List.of("waitedOver50ms", "waitedOver100ms", "waitTimedOut")) {
            counts.add(Figure.of("produce." + event, COUNT)
                    .read(of(p -> p.events().getOrDefault(event, 0L)))
                    .grows(s -> s.get(Produced.EVENTS).get(event)));
        }
        return counts;
    }

    private static List<Figure> wire() {
        return List.of(
                Figure.of("produce.serializeTime", MICROSECONDS)
                        .counted(s -> micros(s, Produced.SERIALIZE_NANOS))
                        .mayBeMissing(),
                Figure.of("produce.serializeCpu", MICROSECONDS)
                        .counted(s -> micros(s, Produced.SERIALIZE_CPU_NANOS))
                        .mayBeMissing(),
                Figure.of("produce.requestRate", COUNT)
                        .read(of(p -> p.wire().requestsPerSecond()))
                        .each(s -> s.perSecond(WireUse.REQUESTS)),
                Figure.of("produce.recordsPerBatch", COUNT)
                        .read(of(p -> p.wire().recordsPerBatch()))
                        .each(s -> s.ratio(WireUse.BATCHED_RECORDS, WireUse.BATCHES)),
                Figure.of("produce.bytesPerBatch", BYTES)
                        .read(of(p -> p.wire().bytesPerBatch()))
                        .each(s -> s.ratio(WireUse.BATCH_BYTES, WireUse.BATCHES)),
                Figure.of("produce.compressionRatio", RATIO)
                        .read(of(p -> p.wire().compressionRatio()))
                        .each(s -> s.ratio(WireUse.BATCH_BYTES, WireUse.UNCOMPRESSED_BYTES)),
                Figure.of("produce.wireThroughput", BYTES_PER_SECOND)
                        .read(of(ProduceFigures::wireBytesPerSecond))
                        .each(s -> s.perSecond(WireUse.BATCH_BYTES)));
    }

    private static @Nullable Double micros(Sums sums, Metric<Long> nanos) {
        Double each = sums.ratio(nanos, Produced.SERIALIZED);
        return each == null ? null : Double.valueOf(each / 1000);
    }

    private static @Nullable Long unended(TrialResult trial) {
        TrialResult.Schedule schedule =
                trial.produce() == null ? null : trial.produce().schedule();
        return schedule == null || schedule.unacknowledged() == null || schedule.unsent() == null
                ? null
                : Long.valueOf(schedule.unacknowledged() + schedule.unsent());
    }

    private static Function<TrialResult, TrialResult.Latency> times(Function<Times, TrialResult.Latency> which) {
        return trial ->
                trial.produce() == null ? null : which.apply(trial.produce().times());
    }

    private static Function<TrialResult, Number> of(Function<Produce, Number> figure) {
        return trial -> trial.produce() == null ? null : figure.apply(trial.produce());
    }

    private static BiFunction<TrialResult, Dimension, Number> of(BiFunction<Produce, Dimension, Number> figure) {
        return (trial, dimension) -> trial.produce() == null ? null : figure.apply(trial.produce(), dimension);
    }

    private static @Nullable Number missing(Produce p) {
        Long asked = p.schedule().asked();
        Long records = p.volume().records();
        return asked == null || records == null ? null : Math.max(0, asked - records);
    }

    /**
     * Requests per second of the window × mean bytes per request, because the total number of bytes also covers the
     * drain.
     */
    private static @Nullable Double wireBytesPerSecond(Produce p) {
        Long requests = p.wire().requests();
        Long bytes = p.wire().wireBytes();
        Double perSecond = p.wire().requestsPerSecond();
        Double each = requests == null || bytes == null ? null : Sums.ratio(bytes, requests);
        return each == null || perSecond == null ? null : Double.valueOf(each * perSecond);
    }

    /** @return acknowledged ÷ offered rate; null without a schedule */
    public static @Nullable Double achieved(Produce p) {
        return Sums.ratio(p.volume().recordsPerSecond(), p.schedule().offeredRecordsPerSecond());
    }

    /**
     * Whether more records were acknowledged in the window than were due in it. The excess was a backlog from before
     * the window, and does not indicate the capacity of the cluster.
     */
    public static boolean aboveOffered(Produce p) {
        Double achieved = p.schedule() == null || p.volume() == null ? null : achieved(p);
        return achieved != null && achieved > ABOVE;
    }

    /** As {@link #aboveOffered(Produce)}, for rates in records per second. */
    public static boolean aboveOffered(double acknowledged, double offered) {
        return acknowledged > ABOVE * offered;
    }
}
