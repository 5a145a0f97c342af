package io.plimsoll.perf;

import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Rates;
import io.plimsoll.result.TrialResult.Response;
import io.plimsoll.result.imported.ImportException;
import io.plimsoll.result.imported.Measured;
import io.plimsoll.result.imported.Measured.Intervals;
import io.plimsoll.text.Sentence;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The comma-separated output of kafka-consumer-perf-test, with or without its header. Pure.
 *
 * <p>Kafka 2.4 to 2.7 add the epoch time to the rebalance time. The difference from the start time, modulo a quarter of
 * an hour, is the true rebalance time: start times have no time zone, but time zones differ by multiples of a quarter
 * of an hour.
 */
final class ConsumerTable {
    private static final String TOOL = "kafka-consumer-perf-test";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss:SSS", Locale.ROOT);
    private static final long QUARTER_MILLIS = 900_000;
    private static final List<String> OLD =
            List.of("start.time", "end.time", "data.consumed.in.MB", "MB.sec", "data.consumed.in.nMsg", "nMsg.sec");
    private static final List<String> NEW =
            List.of("rebalance.time.ms", "fetch.time.ms", "fetch.MB.sec", "fetch.nMsg.sec");
    private static final String SHORTFALL = "WARNING: Exiting before consuming the expected number of";

    private final String file;
    private List<String> header = List.of();
    private boolean fellShort;
    private Intervals intervals = new Intervals();
    private @Nullable Row last;

    ConsumerTable(String file) {
        this.file = file;
    }

    Optional<Measured> line(int number, String text) {
        List<String> cells = cells(text);
        if (begins(text)) {
            header = cells;
            fellShort = false;
        } else if (text.strip().startsWith(SHORTFALL)) {
            fellShort = true;
        } else if (cells.size() > 2 && cells.get(0).matches("\\d{4}-\\d\\d-\\d\\d .*")) {
            if (!header.isEmpty() && header.get(0).equals("time")) {
                interval(new Row(file + ":" + number, header, cells));
                return Optional.empty();
            }
            return Optional.of(row(number, cells));
        }
        return Optional.empty();
    }

    /**
     * Adds a line of detailed statistics: its totals count from the start, and its values for the interval are rates.
     */
    private void interval(Row row) {
        if (row.cells().size() != row.names().size()) {
            throw new ImportException(
                    row.at(), "columnsOfHeader", row.cells().size(), row.names().size());
        }
        double perSecond = row.decimal("nMsg.sec");
        double length = last == null
                ? row.whole("data.consumed.in.nMsg") / perSecond
                : (row.time("time") - last.time("time")) / 1e3;
        intervals.add(length, new Rates(null, 0, 0, perSecond, 0), new Response(null, null, null, null, null));
        last = row;
    }

    static boolean begins(String text) {
        return text.strip().matches("(start\\.)?time\\s*,.*");
    }

    /** @return the result of detailed statistics, which have no summary line; only the first call returns it */
    Optional<Measured> rest(int number) {
        if (last == null || intervals.count() == 0) {
            return Optional.empty();
        }
        double seconds = intervals.length();
        long records = last.whole("data.consumed.in.nMsg");
        double bytes = last.decimal("data.consumed.in.MB") * PerfOutput.MB;
        Consume consume = Measured.consume(TOOL, records, Math.round(bytes), records / seconds, bytes / seconds, null);
        List<Sentence> warnings = new ArrayList<>();
        warnings.add(Sentence.of("result.imported.ofLines", intervals.count()));
        Sentence.addIf(fellShort, warnings, "result.imported.linesFellShort");
        Measured measured = new Measured(
                number, seconds, 0.0, !fellShort, null, consume, warnings, intervals.until(seconds), Map.of());
        intervals = new Intervals();
        last = null;
        fellShort = false;
        return Optional.of(measured);
    }

    private Measured row(int number, List<String> cells) {
        List<String> names = header.isEmpty() ? usual(cells.size()) : header;
        String at = file + ":" + number;
        if (names.isEmpty()) {
            throw new ImportException(at, "columns", cells.size());
        }
        if (cells.size() != names.size()) {
            throw new ImportException(at, "columnsOfHeader", cells.size(), names.size());
        }
        Row row = new Row(at, names, cells);
        double mb = row.decimal("data.consumed.in.MB");
        long records = row.whole("data.consumed.in.nMsg");
        long elapsedMillis = row.time("end.time") - row.time("start.time");
        List<Sentence> warnings = new ArrayList<>();
        long fetchMillis = names.contains("fetch.time.ms") ? row.fetchMillis(elapsedMillis, warnings) : elapsedMillis;
        if (fetchMillis <= 0) {
            throw new ImportException(at + ": end.time", "endsBeforeItBegins");
        }
        Sentence.addIf(!names.contains("rebalance.time.ms"), warnings, "result.imported.joining");
        Sentence.addIf(fellShort, warnings, "result.imported.fellShort");
        double seconds = fetchMillis / 1e3;
        boolean complete = !fellShort;
        fellShort = false;
        double bytes = mb * PerfOutput.MB;
        Consume consume = Measured.consume(TOOL, records, Math.round(bytes), records / seconds, bytes / seconds, null);
        return new Measured(number, seconds, 0.0, complete, null, consume, warnings, List.of(), Map.of());
    }

    /** The cells of a line. With decimal commas, only the space after a comma identifies the comma between columns. */
    private List<String> cells(String text) {
        List<String> cells = split(text, ",");
        List<String> spaced = split(text, ",\\s");
        int spacedColumns = header.isEmpty() ? usual(spaced.size()).size() : header.size();
        return spaced.size() < cells.size() && spaced.size() == spacedColumns ? spaced : cells;
    }

    private static List<String> split(String text, String separator) {
        return Arrays.stream(text.split(separator, -1)).map(String::strip).toList();
    }

    private static List<String> usual(int columns) {
        List<String> names = new ArrayList<>(OLD);
        names.addAll(NEW);
        return columns == OLD.size() ? OLD : columns == names.size() ? names : List.of();
    }

    /**
     * Replaces the decimal comma, which Kafka's tools print in some locales, with a point. A comma before exactly three
     * digits stays, because it can separate thousands.
     */
    static String withPoint(String text) {
        return text.matches("-?[0-9]+,([0-9]{1,2}|[0-9]{4,})") ? text.replace(',', '.') : text;
    }

    static double decimal(String at, String key, String number) {
        String text = withPoint(number);
        if (!text.matches("-?[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?")) {
            throw new ImportException(at + ": " + key, "notANumber", text);
        }
        return Double.parseDouble(text);
    }

    static long whole(String at, String key, String text) {
        if (!text.matches("-?[0-9]{1,18}")) {
            throw new ImportException(at + ": " + key, "notANumber", text);
        }
        return Long.parseLong(text);
    }

    private record Row(String at, List<String> names, List<String> cells) {
        private String cell(String name) {
            int index = names.indexOf(name);
            if (index < 0) {
                throw new ImportException(at + ": " + name, "noColumn");
            }
            return cells.get(index);
        }

        double decimal(String name) {
            return ConsumerTable.decimal(at, name, cell(name));
        }

        long whole(String name) {
            return ConsumerTable.whole(at, name, cell(name));
        }

        /** A time in milliseconds since 1970, as if it were in UTC. */
        long time(String name) {
            try {
                return LocalDateTime.parse(cell(name), TIME)
                        .toInstant(ZoneOffset.UTC)
                        .toEpochMilli();
            } catch (DateTimeException e) {
                throw new ImportException(at + ": " + name, Sentence.of("result.notImported.notATime", cell(name)), e);
            }
        }

        long fetchMillis(long elapsedMillis, List<Sentence> warnings) {
            long fetch = whole("fetch.time.ms");
            if (fetch >= 0) {
                return fetch;
            }
            long rebalance = Math.floorMod(whole("rebalance.time.ms") - time("start.time"), QUARTER_MILLIS);
            if (rebalance > elapsedMillis) {
                throw new ImportException(at + ": fetch.time.ms", "negative");
            }
            warnings.add(Sentence.of("result.imported.fetchTime", rebalance, elapsedMillis - rebalance));
            return elapsedMillis - rebalance;
        }
    }
}
