package io.plimsoll.omb;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.imported.Measured;
import io.plimsoll.result.imported.OmbSupport;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.TopicSpec;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.NullMarked;

/**
 * The result of one trial with the fields of OpenMessaging Benchmark, in its order. Latencies are in milliseconds,
 * except the publish delay in microseconds. Publish latency is the service time; publish delay is the send delay. Lists
 * have one figure per period of the measured window.
 */
@NullMarked
public final class OmbResult implements OmbSupport {
    /** Name of the result file in a run directory. */
    static final String FILE = "omb.json";

    /** Length of OpenMessaging Benchmark's periods in ms. */
    static final long PERIOD_MILLIS = 10_000;

    @Override
    public List<Measured> read(String file, String text) {
        return OmbJson.read(file, text);
    }

    @Override
    public String write(RunDirectory run, Optional<String> trial) {
        return of(run, trial, PERIOD_MILLIS, Optional.empty());
    }

    /** @param version version of the brokers as stated by the user; forks of OpenMessaging Benchmark record it */
    static String of(
            RunDirectory directory, Optional<String> trial, long periodMillis, Optional<String> version) {
        Plan.Trial planned = trial(directory, trial);
        OmbFold fold = fold(directory, planned, periodMillis);
        Map<String, Object> result = header(planned);
        result.putAll(fold.figures());
        version.ifPresent(text -> result.put("version", text));
        return Json.pretty(result);
    }

    private static Plan.Trial trial(RunDirectory directory, Optional<String> name) {
        Plan plan = plan(directory);
        List<String> names = plan.trials().stream().map(Plan.Trial::name).toList();
        boolean ambiguous = name.isEmpty() && names.size() > 1;
        Exit.USAGE.when(ambiguous, "report.oneTrialOnly", directory.path(), names.size(), names);
        return plan.trials().stream()
                .filter(t -> name.isEmpty() || t.name().equals(name.get()))
                .findFirst()
                .orElseThrow(() -> Exit.USAGE.because("report.noSuchTrial", directory.path(), name.get(), names));
    }

    private static Plan plan(RunDirectory directory) {
        java.nio.file.Path file = directory.path().resolve(RunDirectory.SCENARIO);
        try {
            return ScenarioReader.stored(InputFile.text(file, InputFile.WRITTEN), file.toString());
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "report.cannotRead", file, e.getMessage());
        }
    }

    private static OmbFold fold(RunDirectory directory, Plan.Trial trial, long periodMillis) {
        try (Stream<TimelineEvent> timeline = directory.readTimeline()) {
            OmbFold fold = new OmbFold(trial.name(), periodMillis * 1_000_000);
            timeline.forEachOrdered(fold::accept);
            Exit.USAGE.when(fold.isEmpty(), "report.nothingMeasured", directory.path(), trial.name());
            return fold;
        }
    }

    private static Map<String, Object> header(Plan.Trial trial) {
        Scenario scenario = trial.scenario();
        List<TopicSpec> topics = scenario.topics();
        int clients =
                scenario.producers().stream().mapToInt(ProducerSpec::clients).sum();
        int members = scenario.consumers().stream()
                .mapToInt(OmbResult::perTopic)
                .max()
                .orElse(0);
        return Json.object(
                "workload", scenario.about().isBlank() ? scenario.name() : scenario.about(),
                "driver", trial.name(),
                "messageSize", messageBytes(scenario),
                "topics", topics.size(),
                "partitions", topics.get(0).partitions(),
                "producersPerTopic", (clients + topics.size() - 1) / topics.size(),
                "consumersPerTopic", members);
    }

    /** Members per topic. The members of a group are divided among the topics that it reads. */
    private static int perTopic(ConsumerSpec consumer) {
        int topics = consumer.oneTopicEach() ? 1 : consumer.topics().size();
        return (consumer.members() + topics - 1) / topics;
    }

    /**
     * The record with the sizes from its template or payload files; unchanged if the files are not readable any more.
     */
    private static RecordSpec sized(RecordSpec record) {
        try {
            return PayloadSource.sized(record);
        } catch (PlimsollException e) {
            return record;
        }
    }

    private static long messageBytes(Scenario scenario) {
        return scenario.producers().stream()
                .findFirst()
                .map(producer -> Math.round(sized(producer.record()).meanSize()))
                .orElse(0L);
    }

    /** Folds the timeline of one trial into OpenMessaging Benchmark's figures. Used by one thread. */
    static final class OmbFold {
        private static final int TICKS_PER_HALF_DISTANCE = 100;
        /** Minimum length of the last period as a share; a shorter remainder is added to the previous period. */
        private static final double LEAST_SHARE = 0.2;

        private static final double MICROS_PER_MILLI = 1_000;

        private static final Map<String, Function<Latencies, Number>> STATISTICS = statistics();

        private final String trial;
        private final long periodNanos;
        /** The two newest periods; the last one can be merged into the one before it. */
        private final Deque<Period> newest = new ArrayDeque<>();
        /** The figures of all earlier periods by field; their histograms are dropped. */
        private final Map<String, List<Object>> values = new HashMap<>();

        private final Counts.Sum measured = Counts.Sum.overTime();
        private long warmupNanos;

        OmbFold(String trial, long periodNanos) {
            this.trial = trial;
            this.periodNanos = periodNanos;
        }

        void accept(TimelineEvent event) {
            if (event instanceof TimelineEvent.TrialStarted started
                    && started.name().equals(trial)) {
                warmupNanos = Math.round(started.plan().course().warmupSeconds() * 1e9);
            }
            if (event instanceof TimelineEvent.WarmupEnded ended
                    && ended.trial().equals(trial)) {
                warmupNanos = Math.round(ended.seconds() * 1e9);
            }
            if (!(event instanceof TimelineEvent.Measured m)
                    || !m.snapshot().trial().equals(trial)) {
                return;
            }
            Snapshot snapshot = m.snapshot();
            measured.add(snapshot.measured());
            if (snapshot.phase() == Phase.MEASURE) {
                // In a long trial, which is stored by minute, each period has the figures of its minute.
                long half = Math.min(periodNanos, snapshot.toNanos() - snapshot.fromNanos()) / 2;
                long first = Math.max(0, (snapshot.fromNanos() + half - warmupNanos) / periodNanos);
                long last = Math.max(first, (snapshot.toNanos() - half - warmupNanos) / periodNanos);
                for (long number = first; number <= last; number++) {
                    take(snapshot, number);
                }
            }
        }

        private void take(Snapshot snapshot, long number) {
            if (newest.isEmpty() || newest.getLast().number < number) {
                newest.add(new Period(number));
            }
            newest.getLast().add(snapshot);
            if (newest.size() > 2) {
                tell(newest.removeFirst());
            }
        }

        private void tell(Period p) {
            Counts all = p.sum.total();
            tell("publishRate", p.perSecond(all.get(Produced.ARRIVED)));
            tell("publishErrorRate", p.perSecond(all.total(Produced.ERRORS)));
            tell("consumeRate", p.perSecond(all.get(Consumed.ARRIVED)));
            tell("backlog", p.lag.values().stream().mapToLong(l -> l).sum());
            for (Kind kind : Kind.values()) {
                Latencies latencies = all.get(kind.latencies);
                STATISTICS.forEach((suffix, statistic) -> tell(kind + suffix, kind.shown(statistic.apply(latencies))));
            }
        }

        private void tell(String field, Object value) {
            values.computeIfAbsent(field, f -> new ArrayList<>()).add(value);
        }

        boolean isEmpty() {
            return newest.isEmpty();
        }

        private static final class Period {
            private final long number;
            private long from = Long.MAX_VALUE;
            private long to;
            private final Counts.Sum sum = Counts.Sum.overTime();
            private final Map<String, Long> lag = new HashMap<>();

            Period(long number) {
                this.number = number;
            }

            void add(Snapshot s) {
                from = Math.min(from, s.fromNanos());
                to = Math.max(to, s.toNanos());
                sum.add(s.measured());
                lag.putAll(s.whole().get(Consumed.LAG));
            }

            void add(Period next) {
                to = next.to;
                sum.add(next.sum.total());
                lag.putAll(next.lag);
            }

            double perSecond(long count) {
                return count / seconds();
            }

            double seconds() {
                return Math.max(1, to - from) / 1e9;
            }
        }

        /** All fields after the header, in OpenMessaging Benchmark's order. */
        Map<String, Object> figures() {
            Period last = newest.removeLast();
            if (!newest.isEmpty() && last.seconds() < LEAST_SHARE * periodNanos / 1e9) {
                newest.getLast().add(last);
            } else {
                newest.add(last);
            }
            newest.forEach(this::tell);
            Map<String, Object> figures = new LinkedHashMap<>();
            for (String field : List.of("publishRate", "publishErrorRate", "consumeRate", "backlog")) {
                figures.put(field, values.get(field));
            }
            perPeriod(figures, Kind.PUBLISH);
            perPeriod(figures, Kind.DELAY);
            aggregated(figures, Kind.PUBLISH);
            aggregated(figures, Kind.DELAY);
            quantiles(figures, Kind.PUBLISH);
            quantiles(figures, Kind.DELAY);
            // OpenMessaging Benchmark uses the record's timestamp, which is the append time on such topics.
            boolean appended = !measured.total().get(Kind.FROM_APPEND.latencies).isEmpty();
            Kind endToEnd = appended ? Kind.FROM_APPEND : Kind.END_TO_END;
            perPeriod(figures, endToEnd);
            quantiles(figures, endToEnd);
            aggregated(figures, endToEnd);
            if (appended) {
                figures.put("endToEndLatencyFrom", "append");
            }
            return figures;
        }

        private void perPeriod(Map<String, Object> figures, Kind kind) {
            STATISTICS.keySet().forEach(suffix -> figures.put(kind.period + suffix, values.get(kind + suffix)));
        }

        private void aggregated(Map<String, Object> figures, Kind kind) {
            Latencies all = measured.total().get(kind.latencies);
            STATISTICS.forEach(
                    (suffix, statistic) -> figures.put(kind.aggregated + suffix, kind.shown(statistic.apply(all))));
        }

        private void quantiles(Map<String, Object> figures, Kind kind) {
            Map<Double, Object> quantiles = new TreeMap<>();
            Histogram histogram = new Histogram(Latencies.DIGITS);
            measured.total().get(kind.latencies).forEach(histogram::recordValueWithCount);
            for (HistogramIterationValue value : histogram.percentiles(TICKS_PER_HALF_DISTANCE)) {
                quantiles.put(value.getPercentile(), kind.shown(value.getValueIteratedTo()));
            }
            figures.put(kind.aggregated + "Quantiles", quantiles);
        }

        private enum Kind {
            PUBLISH("publishLatency", true, Produced.SERVICE_TIME),
            DELAY("publishDelayLatency", false, Produced.SEND_DELAY),
            END_TO_END("endToEndLatency", true, Consumed.END_TO_END),
            /** Replaces {@link #END_TO_END} on topics with append times. */
            FROM_APPEND("endToEndLatency", true, Consumed.END_TO_END_FROM_APPEND);

            private final String period;
            private final String aggregated;
            private final boolean millis;
            private final Metric<Latencies> latencies;

            Kind(String period, boolean millis, Metric<Latencies> latencies) {
                this.period = period;
                this.aggregated = "aggregated" + period.substring(0, 1).toUpperCase(Locale.ROOT) + period.substring(1);
                this.millis = millis;
                this.latencies = latencies;
            }

            /** A time in milliseconds with a fraction, or in microseconds. */
            Number shown(Number micros) {
                return millis ? Double.valueOf(micros.doubleValue() / MICROS_PER_MILLI) : micros;
            }
        }

        private static Map<String, Function<Latencies, Number>> statistics() {
            Map<String, Function<Latencies, Number>> statistics = new LinkedHashMap<>();
            statistics.put("Avg", Latencies::meanMicros);
            for (String percentile : List.of("50", "75", "95", "99", "99.9", "99.99")) {
                statistics.put(
                        percentile.replace(".", "") + "pct", l -> l.percentileMicros(Double.parseDouble(percentile)));
            }
            statistics.put("Max", Latencies::maxMicros);
            return statistics;
        }
    }
}
