package io.plimsoll.scenario;

import io.plimsoll.scenario.Rate.Quantity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a plan will about take and how much it writes, before anything is run. Rates that nobody knows are taken from
 * the figures that were published for a trial, or else assumed. Compression is counted only where a rate is given in
 * wire bytes.
 *
 * @param trials in the order of the plan
 */
public record LoadEstimate(List<Trial> trials) {
    private static final double ASSUMED_BYTES_PER_SECOND = 50e6;
    private static final double ASSUMED_RECORDS_PER_SECOND = 200_000;
    private static final double SETUP_SECONDS = 3;
    /** Beside the contents: length, attributes, deltas, lengths, header count, and a share of the batch's header. */
    private static final double RECORD_FRAMING_BYTES = 8;
    /** Of a batch, which is shared by many records unless each is waited for. */
    private static final double BATCH_HEADER_BYTES = 61;

    public LoadEstimate {
        trials = List.copyOf(trials);
    }

    /**
     * @param seconds without setting up
     * @param assumed true if a rate is nobody's but ours
     * @param produced records, of producers bound by time at the rate that was given or assumed
     * @param bytesByTopic what they take in the log, one copy
     * @param read records over all groups; −1 if they read until the producers are done
     */
    public record Trial(
            String name, double seconds, boolean assumed, long produced, Map<String, Long> bytesByTopic, long read) {
        public Trial {
            bytesByTopic = Map.copyOf(bytesByTopic);
        }

        /** One copy of everything. */
        public long bytes() {
            return bytesByTopic.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    public static LoadEstimate of(Plan plan) {
        List<Trial> trials = new ArrayList<>();
        for (Plan.Trial trial : plan.trials()) {
            trials.add(
                    new OneTrial(trial.scenario(), PublishedRates.of(plan.reference(), trial.name())).of(trial.name()));
        }
        return new LoadEstimate(trials);
    }

    public double seconds() {
        return trials.stream().mapToDouble(t -> t.seconds() + SETUP_SECONDS).sum();
    }

    /** One copy of everything that all trials write. */
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
     * The most that one broker has to hold at one time, all copies included: topics that are kept, those of a trial, and
     * those of the trial before, whose files a broker deletes a while after the topic.
     *
     * @param brokers of the cluster, 1 or more
     */
    public long peakBytesPerBroker(Plan plan, int brokers) {
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
                long bytes = trials.get(i).bytesByTopic().getOrDefault(topic.name(), 0L);
                int on = topic.brokers() > 0 ? Math.min(topic.brokers(), brokers) : brokers;
                double share = (double) bytes * Math.min(topic.replication(), on) / on;
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

    /** The arithmetic of one trial. */
    private static final class OneTrial {
        private final Scenario scenario;
        private final PublishedRates published;
        private final Map<String, Double> bytes = new HashMap<>();
        private double produced;
        private boolean assumed;

        OneTrial(Scenario scenario, PublishedRates published) {
            this.scenario = scenario;
            this.published = published;
        }

        Trial of(String name) {
            double producing = 0;
            for (ProducerSpec p : scenario.producers()) {
                producing = Math.max(producing, produce(p));
            }
            double reading = 0;
            double afterwards = 0;
            long read = scenario.consumers().isEmpty() ? 0 : readRecords();
            for (ConsumerSpec c : scenario.consumers()) {
                double seconds = consume(c);
                boolean after = c.start() instanceof ConsumerSpec.Start.AfterProduce;
                afterwards = after ? Math.max(afterwards, seconds) : afterwards;
                reading = after ? reading : Math.max(reading, seconds);
            }
            Map<String, Long> rounded = new HashMap<>();
            bytes.forEach((topic, n) -> rounded.put(topic, Math.round(n)));
            double seconds = Math.max(producing, reading) + afterwards;
            return new Trial(name, seconds, assumed, Math.round(produced), rounded, read);
        }

        /** @return seconds */
        private double produce(ProducerSpec p) {
            double logBytes = RecordSizes.contentBytes(p.record()) + RECORD_FRAMING_BYTES + headerShare(p);
            double warmup = seconds(scenario.effectiveWarmup());
            double window = seconds(p.duration().orElse(scenario.duration()));
            double perSecond = p.rate() instanceof Rate.Unlimited
                    ? unlimited(logBytes)
                    : mean(p.rate(), p.records().isPresent() ? 0 : window, p.record(), logBytes);
            double records = p.records().isPresent() ? p.records().getAsLong() : perSecond * window;
            double time = p.records().isPresent() ? records / perSecond : window;
            double all = records + perSecond * warmup;
            double size = Rate.inWireBytes(p.rate()) && RecordSizes.compressed(p.config())
                    ? wireBytesPerRecord(p, perSecond, window)
                    : logBytes;
            p.topics().forEach(t -> bytes.merge(t, all * size / p.topics().size(), Double::sum));
            produced += all;
            return warmup + time;
        }

        /** Where a thread waits for its records, a batch has no more of them than all threads of a client wait for. */
        private static double headerShare(ProducerSpec p) {
            if (p.send() instanceof SendMode.Async) {
                return 0;
            }
            double each = p.send() instanceof SendMode.FlushEvery f ? f.records() : 1;
            return BATCH_HEADER_BYTES / (each * p.threads());
        }

        private static double wireBytesPerRecord(ProducerSpec p, double perSecond, double window) {
            return mean(p.rate(), window, p.record(), 1) / Math.max(1e-9, perSecond);
        }

        private double unlimited(double logBytes) {
            int entries = Math.max(1, scenario.producers().size());
            if (published.produced() > 0) {
                return published.produced() / entries;
            }
            assumed = true;
            return Math.min(ASSUMED_RECORDS_PER_SECOND, ASSUMED_BYTES_PER_SECOND / logBytes) / entries;
        }

        /** Records a second; a rate in bytes is divided by the bytes of a record. */
        private static double mean(Rate rate, double window, RecordSpec record, double logBytes) {
            if (rate instanceof Rate.Constant c) {
                return perSecond(c.rate(), record, logBytes);
            } else if (rate instanceof Rate.Daily d) {
                return perSecond(d.mean(), record, logBytes);
            } else if (rate instanceof Rate.Ramp r) {
                double from = perSecond(r.from(), record, logBytes);
                double to = perSecond(r.to(), record, logBytes);
                double over = Math.min(seconds(r.over()), window);
                return window <= 0 ? to : (over * (from + to) / 2 + (window - over) * to) / window;
            }
            Rate.Steps s = (Rate.Steps) rate;
            double each = seconds(s.each());
            double last = perSecond(s.levels().get(s.levels().size() - 1), record, logBytes);
            double sum = 0;
            double at = 0;
            for (Quantity level : s.levels()) {
                double share = Math.max(0, Math.min(each, window - at));
                sum += share * perSecond(level, record, logBytes);
                at += each;
            }
            return window <= 0 ? last : (sum + Math.max(0, window - at) * last) / window;
        }

        private static double perSecond(Quantity q, RecordSpec record, double logBytes) {
            return switch (q.unit()) {
                case RECORDS -> q.value();
                case PAYLOAD_BYTES -> q.value() / Math.max(1, RecordSizes.contentBytes(record));
                case WIRE_BYTES -> q.value() / logBytes;
            };
        }

        private long readRecords() {
            boolean known =
                    scenario.consumers().stream().allMatch(c -> c.records().isPresent());
            return known
                    ? scenario.consumers().stream()
                            .mapToLong(c -> c.records().getAsLong() * c.groups())
                            .sum()
                    : -1;
        }

        private double consume(ConsumerSpec c) {
            if (c.records().isEmpty()) {
                return scenario.producers().isEmpty() ? seconds(scenario.duration()) : 0;
            }
            double records = (double) c.records().getAsLong() * c.groups();
            if (published.consumed() > 0) {
                return records / published.consumed();
            }
            assumed |= scenario.producers().isEmpty();
            return records / (2 * ASSUMED_RECORDS_PER_SECOND);
        }

        private static double seconds(Duration d) {
            return d.toNanos() / 1e9;
        }
    }

    /**
     * The throughputs that were published for a trial, in records a second.
     *
     * @param produced 0 if none was
     * @param consumed 0 if none was
     */
    private record PublishedRates(double produced, double consumed) {
        private static final Pattern NUMBER = Pattern.compile("\\d{1,3}(,\\d{3})+(\\.\\d+)?|\\d+(\\.\\d+)?");

        static PublishedRates of(Optional<Reference> reference, String trial) {
            List<Reference.Table> tables = reference.map(Reference::tables).orElse(List.of());
            return new PublishedRates(
                    rate(tables, trial, "produce.throughput"), rate(tables, trial, "consume.throughput"));
        }

        private static double rate(List<Reference.Table> tables, String trial, String figure) {
            for (Reference.Table table : tables) {
                for (int i = 0; i < table.columns().size(); i++) {
                    Reference.Column column = table.columns().get(i);
                    if (column.figure().equals(figure) && column.unit().equals("records/s")) {
                        int index = i;
                        OptionalDouble rate = table.rows().stream()
                                .filter(r ->
                                        r.trial().equals(trial) && r.values().get(index) != null)
                                .mapToDouble(r -> number(r.values().get(index)))
                                .filter(n -> n > 0)
                                .findFirst();
                        if (rate.isPresent()) {
                            return rate.getAsDouble();
                        }
                    }
                }
            }
            return 0;
        }

        private static double number(String text) {
            Matcher number = NUMBER.matcher(text);
            return number.find() ? Double.parseDouble(number.group().replace(",", "")) : 0;
        }
    }
}
