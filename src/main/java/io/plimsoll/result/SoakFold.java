package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.stats.Drift;
import io.plimsoll.stats.Movement;
import io.plimsoll.stats.Movement.Confidence;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Changes within the measured window of a long trial: declining throughput, rising response times, and resources that
 * brokers never release. Requires at least {@link Drift#LEAST} minutes. Used by one thread.
 */
final class SoakFold {
    private static final String BROKER = "broker ";
    private static final double SECONDS_PER_HOUR = 3600;
    /** Maximum relative variation of a constant load; beyond it, response times do not depend on the cluster alone. */
    private static final double CONSTANT = 0.1;

    private static final Movement SHARE = new Movement(0.02, 0, Confidence.P95);
    private static final Movement RATE = new Movement(0.10, 0, Confidence.P95);
    private static final Movement RESPONSE = new Movement(0.25, 1000, Confidence.P95);
    private static final Movement FILES = new Movement(0.10, 20, Confidence.P95);
    private static final Movement HEAP = new Movement(0.20, 16e6, Confidence.P95);
    private static final Movement LOGS = new Movement(0.10, 1e6, Confidence.P95);

    private final Folding folding;
    /** Sum and number of the values of each gauge by minute. */
    private final Map<Sentence, Map<Long, double[]>> gauges =
            new TreeMap<>(java.util.Comparator.comparing(Sentence::english));

    SoakFold(Folding folding) {
        this.folding = folding;
    }

    void accept(Observation o) {
        if (o.what().startsWith(BROKER)) {
            String broker = o.what().substring(BROKER.length());
            take(o, "heapAfterCollection", Sentence.of("result.soak.heap", broker));
            take(o, "openFiles", Sentence.of("result.soak.files", broker));
        } else if (o.what().equals("cluster")) {
            take(o, "logBytes", Sentence.of("result.soak.logs"));
        }
    }

    private void take(Observation o, String gauge, Sentence figure) {
        Double value = o.gauges().get(gauge);
        if (value != null) {
            long minute = (o.fromNanos() + o.toNanos()) / 2 / folding.minuteNanos();
            double[] sum =
                    gauges.computeIfAbsent(figure, f -> new TreeMap<>()).computeIfAbsent(minute, m -> new double[2]);
            sum[0] += value * o.seconds();
            sum[1] += o.seconds();
        }
    }

    List<Sentence> remarks(TrialResult trial, List<Second> minutes) {
        List<Sentence> said = new ArrayList<>();
        List<Second> whole = minutes.stream()
                .filter(m -> m.length() > folding.minuteNanos() / 2e9)
                .toList();
        // Injected faults cause temporary changes, so trials with faults are skipped.
        if (whole.size() < Drift.LEAST || !trial.detail().faults().isEmpty()) {
            return said;
        }
        boolean paced = trial.paced();
        if (paced) {
            double[] shares = values(whole, m -> achieved(m.rates()));
            say(said, Sentence.of("result.soak.share"), shares, SHARE, Units::percent);
        } else {
            say(said, Sentence.of("result.soak.rate"), values(whole, trial::rate), RATE, Units::rate);
        }
        if (paced
                && Spread.coefficientOfVariation(
                                values(whole, m -> number(m.rates().offered())))
                        < CONSTANT) {
            double[] p50 = values(whole, m -> number(m.response().responseP50()));
            double[] p99 = values(whole, m -> number(m.response().responseP99()));
            say(said, Sentence.of("result.soak.response", "p50"), p50, RESPONSE, Units::micros);
            say(said, Sentence.of("result.soak.response", "p99"), p99, RESPONSE, Units::micros);
        }
        double from = (whole.get(0).at() - whole.get(0).length()) * 1e9 / folding.minuteNanos();
        gauges.forEach((figure, values) -> {
            double[] seen = new double[whole.size()];
            Arrays.fill(seen, Double.NaN);
            values.forEach((minute, sum) -> {
                int at = (int) Math.floor(minute + 0.5 - from);
                if (at >= 0 && at < seen.length) {
                    seen[at] = sum[0] / sum[1];
                }
            });
            switch (Objects.requireNonNullElse(figure.key(), "")) {
                case "result.soak.files" -> say(said, figure, seen, FILES, v -> Units.count(Math.round(v)));
                case "result.soak.logs" -> say(said, figure, seen, LOGS, Units::bytes);
                default -> say(said, figure, seen, HEAP, Units::bytes);
            }
        });
        return said;
    }

    private static double[] values(List<Second> minutes, ToDoubleFunction<Second> figure) {
        return minutes.stream().mapToDouble(figure).toArray();
    }

    private static double number(@Nullable Number value) {
        return value == null ? Double.NaN : value.doubleValue();
    }

    /** Acknowledged ÷ offered records; 1 if none were offered. */
    private static double achieved(TrialResult.Rates rates) {
        Double achieved = Sums.ratio(Double.valueOf(rates.produced()), rates.offered());
        return achieved == null ? 1 : achieved;
    }

    /** @param minutes value in each minute of the window; NaN if unknown, such as a heap before its first collection */
    private void say(
            List<Sentence> said, Sentence figure, double[] minutes, Movement enough, DoubleFunction<String> text) {
        int[] known = IntStream.range(0, minutes.length)
                .filter(i -> !Double.isNaN(minutes[i]))
                .toArray();
        double minute = folding.minuteNanos() / 1e9;
        Drift.of(IntStream.of(known).mapToDouble(i -> minutes[i]).toArray(), enough)
                .ifPresent(d -> {
                    double seconds = (known[known.length - 1] + 1 - known[0]) * minute;
                    double step = known[(int) Math.round(d.at() * known.length)] * minute;
                    String before = text.apply(d.before());
                    String after = text.apply(d.after());
                    double change = (d.after() - d.before()) / (seconds / SECONDS_PER_HOUR);
                    String hourly = (change < 0 ? "−" : "+") + text.apply(Math.abs(change));
                    said.add(
                            d.at() == 0
                                    ? Sentence.of(
                                            "result.soak.steadily",
                                            figure,
                                            before,
                                            after,
                                            Units.duration(seconds),
                                            hourly)
                                    : Sentence.of("result.soak.step", figure, before, after, Units.duration(step)));
                });
    }
}
