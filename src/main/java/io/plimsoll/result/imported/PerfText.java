package io.plimsoll.result.imported;

import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what kafka-producer-perf-test and kafka-consumer-perf-test have printed, of any version, also copied by hand: blanks
 * may be missing or too many. Lines of intervals, commands and remarks are passed over. Pure.
 */
final class PerfText {
    static final double MB = 1024 * 1024;

    private static final String PRODUCER = "kafka-producer-perf-test";
    private static final String NUMBER = "\\s*([^\\s,()]+?)\\s*";
    /** Sampled by Kafka's tool beyond that. */
    private static final long MOST_SAMPLES = 500_000;

    private static final Pattern SENT =
            Pattern.compile("^\\s*(\\S+)\\s+(?:(steady)\\s+state\\s+)?records\\s+sent\\b.*");
    private static final Pattern SUMMARY = Pattern.compile("^\\s*\\S+\\s+(?:steady\\s+state\\s+)?records\\s+sent\\s*,"
            + NUMBER + "records/sec\\s*\\(" + NUMBER + "MB/sec\\s*\\)\\s*," + NUMBER + "ms\\s*avg\\s*latency\\s*,"
            + NUMBER + "(?:ms\\s*)?max\\s*latency\\s*[,.]?(.*)$");
    private static final Pattern PERCENTILE = Pattern.compile("([^\\s,]+?)\\s*ms\\s*(50|95|99|99\\.9)\\s*th");
    private static final Pattern ANY_PERCENTILE = Pattern.compile("\\d\\s*th\\b");

    private final String file;
    private final List<Measured> found = new ArrayList<>();
    private final ConsumerTable consumers;
    private int intervals;
    private int number;

    private PerfText(String file) {
        this.file = file;
        this.consumers = new ConsumerTable(file);
    }

    static List<Measured> read(String file, String text) {
        PerfText reading = new PerfText(file);
        text.lines().forEach(reading::line);
        if (!reading.found.isEmpty()) {
            return reading.found;
        }
        int intervals = reading.intervals + reading.consumers.intervals();
        throw new ImportException(file, intervals > 0 ? "cutShort" : "noResult");
    }

    private void line(String text) {
        number++;
        Matcher sent = SENT.matcher(text);
        if (sent.matches()) {
            if (ANY_PERCENTILE.matcher(text).find()) {
                found.add(summary(text, sent));
            } else {
                intervals++;
            }
        } else {
            consumers.line(number, text).ifPresent(found::add);
        }
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
                new TrialResult.Percentiles(
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
        List<Sentence> warnings = new ArrayList<>();
        if (records > MOST_SAMPLES) {
            warnings.add(Sentence.of("result.imported.sample", MOST_SAMPLES, records));
        }
        // The summary of everything includes its warm-up, the one of the steady state has none in it.
        Produce sends = Measured.produce(PRODUCER, 1, records, perSecond, bytesPerSecond, null, latency, null);
        return new Measured(number, records / perSecond, 0.0, true, sends, null, warnings);
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
