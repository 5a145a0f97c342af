package io.plimsoll.result;

import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Generator;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.stats.Spread;
import io.plimsoll.stats.Trend;
import java.util.ArrayList;
import java.util.List;

/**
 * What a reader of a trial's figures must know not to be misled by them, in plain words, weightiest first. Pure.
 */
final class Warnings {
    private static final double BUFFER_EXPLAINS = 0.25;
    private static final double SHORT_SECONDS = 5;
    private static final double NEARLY_CONSTANT = 0.1;
    private static final double SIGNIFICANT = 1.96;
    private static final double LAG_SECONDS = 1;
    private static final int MOST_BUCKETS = 300;

    private final TrialPlan plan;
    private final TrialResult trial;
    private final List<String> texts = new ArrayList<>();

    /** An error that is small against the median is not worth a word. */
    private static final int CLOCKS_MATTER = 10;

    private Warnings(TrialPlan plan, TrialResult trial) {
        this.plan = plan;
        this.trial = trial;
    }

    static List<String> of(TrialPlan plan, TrialResult trial) {
        Warnings warnings = new Warnings(plan, trial);
        warnings.window();
        warnings.audit();
        if (trial.produce() != null) {
            warnings.produce(trial.produce());
        }
        if (trial.consume() != null) {
            warnings.consume(trial.consume());
        }
        warnings.generator(trial.observed().generator());
        warnings.steadiness();
        return List.copyOf(warnings.texts);
    }

    private void window() {
        if (!trial.course().complete()) {
            texts.add("The trial did not end: the figures are those of its first "
                    + Units.duration(trial.course().measuredSeconds()) + " of measuring.");
        } else if (trial.course().measuredSeconds() < SHORT_SECONDS) {
            texts.add("Only " + Units.duration(trial.course().measuredSeconds())
                    + " were measured: connections, caches and the JIT compiler weigh heavily in so short a window;"
                    + " raise records or duration.");
        }
    }

    private void audit() {
        AuditResult audit = trial.audit();
        if (audit != null && !audit.complete()) {
            texts.add("Not everything could be audited: "
                    + Units.count(audit.counts().read()) + " of "
                    + Units.count(audit.counts().acknowledged()) + " acknowledged records were found.");
        }
    }

    private void produce(Produce p) {
        Double achieved = Figure.achieved(p);
        if (achieved != null && achieved < GeneratorFold.ACHIEVED) {
            texts.add("Offered " + Units.about(p.schedule().offeredRecordsPerSecond()) + " records/s, achieved "
                    + Units.about(p.volume().recordsPerSecond()) + " (" + Units.percent(achieved)
                    + "): the backlog grew; response times include it.");
        }
        ErrorAdvice.of("producing", p.errors(), texts::add);
        left(p.schedule().unacknowledged(), "was", "were", "never acknowledged");
        left(p.schedule().unsent(), "was due but", "were due but", "never sent");
        buffer(p);
        fewSamples(p);
        Double ratio = p.wire().compressionRatio();
        if (ratio != null && ratio < NEARLY_CONSTANT) {
            texts.add("Records shrink to " + Units.percent(ratio)
                    + " of their size: the payload is nearly constant and real data will be slower; use payload: random"
                    + " with a randomBytesRatio like that of your data.");
        }
    }

    private void left(long records, String one, String many, String what) {
        if (records > 0) {
            texts.add(Units.count(records) + (records == 1 ? " record " + one : " records " + many) + " " + what
                    + "; counted in the response times with the time waited so far.");
        }
    }

    /** In a closed loop a record's time is spent in the producer's own queue (Little's law: time = bytes ÷ rate). */
    private void buffer(Produce p) {
        if (!p.schedule().closedLoop()
                || p.times().responseTime().mean() == null
                || p.volume().bytesPerSecond() <= 0) {
            return;
        }
        double explainedMicros =
                plan.producing().bufferMemoryBytes() / p.volume().bytesPerSecond() * 1e6;
        double mean = p.times().responseTime().mean();
        if (plan.producing().bufferMemoryBytes() > 0
                && Math.abs(mean - explainedMicros) <= BUFFER_EXPLAINS * explainedMicros) {
            String whose = plan.producing().producerClients() == 1 ? "the producer's " : "the producers' ";
            texts.add("Average response " + Units.micros(mean) + " is " + whose
                    + Units.configuredBytes(plan.producing().bufferMemoryBytes()) + " buffer at "
                    + Units.byteRate(p.volume().bytesPerSecond()) + ", not Kafka: give a rate to measure latency.");
        }
    }

    private void fewSamples(Produce p) {
        long count = p.times().responseTime().count();
        if (p.times().responseTime().percentiles().p99() == null && count > 0) {
            texts.add("Too few records for a p99 (" + Units.count(count)
                    + " of at least 1,000): raise records, rate or duration.");
        }
        if (count == 0 && trial.course().measuredSeconds() > 0) {
            texts.add("No record was acknowledged in the measured window.");
        }
    }

    private void consume(Consume c) {
        ErrorAdvice.of("consuming", c.errors(), texts::add);
        if (c.times().negativeEndToEnd() > 0) {
            texts.add(Units.count(c.times().negativeEndToEnd())
                    + (c.times().negativeEndToEnd() == 1 ? " record seems" : " records seem")
                    + " to have arrived before " + sourceOf(c)
                    + ": clocks disagree, so end-to-end latencies are off by at least as much.");
        }
        clocks(c);
        lag(c);
    }

    /** Of the hosts of a fleet, where what they leave open matters. */
    private void clocks(Consume c) {
        boolean small = c.times().clockErrorMicros() == null
                || c.times().endToEnd() == null
                || c.times().endToEnd().count() == 0
                || (c.times().endToEnd().percentiles().p50() != null
                        && c.times().endToEnd().percentiles().p50()
                                > CLOCKS_MATTER * c.times().clockErrorMicros());
        if (!small) {
            String own = c.times().ownEndToEnd() == null
                            || c.times().ownEndToEnd().percentiles().p50() == null
                    ? ""
                    : ". What an agent wrote and read again itself took "
                            + Units.micros(c.times().ownEndToEnd().percentiles().p50())
                            + " in the median, by one clock";
            texts.add("The clocks of the agents are known to ±"
                    + Units.micros(c.times().clockErrorMicros())
                    + " against each other: end-to-end latencies are that uncertain, and what is less is not shown"
                    + own
                    + ".");
        }
    }

    private static String sourceOf(Consume c) {
        return "intended time".equals(c.times().timestampType())
                ? "they were due"
                : "their " + c.times().timestampType();
    }

    private void lag(Consume c) {
        Long atEnd = Figure.lagAtEnd(c);
        double[] lags = trial.detail().seconds().stream()
                .filter(s -> "measure".equals(s.phase()) && s.lag() != null)
                .mapToDouble(Second::lag)
                .toArray();
        double[] buckets = Trend.coarsen(lags, MOST_BUCKETS);
        double growth = Trend.theilSenSlope(buckets) * buckets.length;
        boolean grew = lags.length >= Steadiness.LEAST_SECONDS
                && Trend.mannKendallZ(buckets) > SIGNIFICANT
                && growth > LAG_SECONDS * Math.max(1, c.volume().recordsPerSecond());
        if (grew) {
            texts.add("Consumers did not keep up: their lag grew from " + Units.count((long) lags[0]) + " to "
                    + Units.count((long) lags[lags.length - 1]) + " records while measuring; end-to-end latency grows"
                    + " with it.");
        }
        if (atEnd != null
                && atEnd > 0
                && trial.course().complete()
                && c.reading().asked() == null) {
            texts.add("Consumers had " + Units.count(atEnd) + (atEnd == 1 ? " record" : " records")
                    + " left to read when the trial ended.");
        }
    }

    private void generator(Generator g) {
        if (!g.limited()) {
            return;
        }
        if (g.calibratedShare() != null && g.calibratedShare() > GeneratorFold.CALIBRATED) {
            calibrated(g.calibratedShare());
            return;
        }
        boolean late =
                g.wakeUps().lateTicks() > GeneratorFold.LATE_TICKS * g.wakeUps().ticks()
                        && trial.produce() != null
                        && !trial.produce().schedule().closedLoop();
        String why = late
                ? Units.percent((double) g.wakeUps().lateTicks() / g.wakeUps().ticks())
                        + " of its wake-ups were more than 1 ms late"
                : "thread " + g.cpu().busiestThread().name() + " used "
                        + Units.percent(g.cpu().busiestThread().share()) + " of a core";
        texts.add(
                trial.course().valid() && late
                        ? "The load generator was late at times: " + why
                                + "; a part of the send delays and response times is its own."
                        : "The load generator was the limit: " + why
                                + "; the cluster may carry more; add clients or threads, or use a faster host.");
    }

    private void calibrated(double share) {
        boolean kept = trial.course().valid()
                && trial.produce() != null
                && !trial.produce().schedule().closedLoop();
        String consequence = kept
                ? "all that was offered was sent, but send delays and response times are partly its own"
                : "the figures may be its limit instead of the cluster's, which may carry more";
        texts.add("The load generator was near its own limit: it did " + Units.percent(share)
                + " of what it is calibrated for on this host, where up to "
                + Units.percent(GeneratorFold.CALIBRATED) + " are safe; " + consequence
                + "; add clients or hosts, or use the raw engine.");
    }

    private void steadiness() {
        // Nobody expects a trial to be steady in which something is made to fail.
        if (Boolean.FALSE.equals(trial.course().steady())
                && trial.detail().faults().isEmpty()) {
            double[] rates = trial.detail().seconds().stream()
                    .filter(s -> "measure".equals(s.phase()))
                    .mapToDouble(s -> trial.produce() == null
                            ? s.rates().consumed()
                            : s.rates().produced())
                    .toArray();
            double spread = Spread.coefficientOfVariation(rates);
            String what = spread > Steadiness.THROUGHPUT_SPREAD
                    ? "records/s vary by " + Units.percent(spread) + " from second to second"
                    : "throughput or response time drifted within the window";
            texts.add("Not steady: " + what + "; a longer warm-up or a lower rate may help.");
        }
    }
}
