package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RECORDS_PER_SECOND;

import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Warmup;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What a cold start costs, of trials that ask for it ({@code warmup: none}); others have none of it. */
public final class ColdFigures implements FigureSet {
    private static final double MICROS = 1000;

    @Override
    public List<Figure> figures() {
        List<Figure> all = List.of(
                ofClients(
                                "metadata",
                                "metadataMs",
                                "from a client's constructor until it knows its topics, the slowest client's")
                        .called("metadata known", "获知元数据"),
                ofClients(
                                "connected",
                                "connectedMs",
                                "from there until it is connected to all leaders, its constructor included")
                        .called("connected", "连接完成"),
                ofClients(
                                "firstRecord",
                                "firstRecordMs",
                                "from the sending of a client's first record to its acknowledgement")
                        .called("first record", "首条记录"),
                ofFirstSecond(
                                "throughput",
                                "acknowledged in the first second",
                                RECORDS_PER_SECOND,
                                second -> second.rates().produced())
                        .called("first second/s", "首秒/秒"),
                ofFirstSecond(
                                "p99",
                                "99th percentile of the response time in the first second",
                                MICROSECONDS,
                                second -> second.response().responseP99())
                        .called("first second p99", "首秒 p99"));
        all.forEach(figure -> figure.column(12));
        return all;
    }

    private static boolean isCold(TrialResult trial) {
        WarmupResult warmup = trial.course().warmup();
        return warmup != null && Warmup.Until.NONE.word().equals(warmup.until());
    }

    private static Figure ofClients(String name, String figure, String meaning) {
        return Figure.of("cold." + name, meaning, MICROSECONDS)
                .read(trial -> isCold(trial) ? slowest(trial.observed().clients(), figure) : null);
    }

    private static Double slowest(Map<String, Map<String, Double>> clients, String figure) {
        return clients.values().stream()
                .map(of -> of.get(figure))
                .filter(millis -> millis != null)
                .max(Double::compare)
                .map(millis -> millis * MICROS)
                .orElse(null);
    }

    private static Figure ofFirstSecond(
            String name, String meaning, Check.Dimension dimension, Function<TrialResult.Second, Number> where) {
        return Figure.of("cold.firstSecond." + name, meaning, dimension)
                .read(trial -> isCold(trial) && !trial.detail().seconds().isEmpty()
                        ? where.apply(trial.detail().seconds().get(0))
                        : null);
    }
}
