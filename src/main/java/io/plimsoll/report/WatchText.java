package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import io.plimsoll.watch.WatchStatus;
import io.plimsoll.watch.WatchStatus.Outage;
import io.plimsoll.watch.WatchStatus.SignalStatus;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What a watch says on a terminal. */
public final class WatchText {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS 'UTC'").withZone(ZoneOffset.UTC);

    private WatchText() {}

    /** An outage that goes on, with what is known of why, or is over. */
    public static Sentence of(Outage outage) {
        Sentence signal = outage.signal().label();
        return outage.goesOn()
                ? Sentence.of(
                        "watch.out",
                        TIME.format(outage.from()),
                        outage.broker(),
                        signal,
                        outage.error() == null ? Sentence.NONE : Sentence.of("watch.why", outage.error()))
                : Sentence.of(
                        "watch.back",
                        TIME.format(outage.to()),
                        outage.broker(),
                        signal,
                        Units.duration(
                                Duration.between(outage.from(), outage.to()).toMillis() / 1e3));
    }

    /** All that is known, as lines. */
    public static List<String> render(WatchStatus status, Look look) {
        List<String> lines = new ArrayList<>(new Table<>(
                        List.of(
                                Column.<SignalStatus>text(
                                        "watch.column.signal", s -> s.signal().label()),
                                Column.text("watch.column.broker", WatchText::broker),
                                Column.number("watch.column.good", 3, s -> Table.count(s.good())),
                                Column.number("watch.column.bad", s -> Table.count(s.bad())),
                                Column.number("watch.column.hour", s -> share(s, "1h")),
                                Column.number("watch.column.day", 2, s -> share(s, "1d")),
                                Column.number("watch.column.burn", s -> burn(s)),
                                millis("p50", s -> s.recent().p50()),
                                millis("p99", s -> s.recent().p99()),
                                millis("p99.9", s -> s.recent().p999())),
                        status.signals())
                .lines(look)
                .all());
        WatchStatus.Audit a = status.place().audit();
        lines.add("");
        lines.add(Sentence.of(
                        "watch.audit",
                        Units.count(a.acknowledged()),
                        Units.count(a.confirmed()),
                        Units.count(a.waiting()),
                        Units.count(a.lost()),
                        Units.count(a.duplicated()),
                        Units.count(a.disordered()),
                        Units.count(a.unknown()))
                .in(look.language()));
        if (status.place().stoodSeconds() > 0) {
            lines.add(
                    Sentence.of("watch.unwatched", Units.duration(status.place().stoodSeconds()))
                            .in(look.language()));
        }
        return lines;
    }

    private static Object broker(SignalStatus s) {
        return s.broker() == WatchStatus.ALL ? Sentence.of("watch.all") : Integer.toString(s.broker());
    }

    private static Object share(SignalStatus s, String window) {
        WatchStatus.Window seen = s.windows().get(window);
        return seen == null ? null : percent(seen.availability());
    }

    /** Rounded down: what failed once was not there for all of the time. */
    static String percent(double share) {
        double thousandths = Math.floor(100_000 * share + 1e-6);
        return Units.decimals(thousandths / 1000, share == 1 ? 0 : 3) + " %";
    }

    private static Object burn(SignalStatus s) {
        WatchStatus.Window seen = s.windows().get("1h");
        return seen == null ? null : Units.decimals(seen.burnRate(), 1);
    }

    private static Column<SignalStatus> millis(String name, Function<SignalStatus, Double> value) {
        return Column.named(name, true, 1, s -> {
            Double millis = value.apply(s);
            return millis == null ? null : Units.micros(1000 * millis);
        });
    }
}
