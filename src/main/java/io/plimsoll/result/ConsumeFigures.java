package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RECORDS_PER_SECOND;

import io.plimsoll.measure.Latencies;
import io.plimsoll.result.TrialResult.Backlog;
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
                Figure.of("consume.throughput", BYTES_PER_SECOND, RECORDS_PER_SECOND)
                        .called("consumed", "已消费")
                        .means("what was read within the window")
                        .read(of((c, d) -> d == BYTES_PER_SECOND
                                ? c.volume().bytesPerSecond()
                                : c.volume().recordsPerSecond()))
                        .each((s, d) -> s.perSecond(
                                d == BYTES_PER_SECOND
                                        ? s.consume().bytes()
                                        : s.consume().records()))
                        .chart(new ChartLine("throughput", "c4").dashed().ifAny())
                        .column(7, RECORDS_PER_SECOND, "consumed/s", "消费/秒")
                        .column(7, BYTES_PER_SECOND, "consumed MB/s", "消费 MB/s"),
                latency("consume.endToEnd", EndToEnd::endToEnd, s -> s.consume().endToEnd())
                        .called("end-to-end", "端到端")
                        .means("from the moment a record was due until a consumer had it; `consume.e2e` for short")
                        .hiddenBelow(t -> t.consume().times().endToEndUnknown() == null
                                ? null
                                : t.consume().times().clockErrorMicros())
                        .chart(new ChartLine("endToEnd", null))
                        .column(3, Statistic.P99, "e2e p99", "端到端 p99"),
                latency("consume.ownEndToEnd", EndToEnd::ownEndToEnd, null)
                        .called("own end-to-end", "自测端到端")
                        .means("the same of records that a worker of a fleet has written itself, by its one clock"),
                Figure.of("consume.wireThroughput", BYTES_PER_SECOND)
                        .means("what was read, with the bytes that it had in batches when it was produced")
                        .read(t -> t.consume() == null ? null : wireBytesPerSecond(t.consume(), t.produce())),
                Figure.of("consume.requestRate", COUNT)
                        .means("fetch requests a second")
                        .read(of(c -> c.fetches().requestsPerSecond()))
                        .each(s -> s.perSecond(s.wire().fetchRequests())),
                Figure.of("consume.records", COUNT)
                        .means("records that were read")
                        .read(of(c -> c.volume().records())),
                Figure.of("consume.errors", COUNT)
                        .called("consuming", "消费")
                        .means("polls and commits that failed")
                        .chart(new ChartLine("errors", "c2").ifAny())
                        .read(of(c -> c.errors() == null ? null : c.errors().total()))
                        .each(s -> (double) Sums.total(s.consume().errors()))
                        .grows(s -> Sums.total(s.consume().errors())),
                Figure.of("consume.missing", COUNT)
                        .means("records to be read and not read")
                        .read(of(c -> c.reading().missing())));
    }

    private static List<Figure> lag() {
        return List.of(
                Figure.of("consume.lag", COUNT)
                        .called("lag", "滞后")
                        .means("records not yet read, the most of any second")
                        .read(t -> t.consume() == null ? null : highestLag(t))
                        .each(s -> s.lag() == null ? null : Double.valueOf(s.lag()))
                        .mayBeMissing()
                        .chart(new ChartLine("lag", "c3").ifAny()),
                Figure.of("consume.lagAtEnd", COUNT)
                        .means("records not yet read when the load ended")
                        .read(of(ConsumeFigures::lagAtEnd)),
                Figure.of("consume.rebalances", COUNT)
                        .means("assignments that members got after the first")
                        .read(of(c ->
                                c.groups().stream().mapToLong(Group::rebalances).sum())));
    }

    private static List<Figure> backlog() {
        return List.of(
                Figure.of("consume.backlog", COUNT)
                        .means("records that had piled up for groups that were held back")
                        .read(of(backlog(Backlog::records))),
                Figure.of("consume.drainTime", MICROSECONDS)
                        .means("until a backlog was worked off")
                        .read(of(backlog(b -> b.drained() ? b.drainSeconds() * 1e6 : null))),
                Figure.of("consume.drainRate", BYTES_PER_SECOND, RECORDS_PER_SECOND)
                        .means("what was read meanwhile")
                        .read(of((c, d) -> backlog(
                                        d == BYTES_PER_SECOND ? Backlog::bytesPerSecond : Backlog::recordsPerSecond)
                                .apply(c))));
    }

    private static Function<TrialResult, Number> of(Function<Consume, Number> figure) {
        return trial -> trial.consume() == null ? null : figure.apply(trial.consume());
    }

    private static BiFunction<TrialResult, Dimension, Number> of(BiFunction<Consume, Dimension, Number> figure) {
        return (trial, dimension) -> trial.consume() == null ? null : figure.apply(trial.consume(), dimension);
    }

    private static Function<Consume, Number> backlog(Function<Backlog, Number> figure) {
        return c ->
                c.reading().backlog() == null ? null : figure.apply(c.reading().backlog());
    }

    private static Figure latency(String id, Function<EndToEnd, Latency> ofTrial, Function<Sums, Latencies> ofSecond) {
        return Figure.latency(
                id, t -> t.consume() == null ? null : ofTrial.apply(t.consume().times()), ofSecond);
    }

    private static Long highestLag(TrialResult trial) {
        return trial.detail().seconds().stream()
                .filter(s -> s.phase().equals("measure") && s.lag() != null)
                .map(Second::lag)
                .max(Long::compare)
                .orElse(null);
    }

    /** @return of all groups together; null if any could not be asked */
    static Long lagAtEnd(Consume c) {
        boolean known = c.groups().stream().map(Group::lagAtEnd).allMatch(Objects::nonNull);
        return known ? c.groups().stream().mapToLong(Group::lagAtEnd).sum() : null;
    }

    /** Consumers' records with the bytes that they had when they were produced; null if none were. */
    private static Double wireBytesPerSecond(Consume c, Produce p) {
        return p == null || p.wire().recordsPerBatch() == null || p.wire().bytesPerBatch() == null
                ? null
                : Double.valueOf(c.volume().recordsPerSecond()
                        * p.wire().bytesPerBatch()
                        / p.wire().recordsPerBatch());
    }
}
