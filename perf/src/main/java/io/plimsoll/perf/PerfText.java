package io.plimsoll.perf;

import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Percentiles;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Rates;
import io.plimsoll.result.TrialResult.Response;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.result.Units;
import io.plimsoll.result.imported.ImportException;
import io.plimsoll.result.imported.Measured;
import io.plimsoll.result.imported.Measured.Intervals;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads output of kafka-producer-perf-test and kafka-consumer-perf-test of any version, including manual copies with
 * missing or extra spaces. Interval lines become the timeline; a command line contains the requested counts. Pure.
 */
final class PerfText {
    private static final String PRODUCER = "kafka-producer-perf-test";
    private static final String NUMBER = "\\s*([^\\s()]+?)\\s*";
    /** Number of records beyond which Kafka's tool computes percentiles from a sample. */
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

    private static final double USUAL_SECONDS = 5;

    private final String file;
    private final List<Measured> found = new ArrayList<>();
    private final ConsumerTable consumers;
    private Intervals intervals = new Intervals();
    private final PrintedMetrics metrics = new PrintedMetrics();
    private @Nullable Long asked;
    private int number;

    PerfText(String file) {
        this.file = file;
        this.consumers = new ConsumerTable(file);
    }

    void line(int at, String text) {
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
                add(summary(text, sent));
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
            consumers.line(number, text).ifPresent(this::add);
        }
    }

    /** Call at the end of the output. Returns all measurements, in the order of their last lines. */
    List<Measured> end() {
        cutShort();
        detailsAreOver(number);
        metricsAreOver();
        return found;
    }

    private void add(Measured m) {
        found.add(asked == null || !m.complete() ? m : compared(m, asked));
        asked = null;
    }

    /** A result compared with the number of records that its command requests. */
    private static Measured compared(Measured m, long asked) {
        boolean stopped = m.records() < asked;
        // A consumer reads all records of the last poll, so it can exceed the requested number.
        boolean more = m.records() > asked && m.produce() != null;
        if (!stopped && !more) {
            return m;
        }
        List<Sentence> warnings = new ArrayList<>(m.warnings());
        warnings.add(Sentence.of(
                stopped ? "result.imported.stopped" : "result.imported.otherCommand",
                Units.count(asked),
                Units.count(m.records()),
                Units.duration(m.seconds())));
        return new Measured(
                m.line(),
                m.seconds(),
                m.warmupSeconds(),
                !stopped,
                m.produce(),
                m.consume(),
                warnings,
                m.timeline(),
                m.client());
    }

    /** Adds printed metrics to the latest result that they fit. */
    private void metricsAreOver() {
        for (int i = found.size() - 1; i >= 0 && !metrics.isEmpty(); i--) {
            if (metrics.fits(found.get(i))) {
                found.set(i, metrics.addedTo(found.get(i)));
                metrics.clear();
            }
        }
        metrics.clear();
    }

    /**
     * Reads an interval line; incomplete lines are ignored. A line without records, as in a stall, is assumed to cover
     * the usual duration.
     */
    private void interval(String text, Matcher sent) {
        Matcher line = SUMMARY.matcher(text);
        if (line.matches()
                && Stream.of(sent.group(1), line.group(1), line.group(2)).allMatch(PerfText::isNumber)) {
            double perSecond = decimal("records/sec", line.group(1));
            boolean timed = perSecond > 0 && isNumber(line.group(3)) && isNumber(line.group(4));
            intervals.add(
                    perSecond > 0 ? decimal("records sent", sent.group(1)) / perSecond : USUAL_SECONDS,
                    new Rates(null, perSecond, decimal("MB/sec", line.group(2)) * PerfOutput.MB, 0, 0),
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
        consumers.rest(line).ifPresent(details -> {
            found.add(details);
            asked = null;
        });
    }

    /** Ends a run that was stopped before its summary line; its figures are derived from its interval lines. */
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
        double bytesPerSecond = decimal("MB/sec", summary.group(2)) * PerfOutput.MB;
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
