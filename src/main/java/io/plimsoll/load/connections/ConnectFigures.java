package io.plimsoll.load.connections;

import static io.plimsoll.scenario.Check.Dimension.COUNT;

import io.plimsoll.measure.Connected;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureSet;
import io.plimsoll.result.Statistic;
import io.plimsoll.result.Sums;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The figures of connections that carry no records; absent from loads without such connections. */
public final class ConnectFigures implements FigureSet {
    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>(List.of(
                each("rate", s -> s.ofWindow(Connected.count(s.counts(), Connected.OPENED)))
                        .chart("connects", "c1")
                        .column(3),
                rate("tcpRate", Connected.TCP),
                rate("tlsRate", Connected.TLS),
                rate("loginRate", Connected.LOGIN),
                each("standing", s -> s.ofWindow(Connected.count(s.counts(), Connected.STANDING_NANOS) / 1e9))
                        .chart("standing", "c2")
                        .column(2),
                count("dropped", c -> Connected.count(c, Connected.DROPPED))
                        .chart("connects", "c3")
                        .column(5),
                count("missing", c -> Connected.count(c, Connected.MISSING)).column(3),
                count("failures", Connected::failed).chart("connects", "c5").column(4)));
        for (String kind :
                List.of(Connected.TCP, Connected.TLS, Connected.LOGIN, Connected.METADATA, Connected.TIMEOUT)) {
            all.add(count("failures." + kind, c -> Connected.count(c, Connected.FAILED + kind)));
        }
        List.of(Connected.TCP, Connected.TLS, Connected.LOGIN, Connected.METADATA)
                .forEach(stage -> all.add(time(stage)));
        all.add(time(Connected.WHOLE).column(3, Statistic.P50).column(2, Statistic.P99));
        all.add(time(Connected.BACK).column(2, Statistic.MAX));
        all.add(time(Connected.FIRST_OPEN).column(3, Statistic.MAX));
        return all;
    }

    private static Figure time(String name) {
        return Figure.distribution("connect." + name, s -> time(s, name));
    }

    private static Latencies time(Sums sums, String name) {
        return Connected.time(sums.counts(), name);
    }

    private static Figure each(String name, Function<Sums, Double> made) {
        return Figure.of("connect." + name, COUNT).counted(s -> Connected.any(s.counts()) ? made.apply(s) : null);
    }

    /** Connections per second that completed a stage; absent if no connection includes this stage. */
    private static Figure rate(String name, String stage) {
        return each(
                        name,
                        s -> time(s, stage).isEmpty()
                                ? null
                                : Double.valueOf(s.ofWindow(time(s, stage).count())))
                .column(10);
    }

    private static Figure count(String name, ToLongFunction<Counts> count) {
        return each(name, s -> (double) count.applyAsLong(s.counts()))
                .grows(s -> Connected.any(s.counts()) ? Long.valueOf(count.applyAsLong(s.counts())) : null);
    }
}
