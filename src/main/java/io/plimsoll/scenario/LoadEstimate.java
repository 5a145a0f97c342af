package io.plimsoll.scenario;

import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The estimated duration and data volume of a plan, before it runs. Unknown rates are taken from the published values
 * of a trial or, without any, assumed. Compression is considered only for rates in wire bytes.
 *
 * @param trials in the order of the plan
 * @param reads maximum bytes read from existing topics, over all trials and groups
 */
public record LoadEstimate(List<Trial> trials, long reads) {
    private static final double ASSUMED_BYTES_PER_SECOND = 50e6;
    private static final double ASSUMED_RECORDS_PER_SECOND = 200_000;
    private static final double ASSUMED_RESPONSE_SECONDS = 0.002;
    /** Default {@code linger.ms} of Kafka's producer since 4.0. */
    private static final long DEFAULT_LINGER_MS = 5;

    private static final double SETUP_SECONDS = 3;
    /** Interval in seconds at which brokers delete old segments, {@code log.retention.check.interval.ms}. */
    private static final double CLEAN_EVERY_SECONDS = 300;
    /** Overhead per record in bytes: length, attributes, deltas, lengths, header count, and a share of the batch header. */
    private static final double RECORD_FRAMING_BYTES = 8;
    /** Size of a batch header, which is significant only if threads wait for each record. */
    private static final double BATCH_HEADER_BYTES = 61;

    private static final Pattern NUMBER = Pattern.compile("\\d{1,3}(,\\d{3})+(\\.\\d+)?|\\d+(\\.\\d+)?");

    /**
     * @param seconds duration without setup
     * @param assumed whether a rate is assumed
     * @param produced number of records; for producers limited by time, at the given or assumed rate
     * @param bytesByTopic bytes in the log, one replica
     * @param read number of records over all groups; −1 if they read until the producers are done
     * @param peak highest rate of all producers together
     * @param slow consumer entries with work too slow for their input
     */
    public record Trial(
            String name,
            double seconds,
            boolean assumed,
            long produced,
            Map<String, Long> bytesByTopic,
            long read,
            Peak peak,
            List<SlowReader> slow) {
        /** Log bytes of one replica. */
        public long bytes() {
            return bytesByTopic.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * A consumer entry that cannot keep up with the producers of its topics.
     *
     * @param entry index in {@code consumers}
     * @param most maximum records per second of one group, given its work
     * @param written records per second at the highest rate of the producers of its topics, without producers that have
     *     no rate
     */
    public record SlowReader(int entry, ConsumerSpec spec, double most, double written) {}

    /**
     * The highest known rate of a trial.
     *
     * @param recordsPerSecond rate of the producers that have a rate
     * @param bytesPerSecond their rate in log bytes of one replica
     * @param readBytesPerSecond rate of all groups that read during the load
     * @param unlimited whether a producer has no rate
     * @param recordsUnknown whether a producer's rate is in compressed bytes; {@code recordsPerSecond} is then a lower bound
     */
    public record Peak(
            double recordsPerSecond,
            double bytesPerSecond,
            double readBytesPerSecond,
            boolean unlimited,
            boolean recordsUnknown) {}

    public static LoadEstimate of(Plan plan) {
        return of(plan, Map.of());
    }

    /** @param present bytes of one replica of each existing topic that groups read or pipelines copy */
    public static LoadEstimate of(Plan plan, Map<String, Long> present) {
        List<OneTrial> all = plan.trials().stream()
                .map(trial -> new OneTrial(plan, trial, present))
                .toList();
        List<Trial> trials = all.stream().map(OneTrial::estimate).toList();
        return new LoadEstimate(
                trials,
                Math.round(all.stream().mapToDouble(trial -> trial.reads).sum()));
    }

    public double seconds() {
        return trials.stream().mapToDouble(t -> t.seconds() + SETUP_SECONDS).sum();
    }

    public long bytes() {
        return trials.stream().mapToLong(Trial::bytes).sum();
    }

    public long produced() {
        return trials.stream().mapToLong(Trial::produced).sum();
    }

    public boolean assumed() {
        return trials.stream().anyMatch(Trial::assumed);
    }

    /**
     * The maximum number of bytes that one broker stores at a time, including all replicas: kept topics, topics of a
     * trial, and topics of the previous trial, because a broker deletes files some time after the topic. Data that
     * {@code retention.bytes} and {@code retention.ms} delete in time does not count.
     *
     * @param brokers number of brokers in the cluster, 1 or more
     * @param copies number of replicas of each existing topic, as far as known
     */
    public long peakBytesPerBroker(Plan plan, int brokers, Map<String, Integer> copies) {
        double kept = 0;
        double before = 0;
        double peak = 0;
        for (int i = 0; i < trials.size(); i++) {
            double own = 0;
            double leaves = 0;
            Set<String> later = new HashSet<>();
            plan.trials().stream().skip(i + 1L).forEach(t -> t.scenario().topics().stream()
                    .filter(TopicSpec::keep)
                    .forEach(s -> later.add(s.name())));
            for (TopicSpec topic : plan.trials().get(i).scenario().topics()) {
                double bytes = held(topic, trials.get(i));
                int on = topic.brokers() > 0 ? Math.min(topic.brokers(), brokers) : brokers;
                int replicas = copies.getOrDefault(topic.name(), topic.replication());
                int copiesHere = Math.min(replicas, on);
                // A broker stores whole partitions; the number of partitions of an existing topic is unknown.
                double share = topic.existing()
                        ? bytes * copiesHere / on
                        : bytes * Math.ceil((double) topic.partitions() * copiesHere / on) / topic.partitions();
                if (topic.keep() && later.contains(topic.name())) {
                    leaves += share;
                } else {
                    own += share;
                }
            }
            peak = Math.max(peak, kept + before + own + leaves);
            kept += leaves;
            before = own;
        }
        return Math.round(peak);
    }

    /** Maximum bytes of one replica at a time. Retention excludes the active segment, and runs only every 5 min. */
    private static double held(TopicSpec topic, Trial trial) {
        double bytes = trial.bytesByTopic().getOrDefault(topic.name(), 0L);
        double open = (double) LoadKeys.number(topic.config(), "segment.bytes", 1 << 30) * topic.partitions();
        double ofBytes = (double) LoadKeys.number(topic.config(), "retention.bytes", -1) * topic.partitions();
        double ofSeconds = LoadKeys.number(topic.config(), "retention.ms", -1) / 1000.0;
        double perSecond = bytes / Math.max(1, trial.seconds());
        double bySize = ofBytes < 0 ? bytes : ofBytes + open;
        double byTime = ofSeconds < 0 ? bytes : (ofSeconds + CLEAN_EVERY_SECONDS) * perSecond + open;
        return Math.min(bytes, Math.min(bySize, byTime));
    }

    private static final class OneTrial {
        private final String name;
        private final Scenario scenario;
        private final double publishedProduced;
        private final double publishedConsumed;
        private final Map<String, Double> bytes = new HashMap<>();
        private double produced;
        private boolean assumed;
        private final Map<String, Long> present;
        private final Map<String, TopicSpec> known;
        private final Map<String, Double> peaks = new HashMap<>();
        private final Map<String, Double> recordPeaks = new HashMap<>();
        private double reads;
        private double peakRecords;
        private double peakBytes;
        private double peakReadBytes;
        private boolean unlimited;
        private boolean recordsUnknown;

        OneTrial(Plan plan, Plan.Trial trial, Map<String, Long> present) {
            this.present = present;
            name = trial.name();
            scenario = trial.scenario();
            known = TopicSpec.byName(scenario.topics());
            publishedProduced = published(plan, name, "produce.throughput");
            publishedConsumed = published(plan, name, "consume.throughput");
        }

        Trial estimate() {
            double producing = scenario.producers().stream()
                    .mapToDouble(this::produce)
                    .max()
                    .orElse(0);
            scenario.consumers().forEach(this::read);
            double reading = 0;
            double afterwards = 0;
            for (ConsumerSpec c : scenario.consumers()) {
                double seconds = consume(c);
                boolean after = c.start() instanceof ConsumerSpec.Start.AfterProduce;
                afterwards = after ? Math.max(afterwards, seconds) : afterwards;
                reading = after ? reading : Math.max(reading, seconds);
            }
            Map<String, Long> rounded = new HashMap<>();
            bytes.forEach((topic, n) -> rounded.put(topic, Math.round(n)));
            double seconds =
                    scenario.onlyConnects() ? seconds(scenario.duration()) : Math.max(producing, reading) + afterwards;
            Peak peak = new Peak(peakRecords, peakBytes, peakReadBytes, unlimited, recordsUnknown);
            return new Trial(name, seconds, assumed, Math.round(produced), rounded, readRecords(), peak, slowReaders());
        }

        /** @return duration in seconds */
        private double produce(ProducerSpec p) {
            double logBytes = RecordSizes.contentBytes(p.record()) + RECORD_FRAMING_BYTES + headerShare(p);
            double warmup = seconds(scenario.effectiveWarmup().about());
            double window = seconds(p.duration().orElse(scenario.duration()));
            double perSecond = p.rate() instanceof Rate.Unlimited
                    ? unlimited(p, logBytes)
                    : mean(p.rate(), p.records().isPresent() ? 0 : window, q -> records(q, p.record(), logBytes));
            double records = p.records().isPresent() ? p.records().getAsLong() : perSecond * window;
            double time = p.records().isPresent() ? records / perSecond : window;
            double all = records + perSecond * warmup;
            boolean ofCompressed = Rate.inWireBytes(p.rate()) && RecordSizes.compressed(p.config());
            double size = ofCompressed ? mean(p.rate(), window, Quantity::value) / Math.max(1e-9, perSecond) : logBytes;
            p.topics().forEach(t -> bytes.merge(t, all * size / p.topics().size(), Double::sum));
            produced += all;
            double highest = p.rate().levels().stream()
                    .mapToDouble(q -> records(q, p.record(), logBytes))
                    .max()
                    .orElse(0);
            p.topics().forEach(t -> {
                peaks.merge(t, highest * size / p.topics().size(), Double::sum);
                recordPeaks.merge(t, highest / p.topics().size(), Double::sum);
            });
            peakRecords += highest;
            peakBytes += highest * size;
            unlimited |= p.rate() instanceof Rate.Unlimited;
            recordsUnknown |= ofCompressed;
            return warmup + time;
        }

        /** Adds the reads of an entry: each group reads all data of its topics, and writes it to each of its outputs. */
        private void read(ConsumerSpec c) {
            boolean fromEnd =
                    c.start() instanceof ConsumerSpec.Start.Latest && c.rewind().isEmpty();
            double groups = c.oneTopicEach() ? (double) c.groups() / c.topics().size() : c.groups();
            double produced = 0;
            double before = 0;
            double rate = 0;
            for (String topic : c.topics()) {
                produced += bytes.getOrDefault(topic, 0.0);
                before += fromEnd ? 0 : present.getOrDefault(topic, 0L);
                rate += peaks.getOrDefault(topic, 0.0);
            }
            double all = groups * (produced + before);
            c.writes().forEach(output -> bytes.merge(output, all, Double::sum));
            reads += groups * before;
            peakReadBytes += groups * rate;
        }

        private List<SlowReader> slowReaders() {
            return IntStream.range(0, scenario.consumers().size())
                    .mapToObj(i -> slowest(i, scenario.consumers().get(i)))
                    .flatMap(Optional::stream)
                    .toList();
        }

        /**
         * The group of an entry that falls behind most, relative to its maximum rate; empty if all groups keep up.
         * Groups that read after the end of the producers have no deadline.
         */
        private Optional<SlowReader> slowest(int entry, ConsumerSpec c) {
            if (c.start() instanceof ConsumerSpec.Start.AfterProduce) {
                return Optional.empty();
            }
            int different = c.oneTopicEach() ? Math.min(c.groups(), c.topics().size()) : 1;
            return IntStream.range(0, different)
                    .mapToObj(group -> {
                        List<String> topics = c.topicsOf(group);
                        double written = topics.stream()
                                .mapToDouble(t -> recordPeaks.getOrDefault(t, 0.0))
                                .sum();
                        return new SlowReader(entry, c, c.mostPerSecond(partitions(topics)), written);
                    })
                    .filter(r -> r.written() > r.most())
                    .max(Comparator.comparingDouble(r -> r.written() / r.most()));
        }

        /** Number of partitions; {@link Integer#MAX_VALUE} if unknown, as for existing topics. */
        private int partitions(List<String> topics) {
            List<TopicSpec> read =
                    topics.stream().map(known::get).filter(Objects::nonNull).toList();
            return read.size() < topics.size() || read.stream().anyMatch(TopicSpec::existing)
                    ? Integer.MAX_VALUE
                    : read.stream().mapToInt(TopicSpec::partitions).sum();
        }

        /**
         * Header bytes per record; 0 if sends are asynchronous. If threads wait for records, a batch contains at most
         * the records for which the threads of a client wait.
         */
        private static double headerShare(ProducerSpec p) {
            if (p.send() instanceof SendMode.Async) {
                return 0;
            }
            double each = p.send() instanceof SendMode.FlushEvery f ? f.records() : 1;
            return BATCH_HEADER_BYTES / (each * p.threads());
        }

        private double unlimited(ProducerSpec p, double logBytes) {
            int entries = Math.max(1, scenario.producers().size());
            if (publishedProduced > 0) {
                return publishedProduced / entries;
            }
            assumed = true;
            double most = Math.min(ASSUMED_RECORDS_PER_SECOND, ASSUMED_BYTES_PER_SECOND / logBytes) / entries;
            return Math.min(most, waiting(p));
        }

        /**
         * Maximum records per second of an entry with threads that wait for each record or flush; infinite otherwise.
         */
        private static double waiting(ProducerSpec p) {
            if (p.send() instanceof SendMode.FlushEvery f) {
                return p.totalThreads() * f.records() / ASSUMED_RESPONSE_SECONDS;
            }
            double linger = LoadKeys.number(p.config(), "linger.ms", DEFAULT_LINGER_MS) / 1000.0;
            return p.send() instanceof SendMode.Sync
                    ? p.totalThreads() / (linger + ASSUMED_RESPONSE_SECONDS)
                    : Double.POSITIVE_INFINITY;
        }

        /** Mean of a rate over a window; the final value if the window is unknown. */
        private static double mean(Rate rate, double window, ToDoubleFunction<Quantity> perSecond) {
            double[] levels;
            double each = 0;
            if (rate instanceof Rate.Ramp ramp) {
                double to = perSecond.applyAsDouble(ramp.to());
                levels = new double[] {(perSecond.applyAsDouble(ramp.from()) + to) / 2, to};
                each = seconds(ramp.over());
            } else if (rate instanceof Rate.Steps steps) {
                levels = steps.levels().stream().mapToDouble(perSecond).toArray();
                each = seconds(steps.each());
            } else {
                Quantity level = rate instanceof Rate.Daily daily ? daily.mean() : ((Rate.Constant) rate).rate();
                levels = new double[] {perSecond.applyAsDouble(level)};
            }
            double left = window;
            double sum = 0;
            for (double level : levels) {
                double lasts = Math.min(each, left);
                sum += lasts * level;
                left -= lasts;
            }
            double last = levels[levels.length - 1];
            return window <= 0 ? last : (sum + left * last) / window;
        }

        private static double records(Quantity q, RecordSpec record, double logBytes) {
            return switch (q.unit()) {
                case RECORDS -> q.value();
                case PAYLOAD_BYTES -> q.value() / Math.max(1, RecordSizes.contentBytes(record));
                case WIRE_BYTES -> q.value() / logBytes;
            };
        }

        private long readRecords() {
            List<ConsumerSpec> all = scenario.consumers();
            return all.stream().allMatch(c -> c.records().isPresent())
                    ? all.stream()
                            .mapToLong(c -> c.records().getAsLong() * c.groups())
                            .sum()
                    : -1;
        }

        private double consume(ConsumerSpec c) {
            if (c.records().isEmpty()) {
                return scenario.producers().isEmpty() ? seconds(scenario.duration()) : 0;
            }
            double records = (double) c.records().getAsLong() * c.groups();
            if (publishedConsumed > 0) {
                return records / publishedConsumed;
            }
            assumed |= scenario.producers().isEmpty();
            return records / (2 * ASSUMED_RECORDS_PER_SECOND);
        }

        private static double seconds(Duration d) {
            return d.toNanos() / 1e9;
        }
    }

    /** Published throughput of a trial in records per second; 0 if none was published. */
    private static double published(Plan plan, String trial, String figure) {
        return plan.reference().stream()
                .flatMap(reference -> reference.tables().stream())
                .flatMapToDouble(table -> IntStream.range(0, table.columns().size())
                        .filter(i -> table.columns().get(i).figure().equals(figure)
                                && table.columns().get(i).unit().equals("records/s"))
                        .boxed()
                        .flatMapToDouble(i -> table.rows().stream()
                                .filter(row -> row.trial().equals(trial))
                                .mapToDouble(row -> rate(row.values().get(i)))))
                .filter(rate -> rate > 0)
                .findFirst()
                .orElse(0);
    }

    private static double rate(@Nullable Sentence value) {
        Matcher number = NUMBER.matcher(value == null ? "" : value.english());
        return number.find() ? Double.parseDouble(number.group().replace(",", "")) : 0;
    }
}
