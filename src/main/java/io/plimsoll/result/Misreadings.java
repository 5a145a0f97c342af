package io.plimsoll.result;

import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Common errors of published load tests, detected in a trial: latency that is batching time, a topic that was not
 * empty, a stall, a slow broker, reads from the page cache. Pure.
 */
record Misreadings(TimelineEvent.TrialPlan plan, TrialResult trial, List<Sentence> texts) {
    private static final double EXPLAINS = 0.35;
    private static final double LEAST_FILL_MICROS = 5_000;
    private static final double STALLED = 0.5;
    private static final double MOST_STALLED = 0.25;
    /** Longest service time of a second after a stall, and how many times the usual one that is. */
    private static final double LEAST_STALL_MICROS = 500_000;

    private static final double MANY_FOLD = 5;
    private static final double LEAST_RECORDS_A_SECOND = 20;
    private static final double SLOWER = 1.5;
    private static final double LEAST_FLOW_SECONDS = 8;
    private static final long LEAST_FLOW_RECORDS = 1000;
    private static final double SAME_SIZE = 0.01;

    static List<Sentence> of(TimelineEvent.TrialPlan plan, TrialResult trial) {
        Misreadings misreadings = new Misreadings(plan, trial, new ArrayList<>());
        misreadings.batchFill();
        misreadings.lingeringSends();
        misreadings.dirtyTopics();
        misreadings.backlog();
        misreadings.cachedReads();
        misreadings.stalls();
        misreadings.slowBroker();
        return List.copyOf(misreadings.texts);
    }

    /** Records of a batch wait for the last of them: on average half of the time that the batch takes to fill. */
    private void batchFill() {
        TrialResult.Produce p = trial.produce();
        TimelineEvent.TrialIntent intent = plan.intent();
        boolean known = p != null
                && Boolean.FALSE.equals(p.schedule().closedLoop())
                && p.wire().recordsPerBatch() != null
                && p.times().serviceTime().mean() != null
                && intent.openBatches() > 0
                && p.volume().recordsPerSecond() > 0;
        if (!known) {
            return;
        }
        double perBatch = p.volume().recordsPerSecond() / intent.openBatches();
        double fillMicros = Math.min((p.wire().recordsPerBatch() - 1) / perBatch, intent.lingerMillis() / 1e3) * 1e6;
        // From the send: lateness of the generator is not batching time.
        double mean = p.times().serviceTime().mean();
        if (fillMicros / 2 >= LEAST_FILL_MICROS && waitsForBatch(mean, fillMicros)) {
            texts.add(Sentence.of(
                    "result.batchFill",
                    Units.micros(mean),
                    Units.rate(p.wire().recordsPerBatch()),
                    Units.rate(perBatch),
                    Units.count(intent.openBatches()),
                    Units.micros(fillMicros),
                    Units.count(intent.lingerMillis())));
        }
    }

    /**
     * Whether batching explains a mean time. If the client reports its request time, the rest was batching, and no
     * record waits longer than a batch takes to fill; records in bursts, as from a generator short of CPU, wait less
     * than half of that.
     */
    private boolean waitsForBatch(double mean, double fillMicros) {
        Double request = requestMicros();
        if (request == null) {
            return Math.abs(mean - fillMicros / 2) <= EXPLAINS * mean;
        }
        double inBatch = mean - request;
        return inBatch >= (1 - EXPLAINS) * mean && inBatch <= (1 + EXPLAINS) * fillMicros;
    }

    /** The mean time of a produce request, as the clients say; null if they do not. */
    private Double requestMicros() {
        double requests = 0;
        double micros = 0;
        // The entries for single brokers have the same requests once more, in the same proportions.
        for (Map<String, Double> client : trial.observed().clients().values()) {
            double count = client.containsKey("requestMs") ? client.getOrDefault("requests", 0.0) : 0;
            requests += count;
            micros += count * client.getOrDefault("requestMs", 0.0) * 1e3;
        }
        return requests > 0 ? Double.valueOf(micros / requests) : null;
    }

    /** With synchronous sends, batches do not fill, and records wait for linger.ms as well. */
    private void lingeringSends() {
        TrialResult.Produce p = trial.produce();
        long linger = plan.intent().lingerMillis();
        if (p == null
                || !plan.intent().synchronous()
                || linger == 0
                || p.times().serviceTime().mean() == null) {
            return;
        }
        double mean = p.times().serviceTime().mean();
        if (mean >= linger * 1e3 && linger * 1e3 >= (1 - EXPLAINS) * mean) {
            texts.add(Sentence.of("result.lingeringSends", Units.micros(mean), Units.count(linger) + " ms"));
        }
    }

    private void dirtyTopics() {
        plan.intent().recordsBefore().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> texts.add(
                        Sentence.of("result.dirtyTopic", e.getKey(), Units.count(e.getValue()), otherSize())));
    }

    private Sentence otherSize() {
        Consume c = trial.consume();
        double written = plan.producing().payloadBytesPerRecord();
        if (c == null || c.volume().records() == 0 || written == 0) {
            return Sentence.NONE;
        }
        double read = (double) c.volume().bytes() / c.volume().records();
        return Math.abs(read - written) <= SAME_SIZE * written
                ? Sentence.NONE
                : Sentence.of("result.otherSize", Units.bytes(read), Units.bytes(written));
    }

    private void backlog() {
        Backlog b = trial.consume() == null ? null : trial.consume().reading().backlog();
        if (b != null && !b.drained()) {
            texts.add(Sentence.of("result.backlogLeft", Units.count(b.records()), Units.duration(b.drainSeconds())));
        }
    }

    private void cachedReads() {
        Consume c = trial.consume();
        if (c != null && trial.produce() == null && c.groups().size() > 1) {
            texts.add(Sentence.of("result.cachedReads", c.groups().size()));
        }
    }

    private void stalls() {
        boolean produces = trial.produce() != null;
        List<Second> seconds = trial.measured().toList();
        if (seconds.size() < Steadiness.LEAST_SECONDS + 2) {
            return;
        }
        // Events before and after the window cut off the first and the last second.
        List<Second> inner = seconds.subList(1, seconds.size() - 1);
        boolean paced = trial.paced();
        ToDoubleFunction<Second> rate =
                s -> produces ? s.rates().produced() : s.rates().consumed();
        ToDoubleFunction<Second> share =
                s -> paced ? s.rates().produced() / Math.max(1, s.rates().offered()) : rate.applyAsDouble(s);
        double usual = Spread.median(inner.stream().mapToDouble(share).toArray());
        double usualRate = Spread.median(inner.stream().mapToDouble(rate).toArray());
        List<Second> stalled = inner.stream()
                .filter(s -> share.applyAsDouble(s) < STALLED * usual)
                .toList();
        if (usualRate < LEAST_RECORDS_A_SECOND) {
            return;
        }
        if (stalled.isEmpty() || stalled.size() > MOST_STALLED * inner.size()) {
            longWaits(inner);
            return;
        }
        Second worst = Collections.min(stalled, Comparator.comparingDouble(share));
        Long longest = produces ? worst.response().responseMax() : null;
        Sentence slowest = longest == null ? Sentence.NONE : Sentence.of("result.slowestThen", Units.micros(longest));
        long second = Math.round(worst.at());
        String then = Units.rate(rate.applyAsDouble(worst));
        String usually = Units.rate(usualRate);
        texts.add(
                stalled.size() == 1
                        ? Sentence.of("result.stall", second, then, usually, slowest)
                        : Sentence.of("result.stalls", stalled.size(), inner.size(), second, then, usually, slowest));
    }

    /**
     * A stall that no second's rate shows: it fell between two seconds, or the generator caught up. Records in flight
     * at that time were acknowledged late.
     */
    private void longWaits(List<Second> inner) {
        List<Second> answered =
                inner.stream().filter(s -> s.response().serviceMax() != null).toList();
        if (answered.size() < Steadiness.LEAST_SECONDS) {
            return;
        }
        ToDoubleFunction<Second> wait = s -> s.response().serviceMax();
        double usual = Spread.median(answered.stream().mapToDouble(wait).toArray());
        double least = Math.max(LEAST_STALL_MICROS, MANY_FOLD * usual);
        long after =
                answered.stream().filter(s -> wait.applyAsDouble(s) >= least).count();
        if (after > 0 && after <= MOST_STALLED * inner.size()) {
            Second worst = Collections.max(answered, Comparator.comparingDouble(wait));
            String longest = Units.micros(wait.applyAsDouble(worst));
            texts.add(Sentence.of("result.longWait", Math.round(worst.at()), longest, Units.micros(usual)));
        }
    }

    private void slowBroker() {
        Consume c = trial.consume();
        boolean reads = c != null && (trial.produce() == null || c.reading().backlog() != null);
        boolean named = trial.produce() != null
                && slowBroker("written", PartitionResult::produced, PartitionResult::producedPerSecond);
        if (reads && !named) {
            slowBroker("read", PartitionResult::consumed, PartitionResult::consumedPerSecond);
        }
    }

    /** @return whether there is one */
    private boolean slowBroker(
            String done, Function<PartitionResult, Long> count, Function<PartitionResult, Double> perSecond) {
        List<PartitionResult> flowing = trial.detail().partitions().stream()
                .filter(p -> p.leader() != null && p.leader() >= 0)
                .filter(p -> perSecond.apply(p) != null && count.apply(p) >= LEAST_FLOW_RECORDS)
                .toList();
        Map<Integer, Double> means = flowing.stream()
                .collect(Collectors.groupingBy(
                        PartitionResult::leader, TreeMap::new, Collectors.averagingDouble(perSecond::apply)));
        boolean enough = flowing.stream().anyMatch(p -> count.apply(p) / perSecond.apply(p) >= LEAST_FLOW_SECONDS);
        if (means.size() < 2 || !enough) {
            return false;
        }
        int slowest =
                Collections.min(means.entrySet(), Map.Entry.comparingByValue()).getKey();
        double slow = means.remove(slowest);
        double others = Spread.mean(means.values().stream().mapToDouble(r -> r).toArray());
        if (others < SLOWER * slow) {
            return false;
        }
        Sentence keys = plan.intent().keyed() ? Sentence.of("result.orKeys") : Sentence.NONE;
        texts.add(Sentence.of("result.slowBroker." + done, slowest, Units.rate(slow), Units.rate(others), keys));
        return true;
    }
}
