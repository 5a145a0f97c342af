package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RECORDS_PER_SECOND;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.WireUse;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.EndToEnd;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.scenario.Check.Dimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The figures of consuming. */
public final class ConsumeFigures implements FigureSet {
    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>(reading());
        all.addAll(lag());
        all.addAll(backlog());
        return all;
    }

    private static List<Figure> reading() {
        return List.of(
                Figure.of("consume.throughput", "what was read within the window", BYTES_PER_SECOND, RECORDS_PER_SECOND)
                        .called("consumed", "已消费")
                        .read(of((c, d) -> d == BYTES_PER_SECOND
                                ? c.volume().bytesPerSecond()
                                : c.volume().recordsPerSecond()))
                        .each((s, d) -> s.perSecond(d == BYTES_PER_SECOND ? Consumed.BYTES : Consumed.RECORDS))
                        .chart(new ChartLine("throughput", "c4").dashed().ifAny())
                        .column(7, RECORDS_PER_SECOND, "consumed/s", "消费/秒")
                        .column(7, BYTES_PER_SECOND, "consumed MB/s", "消费 MB/s"),
                latency(
                                "consume.endToEnd",
                                "from the moment a record was due until a consumer had it; `consume.e2e` for short",
                                EndToEnd::endToEnd,
                                s -> s.get(Consumed.END_TO_END))
                        .called("end-to-end", "端到端")
                        .withUnended(of(c -> c.times().neverReceived()))
                        .hiddenBelow(t -> t.consume().times().endToEndUnknown() == null
                                ? null
                                : t.consume().times().clockErrorMicros())
                        .betweenClocks()
                        .chart(new ChartLine("endToEnd", null))
                        .column(3, Statistic.P99, "e2e p99", "端到端 p99"),
                Figure.of(
                                "consume.clockError",
                                "how far the clocks of a fleet's workers may have been apart",
                                MICROSECONDS)
                        .called("± clocks", "± 时钟")
                        .read(of(c -> c.times().clockErrorMicros()))
                        .each(s -> s.clockErrorMicros())
                        .mayBeMissing()
                        .chart(new ChartLine("endToEnd", "c6").dashed().ifAny()),
                latency(
                                "consume.endToEndFromAppend",
                                "from the moment a broker appended a record until a consumer had it, where topics have"
                                        + " `message.timestamp.type=LogAppendTime`",
                                t -> t.fromAppend().endToEndFromAppend(),
                                s -> s.get(Consumed.END_TO_END_FROM_APPEND))
                        .called("end-to-end from append", "端到端（自追加起）")
                        .hiddenBelow(t -> t.consume().times().fromAppend().fromAppendUnknown() == null
                                ? null
                                : t.consume().times().fromAppend().appendClockErrorMicros())
                        .betweenClocks()
                        .chart(new ChartLine("endToEndFromAppend", null))
                        .column(4, Statistic.P99, "append e2e p99", "自追加 p99"),
                Figure.of(
                                "consume.appendClockError",
                                "by how much times from append on may be wrong, because the brokers' clocks are others",
                                MICROSECONDS)
                        .called("± append", "± 追加")
                        .read(of(c -> c.times().fromAppend().appendClockErrorMicros())),
                latency(
                                "consume.ownEndToEnd",
                                "the same of records that a worker of a fleet has written itself, by its one clock",
                                EndToEnd::ownEndToEnd,
                                null)
                        .called("own end-to-end", "自测端到端"),
                Figure.of(
                                "consume.wireThroughput",
                                "what was read, with the bytes that it had in batches when it was produced",
                                BYTES_PER_SECOND)
                        .read(t -> t.consume() == null ? null : wireBytesPerSecond(t.consume(), t.produce())),
                Figure.of("consume.requestRate", "fetch requests a second", COUNT)
                        .called("fetches/s", "拉取/秒")
                        .read(of(c -> c.fetches().requestsPerSecond()))
                        .each(s -> s.perSecond(WireUse.FETCH_REQUESTS))
                        .column(9),
                Figure.of("consume.records", "records that were read", COUNT)
                        .read(of(c -> c.volume().records())),
                Figure.of("consume.errors", "polls and commits that failed", COUNT)
                        .called("consuming", "消费")
                        .chart(new ChartLine("errors", "c2").ifAny())
                        .read(of(c -> c.errors() == null ? null : c.errors().total()))
                        .each(s -> (double) s.counts().total(Consumed.ERRORS))
                        .grows(s -> s.counts().total(Consumed.ERRORS)),
                Figure.of("consume.neverReceived", "records due that a group had to read and has not", COUNT)
                        .read(of(c -> c.times().neverReceived())),
                Figure.of("consume.missing", "records to be read and not read", COUNT)
                        .read(of(c -> c.reading().missing())));
    }

    private static List<Figure> lag() {
        return List.of(
                Figure.of("consume.lag", "records not yet read, the most of any second", COUNT)
                        .called("lag", "滞后")
                        .read(t -> t.consume() == null ? null : highestLag(t))
                        .each(s -> s.lag() == null ? null : Double.valueOf(s.lag()))
                        .mayBeMissing()
                        .chart(new ChartLine("lag", "c3").ifAny()),
                Figure.of("consume.lagAtEnd", "records not yet read when the load ended", COUNT)
                        .read(of(c -> lagAtEnd(c.groups()))),
                Figure.of("consume.rebalances", "assignments that members got after the first", COUNT)
                        .read(of(c ->
                                c.groups().stream().mapToLong(Group::rebalances).sum())));
    }

    private static List<Figure> backlog() {
        return List.of(
                Figure.of("consume.backlog", "records that had piled up for groups that were held back", COUNT)
                        .read(of(backlog(Backlog::records))),
                Figure.of("consume.drainTime", "until a backlog was worked off", MICROSECONDS)
                        .read(of(backlog(b -> b.drained() ? b.drainSeconds() * 1e6 : null))),
                Figure.of(
                                "consume.firstRecord",
                                "from when a group that was held back was let read until it had the first record of a"
                                        + " partition, on average over partitions",
                                MICROSECONDS)
                        .called("first record", "首条记录")
                        .read(of(ConsumeFigures::firstRecord))
                        .column(6),
                Figure.of("consume.drainRate", "what was read meanwhile", BYTES_PER_SECOND, RECORDS_PER_SECOND)
                        .called("catch-up MB/s", "追赶 MB/s")
                        .read(of((c, d) -> backlog(
                                        d == BYTES_PER_SECOND ? Backlog::bytesPerSecond : Backlog::recordsPerSecond)
                                .apply(c)))
                        .column(5));
    }

    private static Number firstRecord(Consume c) {
        Long partitions = c.events().get("firstRecords");
        return c.reading().backlog() == null || partitions == null
                ? null
                : Double.valueOf((double) c.events().get("firstRecordMicros") / partitions);
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
            String id, String meaning, Function<EndToEnd, Latency> ofTrial, Function<Sums, Latencies> ofSecond) {
        return Figure.latency(
                id,
                meaning,
                t -> t.consume() == null ? null : ofTrial.apply(t.consume().times()),
                ofSecond);
    }

    private static Long highestLag(TrialResult trial) {
        return trial.measured()
                .map(Second::lag)
                .filter(Objects::nonNull)
                .max(Long::compare)
                .orElse(null);
    }

    /** @return of all groups together; null if any could not be asked */
    static Long lagAtEnd(List<Group> groups) {
        boolean known = groups.stream().map(Group::lagAtEnd).allMatch(Objects::nonNull);
        return known ? groups.stream().mapToLong(Group::lagAtEnd).sum() : null;
    }

    /** Consumers' records with the bytes that they had when they were produced; null if none were. */
    private static Double wireBytesPerSecond(Consume c, Produce p) {
        Double each =
                p == null ? null : Sums.ratio(p.wire().bytesPerBatch(), p.wire().recordsPerBatch());
        return each == null ? null : Double.valueOf(c.volume().recordsPerSecond() * each);
    }
}
