package io.plimsoll.result;

import io.plimsoll.measure.SteadyLoad;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Remarks that affect the interpretation of a trial's figures, most important first. They are followed by common errors
 * of published load tests: latency that is mostly batching time, a topic that was not empty, a stall, a slow broker,
 * reads from the page cache. Pure.
 */
record Warnings(TrialPlan plan, TrialResult trial, List<Sentence> texts) {
    private static final int MOST_KINDS = 3;
    /** Minimum share of missing records that is reported. */
    private static final double WORTH_A_WORD = 0.005;

    private static final double BUFFER_EXPLAINS = 0.25;
    static final double SHORT_SECONDS = 5;
    private static final double NEARLY_CONSTANT = 0.1;
    /** Share of the produced records below which deletions are ignored, because records can be deleted while they are counted. */
    private static final double DELETED = 0.01;

    /** Ratio of the median latency to the clock error above which the clock error is not reported. */
    private static final int CLOCKS_MATTER = 10;

    private static final double EXPLAINS = 0.35;
    private static final double LEAST_FILL_MICROS = 5_000;
    private static final double STALLED = 0.5;
    private static final double MOST_STALLED = 0.25;
    /** Minimum service time in microseconds that indicates a stall. */
    private static final double LEAST_STALL_MICROS = 500_000;

    private static final double MANY_FOLD = 5;
    private static final double LEAST_RECORDS_A_SECOND = 20;
    private static final double SLOWER = 1.5;
    private static final double LEAST_FLOW_SECONDS = 8;
    private static final long LEAST_FLOW_RECORDS = 1000;
    private static final double SAME_SIZE = 0.01;

    static List<Sentence> of(TrialPlan plan, TrialResult trial) {
        Warnings warnings = new Warnings(plan, trial, new ArrayList<>());
        warnings.window();
        warnings.audit();
        if (trial.produce() != null) {
            warnings.produce(trial.produce());
        }
        if (trial.consume() != null) {
            warnings.consume(trial.consume());
        }
        if (trial.observed().generator() != null) {
            warnings.generator(trial.observed().generator());
        }
        warnings.warmup();
        Sentences.FaultSentences.noBaseline(trial).ifPresent(warnings.texts::add);
        warnings.steadiness();
        warnings.batchFill();
        warnings.lingeringSends();
        warnings.dirtyTopics();
        warnings.unreadBacklog();
        warnings.cachedReads();
        warnings.stalls();
        warnings.slowBroker();
        return List.copyOf(warnings.texts);
    }

    private void say(String key, Object... arguments) {
        texts.add(Sentence.of(key, arguments));
    }

    private void window() {
        double seconds = trial.course().measuredSeconds();
        if (!trial.course().complete()) {
            say("result.didNotEnd", Units.duration(seconds));
        } else if (seconds < SHORT_SECONDS) {
            say("result.shortWindow", Units.duration(seconds));
        }
    }

    private void audit() {
        AuditResult audit = trial.audit();
        if (audit != null && !audit.complete()) {
            long acknowledged = audit.counts().acknowledged();
            say("result.notAllAudited", Units.count(audit.counts().read()), Units.count(acknowledged));
        }
    }

    private void produce(Produce p) {
        Double offered = p.schedule().offeredRecordsPerSecond();
        if (offered != null && offered > 0) {
            achieved(Sums.orZero(p.volume().recordsPerSecond()), offered);
        }
        advise("producing", p.errors());
        left(p.schedule().unacknowledged(), "result.neverAcknowledged");
        left(p.schedule().unsent(), "result.neverSent");
        buffer(p);
        fewSamples(p);
        Double ratio = p.wire().compressionRatio();
        if (ratio != null && ratio < NEARLY_CONSTANT) {
            say("result.constantPayload", Units.percent(ratio));
        }
    }

    /** Compares rates in records per second. */
    private void achieved(double carried, double offered) {
        double achieved = carried / offered;
        if (achieved < GeneratorLimit.ACHIEVED) {
            say("result.backlogGrew", Units.about(offered), Units.about(carried), Units.percent(achieved));
        }
        if (ProduceFigures.aboveOffered(carried, offered)) {
            long above = Math.round((carried - offered) * trial.course().measuredSeconds());
            say("result.aboveOffered", Units.about(carried), Units.about(offered), Units.count(above));
        }
    }

    private void left(@Nullable Long records, String key) {
        if (records != null && records > 0) {
            say(key, Units.count(records));
        }
    }

    /** Warns that, in a closed loop, latency is mostly time in the producer's buffer (Little's law: time = bytes ÷ rate). */
    private void buffer(Produce p) {
        Double mean = mean(p.times().responseTime());
        double rate = Sums.orZero(p.volume().bytesPerSecond());
        long buffer = plan.producing().bufferMemoryBytes();
        if (!Boolean.TRUE.equals(p.schedule().closedLoop()) || mean == null || rate <= 0) {
            return;
        }
        double explainedMicros = buffer / rate * 1e6;
        if (buffer > 0 && Math.abs(mean - explainedMicros) <= BUFFER_EXPLAINS * explainedMicros) {
            int clients = plan.producing().producerClients();
            say("result.ownBuffer", Units.micros(mean), clients, Units.configuredBytes(buffer), Units.byteRate(rate));
        }
    }

    private void fewSamples(Produce p) {
        TrialResult.Latency response = p.times().responseTime();
        long count = response == null ? 0 : response.count();
        if (Statistic.P99.of(response) == null && count > 0) {
            say("result.fewSamples", Units.count(count));
        }
        boolean none = Sums.orZero(p.volume().recordsPerSecond()) == 0;
        if (count == 0 && none && trial.course().measuredSeconds() > 0) {
            say("result.noneAcknowledged");
        }
    }

    private void consume(TrialResult.Consume c) {
        advise("consuming", c.errors());
        TrialResult.EndToEnd times = c.times();
        left(times.neverReceived(), "result.neverReceived");
        Long early = times.negativeEndToEnd();
        if (early != null && early > 0) {
            texts.add(
                    "intended time".equals(times.timestampType())
                            ? Sentence.of("result.beforeDue", Units.count(early))
                            : Sentence.of("result.beforeTimestamp", Units.count(early), times.timestampType()));
        }
        clocks(times);
        fromAppend(times.fromAppend());
        lag(c);
    }

    /** Reports the clock error of a fleet if it is significant. */
    private void clocks(TrialResult.EndToEnd times) {
        Double error = times.clockErrorMicros();
        Number median = Statistic.P50.of(times.endToEnd());
        if (error == null
                || times.endToEnd() == null
                || times.endToEnd().count() == 0
                || (median != null && median.doubleValue() > CLOCKS_MATTER * error)) {
            return;
        }
        Number own = Statistic.P50.of(times.ownEndToEnd());
        Sentence byOne =
                own == null ? Sentence.NONE : Sentence.of("result.byOneClock", Units.micros(own.doubleValue()));
        say("result.clocks", Units.micros(error), byOne);
    }

    /** Reports the error of the brokers' clocks if records contain append times. */
    private void fromAppend(FromAppend f) {
        if (f.endToEndFromAppend() == null) {
            return;
        }
        left(f.negativeFromAppend(), "result.beforeAppend");
        Double error = f.appendClockErrorMicros();
        if (error == null) {
            say("result.appendClockUnknown");
        } else if (f.fromAppendUnknown() != null) {
            say("result.appendClocks", Units.micros(error));
        }
    }

    private void lag(TrialResult.Consume c) {
        Long atEnd = ConsumeFigures.lagAtEnd(c.groups());
        for (TrialResult.Group group : c.groups()) {
            GroupPace pace = group.pace();
            if (pace != null && pace.isBehind()) {
                double produced = pace.receivedPerSecond() + pace.behindPerSecond();
                say("result.fellBehind", group.id(), Units.about(pace.receivedPerSecond()), Units.about(produced));
            }
        }
        int unread = ReadGaps.partitions(trial);
        if (unread > 0) {
            say("result.unreadPartitions", unread, Units.percent(ReadGaps.share(trial)));
        }
        double deleted = ReadGaps.deleted(trial);
        if (deleted > DELETED) {
            say("result.deletedUnread", Units.percent(deleted));
        }
        boolean ended = trial.course().complete() && c.reading().asked() == null;
        if (atEnd != null && atEnd > 0 && ended) {
            say("result.leftToRead", Units.count(atEnd));
        }
    }

    private void generator(Generator g) {
        Generator.Ticks woke = g.wakeUps();
        if (g.limited() && g.calibratedShare() != null && g.calibratedShare() > GeneratorLimit.CALIBRATED) {
            calibrated(g.calibratedShare());
        } else if (g.limited()) {
            Generator.BusiestThread busiest = g.cpu().busiestThread();
            Sentence why = busiest != null && busiest.share() >= GeneratorLimit.BUSY_THREAD
                    ? Sentence.of("result.busyThread", busiest.name(), Units.percent(busiest.share()))
                    : ownPart(g.part());
            // Without a reason to report, the sentence is omitted.
            kept(why, g.part()).ifPresent(reason -> say("result.generatorLimit", reason));
        } else if (g.part().responseShare() != null && woke.lateTicks() > GeneratorLimit.LATE_TICKS * woke.ticks()) {
            String late = Units.percent((double) woke.lateTicks() / woke.ticks());
            kept(ownPart(g.part()), g.part()).ifPresent(reason -> say("result.generatorLate", late, reason));
        }
    }

    /** Adds the time in which the process did not run to a reason, if that time is significant. */
    private static Optional<Sentence> kept(@Nullable Sentence why, Generator.Part part) {
        Generator.Kept kept = part.keptFromRunning();
        if (kept == null || Math.max(kept.stoodShare(), kept.starvedShare()) < GeneratorLimit.STOOD) {
            return Optional.ofNullable(why);
        }
        Sentence stood = kept.stoodShare() >= kept.starvedShare()
                ? Sentence.of("result.stood", Units.percent(kept.stoodShare()))
                : Sentence.of("result.starved", Units.percent(kept.starvedShare()));
        return Optional.of(why == null ? stood : Sentence.of("result.both", why, stood));
    }

    private static @Nullable Double mean(TrialResult.@Nullable Latency times) {
        return times == null ? null : times.mean();
    }

    /** The generator's share of the response time and of the missing records; null if unknown. */
    private @Nullable Sentence ownPart(Generator.Part part) {
        Double share = part.responseShare();
        Double mean =
                trial.produce() == null ? null : mean(trial.produce().times().responseTime());
        if (share == null || mean == null) {
            return null;
        }
        Sentence slow = Sentence.of("result.ownDelay", Units.micros(share * mean), Units.micros(mean));
        return part.missingShare() == null || part.missingShare() < WORTH_A_WORD
                ? slow
                : Sentence.of("result.ownPart", slow, Units.percent(part.missingShare()));
    }

    private void calibrated(double share) {
        boolean kept = Boolean.TRUE.equals(trial.course().valid()) && trial.paced();
        Sentence then = Sentence.of(kept ? "result.allSent" : "result.maybeItsLimit");
        say("result.nearCalibrated", Units.percent(share), Units.percent(GeneratorLimit.CALIBRATED), then);
    }

    private void warmup() {
        WarmupResult warmup = trial.course().warmup();
        if (warmup != null && WarmupResult.AT_MOST.equals(warmup.ended())) {
            List<Sentence> moving = warmup.moving().stream()
                    .map(figure -> Sentence.term("result.moving.", figure))
                    .toList();
            say("result.warmupNotSteady", Units.duration(warmup.seconds()), moving);
        }
    }

    private void steadiness() {
        // A trial with faults is not expected to be steady.
        if (Boolean.FALSE.equals(trial.course().steady())
                && trial.detail().faults().isEmpty()) {
            double spread = Spread.coefficientOfVariation(
                    trial.measured().mapToDouble(trial::rate).toArray());
            Sentence what = spread > SteadyLoad.THROUGHPUT_SPREAD
                    ? Sentence.of("result.varies", Units.percent(spread))
                    : Sentence.of("result.drifted");
            say("result.notSteady", what);
        }
    }

    /** Reports the most frequent kinds of errors of {@code producing} or {@code consuming}, one sentence each. */
    private void advise(String doing, TrialResult.@Nullable Errors errors) {
        if (errors == null) {
            return;
        }
        errors.byKind().entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_KINDS)
                .forEach(e -> say("result.errors." + doing, Units.count(e.getValue()), ErrorAdvice.of(e.getKey())));
        long kinds = errors.byKind().values().stream().filter(n -> n > 0).count();
        if (kinds > MOST_KINDS) {
            say("result.moreKinds." + doing, kinds - MOST_KINDS);
        }
    }

    /**
     * Warns that latency is batch fill time: on average, a record waits half of the time that its batch takes to fill.
     */
    private void batchFill() {
        TrialResult.Produce p = trial.produce();
        if (p == null || !trial.paced() || plan.intent().openBatches() <= 0) {
            return;
        }
        Double records = p.wire().recordsPerBatch();
        double perBatch =
                Sums.orZero(p.volume().recordsPerSecond()) / plan.intent().openBatches();
        // Measured from the send, because lateness of the generator is not batching time.
        Double mean = mean(p.times().serviceTime());
        if (records != null && perBatch > 0 && mean != null) {
            batchFill(records, perBatch, mean);
        }
    }

    /** @param perBatch records per second in each open batch */
    private void batchFill(double records, double perBatch, double mean) {
        TimelineEvent.TrialIntent intent = plan.intent();
        double fillMicros = Math.min((records - 1) / perBatch, intent.lingerMillis() / 1e3) * 1e6;
        if (fillMicros / 2 >= LEAST_FILL_MICROS && waitsForBatch(mean, fillMicros)) {
            say(
                    "result.batchFill",
                    Units.micros(mean),
                    Units.rate(records),
                    Units.rate(perBatch),
                    Units.count(intent.openBatches()),
                    Units.micros(fillMicros),
                    Units.count(intent.lingerMillis()));
        }
    }

    /**
     * Whether batching explains a mean service time. If the client reports its request time, the remaining time was
     * batching. No record waits longer than a batch takes to fill; records in bursts, as from a generator short of CPU,
     * wait less than half of this time.
     */
    private boolean waitsForBatch(double mean, double fillMicros) {
        Double request = requestMicros();
        if (request == null) {
            return Math.abs(mean - fillMicros / 2) <= EXPLAINS * mean;
        }
        double inBatch = mean - request;
        return inBatch >= (1 - EXPLAINS) * mean && inBatch <= (1 + EXPLAINS) * fillMicros;
    }

    /** The mean time of a produce request, as reported by the clients; null if unknown. */
    private @Nullable Double requestMicros() {
        double requests = 0;
        double micros = 0;
        // Entries of single brokers repeat the same requests in the same proportions, so the mean stays the same.
        for (Map<String, Double> client : trial.observed().clients().values()) {
            double count = client.containsKey("requestMs") ? client.getOrDefault("requests", 0.0) : 0;
            requests += count;
            micros += count * client.getOrDefault("requestMs", 0.0) * 1e3;
        }
        return requests > 0 ? Double.valueOf(micros / requests) : null;
    }

    /** Warns that, with synchronous sends, batches do not fill, and each record waits for linger.ms. */
    private void lingeringSends() {
        TrialResult.Produce p = trial.produce();
        Double mean = p == null ? null : mean(p.times().serviceTime());
        long linger = plan.intent().lingerMillis();
        if (mean == null || !plan.intent().synchronous() || linger == 0) {
            return;
        }
        if (mean >= linger * 1e3 && linger * 1e3 >= (1 - EXPLAINS) * mean) {
            say("result.lingeringSends", Units.micros(mean), Units.count(linger) + " ms");
        }
    }

    private void dirtyTopics() {
        plan.intent().recordsBefore().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> say("result.dirtyTopic", e.getKey(), Units.count(e.getValue()), otherSize()));
    }

    private Sentence otherSize() {
        Double read = trial.consume() == null ? null : trial.consume().volume().bytesPerRecord();
        double written = plan.producing().payloadBytesPerRecord();
        if (read == null || written == 0) {
            return Sentence.NONE;
        }
        return Math.abs(read - written) <= SAME_SIZE * written
                ? Sentence.NONE
                : Sentence.of("result.otherSize", Units.bytes(read), Units.bytes(written));
    }

    private void unreadBacklog() {
        Backlog b = trial.consume() == null ? null : trial.consume().reading().backlog();
        if (b != null && !b.drained()) {
            say("result.backlogLeft", Units.count(b.records()), Units.duration(b.drainSeconds()));
        }
    }

    private void cachedReads() {
        Consume c = trial.consume();
        if (c != null && trial.produce() == null && c.groups().size() > 1) {
            say("result.cachedReads", c.groups().size());
        }
    }

    private void stalls() {
        boolean produces = trial.produce() != null;
        List<Second> seconds = trial.measured().toList();
        if (seconds.size() < Steadiness.LEAST_SECONDS + 2) {
            return;
        }
        // The start and the end of the window can shorten the first and the last second.
        List<Second> inner = seconds.subList(1, seconds.size() - 1);
        boolean paced = trial.paced();
        ToDoubleFunction<Second> share = s ->
                paced ? s.rates().produced() / Math.max(1, Sums.orZero(s.rates().offered())) : trial.rate(s);
        double usual = Spread.median(inner.stream().mapToDouble(share).toArray());
        double usualRate = Spread.median(inner.stream().mapToDouble(trial::rate).toArray());
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
        String then = Units.rate(trial.rate(worst));
        String usually = Units.rate(usualRate);
        texts.add(
                stalled.size() == 1
                        ? Sentence.of("result.stall", second, then, usually, slowest)
                        : Sentence.of("result.stalls", stalled.size(), inner.size(), second, then, usually, slowest));
    }

    /**
     * Reports a stall that is not visible in the rate of any second, because it spread over two seconds or the load
     * caught up. It is visible in the service time: records in flight at that time were acknowledged late.
     */
    private void longWaits(List<Second> inner) {
        List<Second> answered =
                inner.stream().filter(s -> s.response().serviceMax() != null).toList();
        if (answered.size() < Steadiness.LEAST_SECONDS) {
            return;
        }
        ToDoubleFunction<Second> wait = s -> Sums.orZero(s.response().serviceMax());
        double usual = Spread.median(answered.stream().mapToDouble(wait).toArray());
        double least = Math.max(LEAST_STALL_MICROS, MANY_FOLD * usual);
        long after =
                answered.stream().filter(s -> wait.applyAsDouble(s) >= least).count();
        if (after > 0 && after <= MOST_STALLED * inner.size()) {
            Second worst = Collections.max(answered, Comparator.comparingDouble(wait));
            String longest = Units.micros(wait.applyAsDouble(worst));
            say("result.longWait", Math.round(worst.at()), longest, Units.micros(usual));
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

    /** @return whether a slow broker was found */
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
        say("result.slowBroker." + done, slowest, Units.rate(slow), Units.rate(others), keys);
        return true;
    }
}
