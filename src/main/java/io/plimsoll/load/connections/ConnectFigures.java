package io.plimsoll.load.connections;

import static io.plimsoll.measure.Connected.BACK;
import static io.plimsoll.measure.Connected.DROPPED;
import static io.plimsoll.measure.Connected.FAILED;
import static io.plimsoll.measure.Connected.LOGIN;
import static io.plimsoll.measure.Connected.METADATA;
import static io.plimsoll.measure.Connected.MISSING;
import static io.plimsoll.measure.Connected.OPENED;
import static io.plimsoll.measure.Connected.STANDING_NANOS;
import static io.plimsoll.measure.Connected.TCP;
import static io.plimsoll.measure.Connected.TIMEOUT;
import static io.plimsoll.measure.Connected.TLS;
import static io.plimsoll.measure.Connected.WHOLE;
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

/** The figures of connections that carry no records; loads without have none of them. */
public final class ConnectFigures implements FigureSet {
    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>(List.of(
                each(
                                "rate",
                                "connections a second that came to stand",
                                s -> s.ofWindow(Connected.count(s.counts(), OPENED)))
                        .called("connections/s", "连接/秒")
                        .chart("connects", "c1")
                        .column(3),
                rate("tcpRate", "TCP connections a second", TCP)
                        .called("TCP/s", "TCP/秒")
                        .column(10),
                rate("tlsRate", "TLS handshakes a second", TLS)
                        .called("TLS/s", "TLS/秒")
                        .column(10),
                rate("loginRate", "logins by SASL a second", LOGIN)
                        .called("logins/s", "登录/秒")
                        .column(10),
                each(
                                "standing",
                                "connections that stood, on average",
                                s -> s.ofWindow(Connected.count(s.counts(), STANDING_NANOS) / 1e9))
                        .called("standing", "已建立")
                        .chart("standing", "c2")
                        .column(2),
                count("dropped", "connections that stood and ended unasked", c -> Connected.count(c, DROPPED))
                        .called("dropped", "断开")
                        .chart("connects", "c3")
                        .column(5),
                count("missing", "connections that did not stand when the load ended", c -> Connected.count(c, MISSING))
                        .called("missing", "缺失")
                        .column(3),
                count("failures", "attempts to connect that failed", Connected::failed)
                        .called("failed connects", "连接失败")
                        .chart("connects", "c5")
                        .column(4)));
        for (String kind : List.of(TCP, TLS, LOGIN, METADATA, TIMEOUT)) {
            String when = kind.equals(TIMEOUT) ? "after 30 s" : "in the stage `" + kind + "`";
            all.add(count("failures." + kind, "those that failed " + when, c -> Connected.count(c, FAILED + kind)));
        }
        all.addAll(times());
        return all;
    }

    private static List<Figure> times() {
        return List.of(
                time(TCP, "of the TCP connection").called("TCP", "TCP"),
                time(TLS, "of the TLS handshake").called("TLS", "TLS"),
                time(LOGIN, "of the login by SASL").called("login", "登录"),
                time(METADATA, "from there to the first metadata").called("first metadata", "首次元数据"),
                time(WHOLE, "from an attempt's begin until the connection stands")
                        .called("connecting", "建立连接")
                        .column(3, Statistic.P50, "connect p50", "连接 p50")
                        .column(2, Statistic.P99, "connect p99", "连接 p99"),
                time(BACK, "from a connection's loss until it stands again; of those missing at the end, until then")
                        .called("back again", "恢复连接")
                        .column(2, Statistic.MAX, "slowest back", "最慢恢复"));
    }

    private static Figure time(String name, String meaning) {
        return Figure.distribution("connect." + name, meaning, s -> time(s, name));
    }

    private static Latencies time(Sums sums, String name) {
        return Connected.time(sums.counts(), name);
    }

    private static Figure each(String name, String meaning, Function<Sums, Double> made) {
        return Figure.of("connect." + name, meaning, COUNT)
                .counted(s -> Connected.any(s.counts()) ? made.apply(s) : null);
    }

    /** How many came through a stage a second; none where no connection has it. */
    private static Figure rate(String name, String meaning, String stage) {
        return each(
                name,
                meaning,
                s -> time(s, stage).isEmpty()
                        ? null
                        : Double.valueOf(s.ofWindow(time(s, stage).count())));
    }

    private static Figure count(String name, String meaning, ToLongFunction<Counts> count) {
        return each(name, meaning, s -> (double) count.applyAsLong(s.counts()))
                .grows(s -> Connected.any(s.counts()) ? Long.valueOf(count.applyAsLong(s.counts())) : null);
    }
}
