package io.plimsoll.result;

import io.plimsoll.measure.SteadyLoad;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Remarks that affect the interpretation of a trial's figures, most important first. Pure. */
record Warnings(TimelineEvent.TrialPlan plan, TrialResult trial, List<Sentence> texts) {
    private static final int MOST_KINDS = 3;
    /** Less rounds to 0 %. */
    private static final double WORTH_A_WORD = 0.005;

    private static final double BUFFER_EXPLAINS = 0.25;
    static final double SHORT_SECONDS = 5;
    private static final double NEARLY_CONSTANT = 0.1;
    /** Share of the produced records below which deletions are ignored: records can be deleted during the count. */
    private static final double DELETED = 0.01;

    /** An error that is small against the median is not worth a word. */
    private static final int CLOCKS_MATTER = 10;

    static List<Sentence> of(TimelineEvent.TrialPlan plan, TrialResult trial) {
        Warnings warnings = new Warnings(plan, trial, new ArrayList<>());
        warnings.window();
        warnings.audit();
        if (trial.produce() != null) {
            warnings.produce(trial.produce());
        }
        if (trial.consume() != null) {
            warnings.consume(trial.consume());
        }
        warnings.generator(trial.observed().generator());
        warnings.warmup();
        FaultSentences.noBaseline(trial).ifPresent(warnings.texts::add);
        warnings.steadiness();
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
        Double achieved = ProduceFigures.achieved(p);
        Double offered = p.schedule().offeredRecordsPerSecond();
        double carried = p.volume().recordsPerSecond();
        if (achieved != null && achieved < GeneratorLimit.ACHIEVED) {
            say("result.backlogGrew", Units.about(offered), Units.about(carried), Units.percent(achieved));
        }
        if (ProduceFigures.aboveOffered(p)) {
            long above = Math.round((carried - offered) * trial.course().measuredSeconds());
            say("result.aboveOffered", Units.about(carried), Units.about(offered), Units.count(above));
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

    private void left(long records, String key) {
        if (records > 0) {
            say(key, Units.count(records));
        }
    }

    /** In a closed loop a record's time is spent in the producer's own queue (Little's law: time = bytes ÷ rate). */
    private void buffer(Produce p) {
        Double mean = p.times().responseTime().mean();
        double rate = p.volume().bytesPerSecond();
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
        long count = p.times().responseTime().count();
        if (p.times().responseTime().percentiles().p99() == null && count > 0) {
            say("result.fewSamples", Units.count(count));
        }
        if (count == 0 && p.volume().recordsPerSecond() == 0 && trial.course().measuredSeconds() > 0) {
            say("result.noneAcknowledged");
        }
    }

    private void consume(TrialResult.Consume c) {
        advise("consuming", c.errors());
        TrialResult.EndToEnd times = c.times();
        left(times.neverReceived(), "result.neverReceived");
        String records = Units.count(times.negativeEndToEnd());
        if (times.negativeEndToEnd() > 0 && "intended time".equals(times.timestampType())) {
            say("result.beforeDue", records);
        } else if (times.negativeEndToEnd() > 0) {
            say("result.beforeTimestamp", records, times.timestampType());
        }
        clocks(times);
        fromAppend(times.fromAppend());
        lag(c);
    }

    /** Tells how well the clocks of a fleet are known, where that matters. */
    private void clocks(TrialResult.EndToEnd times) {
        Double error = times.clockErrorMicros();
        Long median = p50(times.endToEnd());
        boolean small = error == null
                || times.endToEnd() == null
                || times.endToEnd().count() == 0
                || (median != null && median > CLOCKS_MATTER * error);
        if (!small) {
            Long own = p50(times.ownEndToEnd());
            Sentence byOne = own == null ? Sentence.NONE : Sentence.of("result.byOneClock", Units.micros(own));
            say("result.clocks", Units.micros(error), byOne);
        }
    }

    private static Long p50(TrialResult.Latency latency) {
        return latency == null ? null : latency.percentiles().p50();
    }

    /** Tells how well brokers' clocks are known, where records carry their times. */
    private void fromAppend(FromAppend f) {
        if (f.endToEndFromAppend() == null) {
            return;
        }
        if (f.negativeFromAppend() > 0) {
            say("result.beforeAppend", Units.count(f.negativeFromAppend()));
        }
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
            boolean busy = busiest != null && busiest.share() >= GeneratorLimit.BUSY_THREAD;
            Sentence why = busy
                    ? Sentence.of("result.busyThread", busiest.name(), Units.percent(busiest.share()))
                    : g.part().responseShare() == null ? null : ownPart(g.part());
            Sentence reason = kept(why, g.part());
            // Where nothing has an answer yet, that is all there is to say.
            if (reason != null) {
                say("result.generatorLimit", reason);
            }
        } else if (g.part().responseShare() != null && woke.lateTicks() > GeneratorLimit.LATE_TICKS * woke.ticks()) {
            String late = Units.percent((double) woke.lateTicks() / woke.ticks());
            say("result.generatorLate", late, kept(ownPart(g.part()), g.part()));
        }
    }

    /** Adds to a reason for how long the process did not run, if that is worth a word. */
    private static Sentence kept(Sentence why, Generator.Part part) {
        Generator.Kept kept = part.keptFromRunning();
        if (kept == null || Math.max(kept.stoodShare(), kept.starvedShare()) < GeneratorLimit.STOOD) {
            return why;
        }
        Sentence stood = kept.stoodShare() >= kept.starvedShare()
                ? Sentence.of("result.stood", Units.percent(kept.stoodShare()))
                : Sentence.of("result.starved", Units.percent(kept.starvedShare()));
        return why == null ? stood : Sentence.of("result.both", why, stood);
    }

    /** The generator's share of missing or slow records. */
    private Sentence ownPart(Generator.Part part) {
        double mean = trial.produce().times().responseTime().mean();
        Sentence slow = Sentence.of("result.ownDelay", Units.micros(part.responseShare() * mean), Units.micros(mean));
        return part.missingShare() == null || part.missingShare() < WORTH_A_WORD
                ? slow
                : Sentence.of("result.ownPart", slow, Units.percent(part.missingShare()));
    }

    private void calibrated(double share) {
        boolean kept = trial.course().valid() && trial.paced();
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
            ToDoubleFunction<TrialResult.Second> rate = s ->
                    trial.produce() == null ? s.rates().consumed() : s.rates().produced();
            double spread = Spread.coefficientOfVariation(
                    trial.measured().mapToDouble(rate).toArray());
            Sentence what = spread > SteadyLoad.THROUGHPUT_SPREAD
                    ? Sentence.of("result.varies", Units.percent(spread))
                    : Sentence.of("result.drifted");
            say("result.notSteady", what);
        }
    }

    /** Tells of the most frequent kinds, one sentence each, of {@code producing} or {@code consuming}. */
    private void advise(String doing, TrialResult.Errors errors) {
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
}
