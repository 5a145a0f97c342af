package io.plimsoll.omb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.result.Json;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.imported.ImportException;
import io.plimsoll.result.imported.Measured;
import io.plimsoll.result.imported.Measured.Intervals;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A result file of OpenMessaging Benchmark or of a fork. Pure. */
record OmbJson(String file, JsonNode root) {
    private static final double PERIOD_SECONDS = 10;

    static List<Measured> read(String file, String text) {
        try {
            return List.of(new OmbJson(file, Json.MAPPER.readTree(text)).measured());
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            String why = e.getOriginalMessage().lines().findFirst().orElse("?");
            throw new ImportException(file + ":" + line, Sentence.of("result.notImported.notJson", why), e);
        }
    }

    private Measured measured() {
        double period = root.hasNonNull("sampleRateMillis") ? number("sampleRateMillis") / 1e3 : PERIOD_SECONDS;
        double[] published = series("publishRate");
        double[] consumed = series("consumeRate");
        if (published.length == 0) {
            throw problem("publishRate", "noPeriod");
        }
        double seconds = published.length * period;
        double sent = Spread.mean(published);
        double read = Spread.mean(consumed);
        Double messageBytes = root.hasNonNull("messageSize") ? number("messageSize") : null;
        String tool = "OpenMessaging Benchmark"
                + (root.hasNonNull("driver") ? ", " + root.get("driver").asText() : "");
        List<Sentence> warnings = new ArrayList<>();
        warnings.add(Sentence.of("result.imported.means", published.length, Math.round(period)));
        long records = Math.round(sent * seconds);
        Latency endToEnd = latency("aggregatedEndToEndLatency", 1000, Math.round(read * seconds));
        if (endToEnd != null) {
            warnings.add(Sentence.of("result.imported.leftOut"));
        }
        Double sentBytes = messageBytes == null ? null : Double.valueOf(sent * messageBytes);
        Double readBytes = messageBytes == null ? null : Double.valueOf(read * messageBytes);
        Latency service = latency("aggregatedPublishLatency", 1000, records);
        Latency delay = latency("aggregatedPublishDelayLatency", 1, records);
        TrialResult.Produce produce =
                Measured.produce(tool, clients(), records, sent, sentBytes, errors(period), service, delay);
        TrialResult.Consume consume = consumed.length == 0
                ? null
                : Measured.consume(tool, Math.round(read * seconds), null, read, readBytes, endToEnd);
        return new Measured(
                1, seconds, null, true, produce, consume, warnings, timeline(period, messageBytes), Map.of());
    }

    /** The sampling periods; values are unknown in periods that not all lists contain. */
    private List<TrialResult.Second> timeline(double period, @Nullable Double messageBytes) {
        double[] published = series("publishRate");
        double[] consumed = root.has("consumeRate") ? series("consumeRate") : new double[0];
        double[] mean = root.has("publishLatencyAvg") ? series("publishLatencyAvg") : new double[0];
        double[] most = root.has("publishLatencyMax") ? series("publishLatencyMax") : new double[0];
        Intervals periods = new Intervals();
        for (int i = 0; i < published.length; i++) {
            double bytes = messageBytes == null ? 0 : published[i] * messageBytes;
            periods.add(
                    period,
                    new TrialResult.Rates(null, published[i], bytes, i < consumed.length ? consumed[i] : 0, 0),
                    new TrialResult.Response(
                            null,
                            null,
                            null,
                            i < most.length ? Long.valueOf(Math.round(most[i] * 1000)) : null,
                            i < mean.length ? Double.valueOf(mean[i] * 1000) : null));
        }
        return periods.until(periods.length());
    }

    private @Nullable Integer clients() {
        return root.hasNonNull("topics") && root.hasNonNull("producersPerTopic")
                ? Integer.valueOf((int) (number("topics") * number("producersPerTopic")))
                : null;
    }

    private TrialResult.@Nullable Errors errors(double periodSeconds) {
        if (!root.has("publishErrorRate")) {
            return null;
        }
        double[] rates = series("publishErrorRate");
        return new TrialResult.Errors(Math.round(Spread.mean(rates) * rates.length * periodSeconds), Map.of());
    }

    private @Nullable Latency latency(String prefix, double microsPerUnit, long count) {
        if (!root.has(prefix + "Avg")) {
            return null;
        }
        return new Latency(
                "us",
                count,
                null,
                number(prefix + "Avg") * microsPerUnit,
                new TrialResult.Percentiles(
                        micros(prefix + "50pct", microsPerUnit),
                        micros(prefix + "75pct", microsPerUnit),
                        null,
                        micros(prefix + "95pct", microsPerUnit),
                        micros(prefix + "99pct", microsPerUnit),
                        micros(prefix + "999pct", microsPerUnit),
                        micros(prefix + "9999pct", microsPerUnit)),
                micros(prefix + "Max", microsPerUnit));
    }

    private Long micros(String key, double microsPerUnit) {
        return Math.round(number(key) * microsPerUnit);
    }

    private double number(String key) {
        JsonNode value = root.get(key);
        if (value == null) {
            throw problem(key, "missing");
        }
        if (!value.isNumber()) {
            throw problem(key, "noNumber", value);
        }
        return value.asDouble();
    }

    private double[] series(String key) {
        JsonNode values = root.get(key);
        if (values == null) {
            throw problem(key, "missing");
        }
        List<Double> series = new ArrayList<>();
        values.forEach(value -> series.add(value.isNumber() ? value.asDouble() : Double.NaN));
        if (!values.isArray() || series.contains(Double.NaN)) {
            throw problem(key, "noNumbers", values);
        }
        return series.stream().mapToDouble(value -> value).toArray();
    }

    private ImportException problem(String field, String key, Object... arguments) {
        return new ImportException(file + ": " + field, key, arguments);
    }
}
