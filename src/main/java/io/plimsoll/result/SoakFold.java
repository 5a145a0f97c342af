package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.stats.Drift;
import io.plimsoll.stats.Movement;
import io.plimsoll.stats.Movement.Confidence;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * What changed within the measured window of a long trial: throughput and response times that decay, and what brokers take and
 * never give back. Looks at minutes, of which there must be {@link Drift#LEAST}. Used by one thread.
 */
final class SoakFold {
    private static final String BROKER = "broker ";
    private static final double SECONDS_PER_HOUR = 3600;
    /** Where more or less is due in some minutes, response times say nothing of the cluster alone. */
    private static final double CONSTANT = 0.1;

    private static final Movement SHARE = new Movement(0.02, 0, Confidence.P95);
    private static final Movement RATE = new Movement(0.10, 0, Confidence.P95);
    private static final Movement RESPONSE = new Movement(0.25, 1000, Confidence.P95);
    private static final Movement FILES = new Movement(0.10, 20, Confidence.P95);
    private static final Movement HEAP = new Movement(0.20, 16e6, Confidence.P95);
    private static final Movement LOGS = new Movement(0.10, 1e6, Confidence.P95);

    private final Folding folding;
    /** Sum and number of the values of each gauge, by minute. */
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

    /** @param minutes of the measured window */
    List<Sentence> remarks(TrialResult trial, List<Second> minutes) {
        List<Sentence> said = new ArrayList<>();
        List<Second> whole = minutes.stream()
                .filter(m -> m.length() > folding.minuteNanos() / 2e9)
                .toList();
        // Where faults are made to happen, much changes for a while.
        if (whole.size() < Drift.LEAST || !trial.detail().faults().isEmpty()) {
            return said;
        }
        double seconds = whole.size() * folding.minuteNanos() / 1e9;
        boolean produces = trial.produce() != null;
        boolean paced = produces && !trial.produce().schedule().closedLoop();
        double[] rates =
                values(whole, m -> produces ? m.rates().produced() : m.rates().consumed());
        if (paced) {
            double[] shares = values(
                    whole,
                    m -> m.rates().offered() > 0
                            ? m.rates().produced() / m.rates().offered()
                            : 1);
            say(said, Sentence.of("result.soak.share"), shares, SHARE, seconds, Units::percent);
        } else {
            say(said, Sentence.of("result.soak.rate"), rates, RATE, seconds, Units::rate);
        }
        if (paced && Spread.coefficientOfVariation(values(whole, m -> m.rates().offered())) < CONSTANT) {
            double[] p50 = values(whole, m -> number(m.response().responseP50()));
            double[] p99 = values(whole, m -> number(m.response().responseP99()));
            say(said, Sentence.of("result.soak.response", "p50"), p50, RESPONSE, seconds, Units::micros);
            say(said, Sentence.of("result.soak.response", "p99"), p99, RESPONSE, seconds, Units::micros);
        }
        double from = (whole.get(0).at() - whole.get(0).length()) * 1e9 / folding.minuteNanos();
        gauges.forEach((figure, values) -> {
            double[] seen = values.entrySet().stream()
                    .filter(e -> e.getKey() + 0.5 >= from && e.getKey() - from < whole.size())
                    .mapToDouble(e -> e.getValue()[0] / e.getValue()[1])
                    .toArray();
            switch (figure.key()) {
                case "result.soak.files" -> say(said, figure, seen, FILES, seconds, v -> Units.count(Math.round(v)));
                case "result.soak.logs" -> say(said, figure, seen, LOGS, seconds, Units::bytes);
                default -> say(said, figure, seen, HEAP, seconds, Units::bytes);
            }
        });
        return said;
    }

    private static double[] values(List<Second> minutes, Function<Second, Double> figure) {
        return minutes.stream()
                .map(figure)
                .flatMapToDouble(v -> v == null ? DoubleStream.empty() : DoubleStream.of(v))
                .toArray();
    }

    private static Double number(Long value) {
        return value == null ? null : Double.valueOf(value);
    }

    private static void say(
            List<Sentence> said,
            Sentence figure,
            double[] values,
            Movement enough,
            double seconds,
            DoubleFunction<String> text) {
        Drift.of(values, enough).ifPresent(d -> {
            String before = text.apply(d.before());
            String after = text.apply(d.after());
            double change = (d.after() - d.before()) / (seconds / SECONDS_PER_HOUR);
            String hourly = (change < 0 ? "−" : "+") + text.apply(Math.abs(change));
            said.add(
                    d.at() == 0
                            ? Sentence.of(
                                    "result.soak.steadily", figure, before, after, Units.duration(seconds), hourly)
                            : Sentence.of("result.soak.step", figure, before, after, Units.duration(d.at() * seconds)));
        });
    }
}
