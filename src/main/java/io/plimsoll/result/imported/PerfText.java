package io.plimsoll.result.imported;

import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Percentiles;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Rates;
import io.plimsoll.result.TrialResult.Response;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.result.Units;
import io.plimsoll.result.imported.Measured.Intervals;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads output of kafka-producer-perf-test and kafka-consumer-perf-test of any version, including manual copies with
 * missing or extra spaces. Interval lines become the timeline; a command line contains the requested counts. Pure.
 */
final class PerfText {
    static final double MB = 1024 * 1024;

    private static final String PRODUCER = "kafka-producer-perf-test";
    private static final String NUMBER = "\\s*([^\\s()]+?)\\s*";
    /** Number of records beyond which Kafka's tool samples. */
    private static final long MOST_SAMPLES = 500_000;

    private static final Pattern SENT =
            Pattern.compile("^\\s*(\\S+)\\s+(?:(steady)\\s+state\\s+)?records\\s+sent\\b.*");
    private static final Pattern SUMMARY = Pattern.compile("^\\s*\\S+\\s+(?:steady\\s+state\\s+)?records\\s+sent\\s*,"
            + NUMBER + "records/sec\\s*\\(" + NUMBER + "MB/sec\\s*\\)\\s*," + NUMBER + "ms\\s*avg\\s*latency\\s*,"
            + NUMBER + "(?:ms\\s*)?max\\s*latency\\s*[,.]?(.*)$");
    private static final Pattern PERCENTILE = Pattern.compile("([^\\s,]+?)\\s*ms\\s*(50|95|99|99\\.9)\\s*th");
    private static final Pattern ANY_PERCENTILE = Pattern.compile("\\d\\s*th\\b");

    private static final Pattern ASKED =
            Pattern.compile("perf-test.*\\s--(num-records|messages)[\\s=]+(\\d{1,18})\\b.*");
    /** Marks the place where lines were omitted from a copy. */
    private static final Pattern LEFT_OUT = Pattern.compile("\\s*[·.…]{2,}\\s*|\\s*…\\s*");

    /**
     * Line prefixes of container runtimes: the program and a bar (Compose), a name in brackets (stern, kubectl), an ISO
     * timestamp, the stream (CRI). A time from the tool itself has a comma or a colon after its seconds.
     */
    private static final Pattern PREFIX = Pattern.compile("(?:\\[?([\\w./-]+)]?\\s*\\|\\s|\\[([\\w./-]+)]\\s+)?"
            + "(?:\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d)?\\s+)?"
            + "(?:(?:stdout|stderr)\\s+[FP]\\s)?");

    /** The start of the tool's output after any other prefix, such as names of stern or a syslog header. */
    private static final Pattern BEGIN = Pattern.compile(
            "(?:^|(?<=\\s))(?=\\d+\\s+(?:steady\\s+state\\s+)?records\\s+sent\\b"
                    + "|(?:start\\.)?time,\\s|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d:\\d{3},|WARNING: Exiting|[\\w-]+:[\\w.-]+:\\{)");
    /** Parts of such a prefix that differ from line to line. */
    private static final Pattern TIMES =
            Pattern.compile("\\S*\\d\\d:\\d\\d\\S*|\\[?\\d{4}-\\d\\d-\\d\\d|^[A-Z][a-z]{2} +\\d+ ");

    private static final double USUAL_SECONDS = 5;

    private final String file;
    private final List<Measured> found = new ArrayList<>();
    private final ConsumerTable consumers;
    private Intervals intervals = new Intervals();
    private final PrintedMetrics metrics = new PrintedMetrics();
    private Long asked;
    private int number;

    private PerfText(String file) {
        this.file = file;
        this.consumers = new ConsumerTable(file);
    }

    /** Reads a file. If a container runtime joined lines of several programs into one log, each program is read separately. */
    static List<Measured> read(String file, String text) {
        Map<String, PerfText> readings = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            Matcher prefix = PREFIX.matcher(line);
            prefix.lookingAt(); // Always matches, because each part of the prefix is optional.
            String program =
                    Objects.requireNonNullElse(prefix.group(1), Objects.requireNonNullElse(prefix.group(2), ""));
            String rest = line.substring(prefix.end());
            Matcher begin = BEGIN.matcher(rest);
            if (begin.find()) {
                program += TIMES.matcher(rest.substring(0, begin.start()))
                        .replaceAll("")
                        .strip();
                rest = rest.substring(begin.start());
            }
            readings.computeIfAbsent(program, p -> new PerfText(file)).line(number, rest);
        }
        List<Measured> found = new ArrayList<>();
        for (PerfText reading : readings.values()) {
            reading.cutShort();
            reading.detailsAreOver(reading.number);
            reading.metricsAreOver();
            found.addAll(reading.found);
        }
        if (found.isEmpty()) {
            throw new ImportException(file, "noResult");
        }
        found.sort(Comparator.comparingInt(Measured::line));
        return found;
    }

    private void line(int at, String text) {
        number = at;
        Matcher sent = SENT.matcher(text);
        Matcher command = ASKED.matcher(text);
        if (metrics.line(text)) {
            detailsAreOver(number - 1);
            return;
        }
        metricsAreOver();
        if (sent.matches()) {
            if (ANY_PERCENTILE.matcher(text).find()) {
                found.add(summary(text, sent).asked(asked));
                asked = null;
            } else {
                interval(text, sent);
            }
        } else if (command.find()) {
            cutShort();
            detailsAreOver(number - 1);
            asked = Long.valueOf(command.group(2));
        } else if (LEFT_OUT.matcher(text).matches()) {
            intervals.gap();
        } else {
            if (ConsumerTable.begins(text)) {
                detailsAreOver(number - 1);
            }
            consumers.line(number, text).ifPresent(measured -> {
                found.add(measured.asked(asked));
                asked = null;
            });
        }
    }

    /** Adds printed metrics to the latest result that they fit. */
    private void metricsAreOver() {
        for (int i = found.size() - 1; i >= 0 && !metrics.isEmpty(); i--) {
            if (metrics.fits(found.get(i))) {
                found.set(i, found.get(i).with(metrics));
                metrics.clear();
            }
        }
        metrics.clear();
    }

    /** Reads an interval line; incomplete lines are ignored. A line without records, as in a stall, has the usual duration. */
    private void interval(String text, Matcher sent) {
        Matcher line = SUMMARY.matcher(text);
        if (line.matches()
                && Stream.of(sent.group(1), line.group(1), line.group(2)).allMatch(PerfText::isNumber)) {
            double perSecond = decimal("records/sec", line.group(1));
            boolean timed = perSecond > 0 && isNumber(line.group(3)) && isNumber(line.group(4));
            intervals.add(
                    perSecond > 0 ? decimal("records sent", sent.group(1)) / perSecond : USUAL_SECONDS,
                    new Rates(null, perSecond, decimal("MB/sec", line.group(2)) * MB, 0, 0),
                    new Response(
                            null,
                            null,
                            null,
                            timed ? micros("max latency", line.group(4)) : null,
                            timed ? Double.valueOf(decimal("avg latency", line.group(3)) * 1000) : null));
        }
    }

    private static boolean isNumber(String text) {
        return ConsumerTable.withPoint(text).matches("\\d+(\\.\\d+)?");
    }

    /** Ends a table of detailed statistics. Its last line ends before the last record, so the requested number does not apply. */
    private void detailsAreOver(int line) {
        consumers.rest(line).ifPresent(found::add);
    }

    /** Ends a run without a summary line, which was stopped; its figures are derived from its interval lines. */
    private void cutShort() {
        if (intervals.count() == 0) {
            return;
        }
        double seconds = intervals.length();
        List<Second> timeline = intervals.until(seconds);
        double records = sum(timeline, s -> s.rates().produced());
        double bytes = sum(timeline, s -> s.rates().producedBytes());
        double latencies = sum(timeline, s -> {
            Double mean = s.response().serviceMean();
            return mean == null ? 0 : s.rates().produced() * mean;
        });
        Long most = timeline.stream()
                .map(s -> s.response().serviceMax())
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
        Double mean = records > 0 ? Double.valueOf(latencies / records) : null;
        Latency latency = new Latency("us", Math.round(records), null, mean, Percentiles.of(statistic -> null), most);
        Produce sends = Measured.produce(
                PRODUCER, 1, Math.round(records), records / seconds, bytes / seconds, null, latency, null);
        List<Sentence> warnings = remarks();
        warnings.add(Sentence.of("result.imported.aborted", Units.duration(seconds), intervals.count()));
        found.add(new Measured(number, seconds, 0.0, false, sends, null, warnings, timeline, Map.of()));
        intervals = new Intervals();
        asked = null;
    }

    /** The sum over interval lines, weighted by their duration. */
    private static double sum(List<Second> timeline, ToDoubleFunction<Second> perSecond) {
        double sum = 0;
        double before = 0;
        for (Second second : timeline) {
            sum += perSecond.applyAsDouble(second) * (second.at() - before);
            before = second.at();
        }
        return sum;
    }

    private List<Sentence> remarks() {
        List<Sentence> remarks = new ArrayList<>();
        Sentence.addIf(intervals.hasGap(), remarks, "result.imported.gap");
        return remarks;
    }

    private Measured summary(String text, Matcher sent) {
        Matcher summary = SUMMARY.matcher(text);
        if (!summary.matches()) {
            throw new ImportException(at(), "noSummary");
        }
        long records = ConsumerTable.whole(at(), "records sent", sent.group(1));
        double perSecond = decimal("records/sec", summary.group(1));
        double bytesPerSecond = decimal("MB/sec", summary.group(2)) * MB;
        Latency latency = new Latency(
                "us",
                records,
                null,
                decimal("avg latency", summary.group(3)) * 1000,
                new Percentiles(
                        percentile(summary.group(5), "50"),
                        null,
                        null,
                        percentile(summary.group(5), "95"),
                        percentile(summary.group(5), "99"),
                        percentile(summary.group(5), "99.9"),
                        null),
                micros("max latency", summary.group(4)));
        if (perSecond <= 0 || records < 0) {
            throw new ImportException(at() + ": records/sec", "nothing", summary.group(1));
        }
        List<Sentence> warnings = remarks();
        Sentence.addIf(records > MOST_SAMPLES, warnings, "result.imported.sample", MOST_SAMPLES, records);
        // The total summary includes the warm-up; the steady-state summary does not.
        Produce sends = Measured.produce(PRODUCER, 1, records, perSecond, bytesPerSecond, null, latency, null);
        double seconds = records / perSecond;
        List<Second> timeline = intervals.until(seconds);
        intervals = new Intervals();
        return new Measured(number, seconds, 0.0, true, sends, null, warnings, timeline, Map.of());
    }

    private Long percentile(String percentiles, String which) {
        Matcher matcher = PERCENTILE.matcher(percentiles);
        while (matcher.find()) {
            if (matcher.group(2).equals(which)) {
                return micros(which + "th", matcher.group(1));
            }
        }
        throw new ImportException(at() + ": " + which + "th", "noPercentile");
    }

    private long micros(String key, String text) {
        return Math.round(decimal(key, text) * 1000);
    }

    private double decimal(String key, String text) {
        return ConsumerTable.decimal(at(), key, text.toLowerCase(Locale.ROOT));
    }

    private String at() {
        return file + ":" + number;
    }
}
