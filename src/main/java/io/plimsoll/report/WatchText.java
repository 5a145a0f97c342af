package io.plimsoll.report;

import io.plimsoll.measure.Incident;
import io.plimsoll.report.Table.Column;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import io.plimsoll.watch.IncidentNews;
import io.plimsoll.watch.Signal;
import io.plimsoll.watch.WatchStatus;
import io.plimsoll.watch.WatchStatus.SignalStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Shows a watch as terminal text. */
public final class WatchText {
    static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS 'UTC'").withZone(ZoneOffset.UTC);

    /**
     * The message about the start or end of an incident: names the broker that is or was down, or states that all
     * brokers respond, then lists the failing signals.
     * @param state state after this message
     */
    public static List<Sentence> of(WatchStatus.Incident incident, IncidentNews.State state) {
        Sentence why = incident.error() == null ? Sentence.NONE : Sentence.of("watch.why", incident.error());
        boolean down = incident.broker() != null;
        String broker = down ? String.valueOf(incident.broker()) : "";
        String from = TIME.format(incident.from());
        List<Sentence> lines = new ArrayList<>();
        if (state == IncidentNews.State.TOLD) {
            lines.add(down ? Sentence.of("watch.down", from, broker, why) : Sentence.of("watch.someOut", from, why));
            // The consequences of a broker outage are known only after the broker has recovered.
            if (down) {
                return lines;
            }
        } else if (incident.to() == null) {
            return lines;
        } else {
            String to = TIME.format(incident.to());
            String length = length(incident.from(), incident.to());
            lines.add(
                    down
                            ? Sentence.of("watch.backAgain", to, broker, length)
                            : Sentence.of("watch.someBack", to, length, why));
        }
        for (Signal signal : Signal.values()) {
            List<Sentence> where = incident.outages().stream()
                    .filter(o -> o.signal() == signal)
                    .map(o -> o.to() == null
                            ? Sentence.of("watch.stillOut", o.broker())
                            : Sentence.of("watch.wasOut", o.broker(), length(o.from(), o.to())))
                    .toList();
            if (!where.isEmpty()) {
                lines.add(Sentence.of("watch.outWithIt", signal.label(), where));
            }
        }
        return lines;
    }

    /** The message about slow records; empty if the outage of a broker, which has a separate message, explains them. */
    public static List<Sentence> of(WatchStatus.Slow slow) {
        SlowMoment m = slow.slowMoment();
        if (m.causes().stream().limit(1).anyMatch(c -> c.event().equals(Incident.Kind.BROKER_DOWN.word()))) {
            return List.of();
        }
        String from = TIME.format(slow.from());
        String length = length(slow.from(), slow.to());
        return List.of(
                Sentence.of("watch.slow", from, length, Units.count(m.records()), Units.micros(m.worstMicros())),
                Sentence.of("watch.slowAt", SlowText.stage(m), SlowText.where(m)),
                Sentence.of("watch.slowWhy", SlowText.because(m)));
    }

    private static String length(Instant from, Instant to) {
        return Units.duration(Duration.between(from, to).toMillis() / 1e3);
    }

    /** The whole status, as lines that end with a line break. */
    public static String render(WatchStatus status, Look look) {
        Table<SignalStatus> signals = Table.of(
                rows(status),
                Column.<SignalStatus>text("watch.column.signal", s -> s.signal().label()),
                Column.text("watch.column.broker", WatchText::broker),
                Column.number("watch.column.good", 3, s -> Table.count(s.good())),
                Column.number("watch.column.bad", s -> Table.count(s.bad())),
                Column.number("watch.column.hour", s -> share(s, "1h")),
                Column.number("watch.column.day", 2, s -> isLong(status) ? share(s, "1d") : null),
                Column.number("watch.column.burn", s -> burn(s)),
                millis("p50", s -> s.recent().p50()),
                millis("p99", s -> s.recent().p99()),
                millis("p99.9", s -> s.recent().p999()));
        WatchStatus.Audit a = status.place().audit();
        Sentence audit = Sentence.of(
                "watch.audit",
                Units.count(a.acknowledged()),
                Units.count(a.there()),
                Units.count(a.waiting()),
                Units.count(a.lost()),
                Units.count(a.lostAfterRead()),
                Units.count(a.unknown()),
                Units.count(a.duplicated()),
                Units.count(a.disordered()));
        double stood = status.place().stoodSeconds();
        Sentence unwatched = stood > 0 ? Sentence.of("watch.unwatched", Units.duration(stood)) : Sentence.NONE;
        return TerminalText.of(
                new Document().add(Block.rows(signals)).add(Block.text(audit), Block.text(unwatched)), look);
    }

    /** The rows to show. With one broker, the rows for all brokers together would be duplicates. */
    private static List<SignalStatus> rows(WatchStatus status) {
        IntStream brokers = status.signals().stream().mapToInt(SignalStatus::broker);
        boolean one = brokers.distinct().count() == 2;
        return status.signals().stream()
                .filter(s -> !one || s.broker() != WatchStatus.ALL)
                .toList();
    }

    private static Object broker(SignalStatus s) {
        return s.broker() == WatchStatus.ALL ? Sentence.of("watch.all") : Integer.toString(s.broker());
    }

    /** Whether the watch has lasted longer than an hour, so that the figures of a day add information. */
    private static boolean isLong(WatchStatus status) {
        return Duration.between(status.since(), status.at()).toMinutes() > 60;
    }

    private static @Nullable Object share(SignalStatus s, String window) {
        WatchStatus.Window seen = s.windows().get(window);
        return seen == null ? null : percent(seen.availability());
    }

    /** A percentage, rounded down, so that it is below 100 % after a single failure. */
    static String percent(double share) {
        double thousandths = Math.floor(100_000 * share + 1e-6);
        return Units.decimals(thousandths / 1000, share == 1 ? 0 : 3) + " %";
    }

    private static @Nullable Object burn(SignalStatus s) {
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
