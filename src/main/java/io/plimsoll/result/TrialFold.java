package io.plimsoll.result;

import io.plimsoll.measure.Connected;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Endings;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.WireUse;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.scenario.Check;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Folds the snapshots of one trial. Memory is bounded by the number of seconds and partitions, not by records.
 *
 * <p>Client and generator counters belong to no record and therefore to no window: intervals that end after the warm-up
 * count, including the drain, since batches of the measured window are still sent then. Their rates use only the
 * intervals within the measured window.
 */
final class TrialFold {
    private static final int MOST_NOTES = 20;
    /** Difference from the measured window, as a share, above which consumers have a window of their own. */
    private static final double OWN_WINDOW = 0.01;
    /** Prefix of observations of consumer clients. */
    private static final String CONSUMERS = "consumers";

    private final TimelineEvent.TrialStarted started;
    private final boolean produces;
    private final boolean consumes;
    private final boolean openLoop;
    private final SecondFigures figures;
    private final SecondsFold seconds;
    private final SoakFold soak;
    private final GeneratorFold generator = new GeneratorFold();
    private final FaultsFold faults;
    private final PartitionFold partitions = new PartitionFold();
    private final BacklogFold backlog;
    private final PaceFold pace = new PaceFold();
    private final WarmupFold warming;
    private final ClockFold clocks;
    private final ObservationFold observations;
    private final List<Sentence> notes = new ArrayList<>();
    private long moreNotes;
    private final Counts.Sum warmupSum = Counts.Sum.overTime();
    private final Counts.Sum measuredSum = Counts.Sum.overTime();
    /** Of every stretch after the warm-up, and of those within the measured window alone. */
    private final Counts.Sum wireSum = Counts.Sum.overTime();

    private final Counts.Sum withinSum = Counts.Sum.overTime();
    /** All of these as far as they were when a result was last asked for. */
    private Counts warmup = Counts.NONE;

    private Counts measured = Counts.NONE;
    private Counts wire = Counts.NONE;
    private Counts within = Counts.NONE;
    private long withinFromNanos = Long.MAX_VALUE;
    private long withinToNanos;
    private long lastNanos;
    private Map<String, Long> lag = Map.of();
    private List<WorkerResult> workers = List.of();
    private List<GuardResult> guards = List.of();

    /** @param checks checks that can use single seconds */
    TrialFold(TimelineEvent.TrialStarted started, Collection<Check> checks, Folding folding) {
        this.started = started;
        TrialPlan plan = started.plan();
        produces = plan.producing().producerClients() > 0;
        consumes = plan.consuming().consumerMembers() > 0;
        openLoop = produces && plan.course().openLoop();
        faults = new FaultsFold(openLoop);
        figures = new SecondFigures(checks);
        seconds = new SecondsFold(openLoop, produces, figures, folding);
        soak = new SoakFold(folding);
        warming = new WarmupFold(plan.course());
        observations = new ObservationFold(warming.endSeconds(), plan.course().plannedSeconds());
        backlog = new BacklogFold(plan.intent().backlogGroups());
        clocks = new ClockFold(plan.consuming().brokersHere());
    }

    void accept(Snapshot s) {
        warmupSum.add(s.warmup());
        measuredSum.add(s.measured());
        seconds.accept(s);
        faults.accept(s);
        partitions.accept(s);
        backlog.accept(s);
        pace.accept(s);
        clocks.accept(s);
        s.clients().forEach(observations::accept);
        lag = s.whole().get(Consumed.LAG);
        lastNanos = Math.max(lastNanos, s.toNanos());
        generator.accept(s);
        if (s.phase() != Phase.WARMUP) {
            wireSum.add(s.whole());
        }
        if (s.phase() == Phase.MEASURE) {
            withinSum.add(s.whole());
            withinFromNanos = Math.min(withinFromNanos, s.fromNanos());
            withinToNanos = Math.max(withinToNanos, s.toNanos());
        }
    }

    void accept(Observation observation) {
        figures.accept(observation);
        observations.accept(observation);
        soak.accept(observation);
        faults.rebalances().accept(observation);
    }

    void warmedUp(TimelineEvent.WarmupEnded end) {
        warming.accept(end);
        observations.warmup(warming.endSeconds());
    }

    void workers(List<WorkerResult> all) {
        workers = all;
    }

    void guards(List<GuardResult> all) {
        guards = all;
    }

    FaultsFold faults() {
        return faults;
    }

    void note(Sentence text) {
        if (notes.size() < MOST_NOTES) {
            notes.add(text);
        } else {
            moreNotes++;
        }
    }

    /** @param ended null if the trial was killed, or has not ended yet */
    TrialResult result(TrialEnded ended) {
        warmup = warmupSum.total();
        measured = measuredSum.total();
        wire = wireSum.total();
        within = withinSum.total();
        double measuredSeconds =
                ended == null ? measuredSoFar() : ended.length().measuredSeconds();
        long due = due(ended);
        Produce produce = produces ? produce(measuredSeconds, ended) : null;
        Consume consume = consumes ? consume(consumeSeconds(ended, measuredSeconds), measuredSeconds, ended) : null;
        Double calibrated = calibratedShare(produce, consume);
        GeneratorLimit.Load load = generator.load(measuredSeconds, openLoop ? due : 0, measured);
        GeneratorLimit limit =
                generator.limit(load, started.plan().producing().producerClients(), measured, calibrated);
        var used = generator.figures(
                measured.get(Produced.ACKNOWLEDGED) + measured.get(Consumed.RECORDS), limit, calibrated);
        List<TrialResult.Second> perSecond = seconds.seconds();
        AuditResult audit = ended == null ? null : ended.audit();
        Sums window = window(measuredSeconds, consumeSeconds(ended, measuredSeconds));
        TrialResult bare = new TrialResult(
                started.name(),
                new TrialResult.Course(
                        started.at(),
                        warming.seconds(lastNanos / 1e9),
                        warming.result(lastNanos / 1e9, ended),
                        measuredSeconds,
                        seconds.steady(),
                        ended != null && ended.length().complete(),
                        !limit.invalid(load) && !nothingCame(ended) && !endedEarly() && !faults.failed(),
                        started.plan().course().topicsSeconds()),
                produce,
                consume,
                audit == null ? null : faults.charged(audit, started.at()),
                new TrialResult.Observed(
                        used,
                        observations.brokers(),
                        observations.host(),
                        observations.cluster(),
                        observations.clients(),
                        workers,
                        guards,
                        observations.groups()),
                new TrialResult.Judgement(
                        ended == null || ended.checks() == null ? List.of() : ended.checks(), List.of(), null),
                new TrialResult.Detail(
                        started.parameters() == null ? Map.of() : started.parameters(),
                        started.setup() == null ? Map.of() : started.setup(),
                        partitions.results(ended == null ? null : ended.partitions()),
                        perSecond,
                        faults.results(audit, started.at()),
                        window == null ? Map.of() : FigureCatalogue.stored(window),
                        window == null ? Map.of() : FigureCatalogue.distributions(window)));
        return withWarnings(
                BusyHost.leftNoMore(bare) && openLoop ? bare.with(bare.course().invalid()) : bare);
    }

    /**
     * Without a record, because the load ended in the warm-up or the cluster accepted or returned nothing, nothing is
     * measured.
     */
    private boolean nothingCame(TrialEnded ended) {
        if (faults.any() || ended == null || !ended.length().complete()) {
            return false;
        }
        if (!produces && !consumes) {
            return Connected.any(measured)
                    && Connected.count(measured, Connected.OPENED) + Connected.count(measured, Connected.STANDING_NANOS)
                            == 0;
        }
        return produces
                ? measured.get(Produced.ACKNOWLEDGED) == 0
                : measured.get(Consumed.RECORDS) == 0 && measured.get(Consumed.ARRIVED) == 0;
    }

    /** Faults can stop a sender; otherwise an incomplete load is invalid. */
    private boolean endedEarly() {
        return !faults.any() && (Endings.any(produceEvents()) || Endings.any(consumeEvents()));
    }

    /** The share of the side that is nearer to its limit. */
    private Double calibratedShare(Produce produce, Consume consume) {
        TrialPlan plan = started.plan();
        Double sent =
                produce == null ? null : CalibratedLimit.share(plan.producing().producersLimit(), produce.volume());
        Double read =
                consume == null ? null : CalibratedLimit.share(plan.consuming().consumersLimit(), consume.volume());
        return sent == null || (read != null && read > sent) ? read : sent;
    }

    /** Everything that was counted in the measured window; null before it. */
    private Sums window(double measuredSeconds, double consumeSeconds) {
        return withinToNanos > withinFromNanos && measuredSeconds > 0
                ? new Sums(
                        (withinToNanos - withinFromNanos) / 1e9,
                        measuredSeconds,
                        consumeSeconds,
                        measured.with(Consumed.EVENTS, measured.get(Consumed.ARRIVED_EVENTS))
                                .plus(within.with(Consumed.LAG, lag)),
                        0,
                        clocks.errorMicros(null))
                : null;
    }

    private TrialResult withWarnings(TrialResult t) {
        List<Sentence> warnings = new ArrayList<>(Warnings.of(started.plan(), t));
        warnings.addAll(Misreadings.of(started.plan(), t));
        warnings.addAll(BusyHost.of(t));
        warnings.addAll(soak.remarks(t, seconds.minutes()));
        warnings.addAll(notes);
        if (moreNotes > 0) {
            warnings.add(Sentence.of("result.moreRemarks", Units.count(moreNotes)));
        }
        return t.with(new TrialResult.Judgement(t.judgement().checks(), List.copyOf(warnings), null));
    }

    /** Up to the last snapshot, without the drain as far as its begin is known. */
    private double measuredSoFar() {
        double warmupSeconds = warming.seconds(lastNanos / 1e9);
        double planned = started.plan().course().plannedSeconds();
        double end = planned > 0
                ? Math.min(lastNanos / 1e9, warmupSeconds + planned)
                : (withinToNanos > 0 ? withinToNanos : lastNanos) / 1e9;
        return Math.max(0, end - warmupSeconds);
    }

    /** A stopped trial does not owe records that were due later, although the schedule continued. */
    private long due(TrialEnded ended) {
        long due = measured.get(Produced.DUE);
        return ended == null || ended.length().complete()
                ? due
                : Math.min(due, measured.get(Produced.SENT) + measured.get(Produced.UNSENT));
    }

    private Produce produce(double measuredSeconds, TrialEnded ended) {
        TrialPlan plan = started.plan();
        long batches = wire.get(WireUse.BATCHES);
        long batchBytes = wire.get(WireUse.BATCH_BYTES);
        return new Produce(
                new TrialResult.Sources(
                        plan.producing().producerEngine(),
                        plan.producing().producerClients(),
                        ended == null ? List.of() : ended.producers()),
                new TrialResult.Volume(
                        measured.get(Produced.ACKNOWLEDGED),
                        measured.get(Produced.ACKNOWLEDGED_BYTES),
                        per(measured.get(Produced.ARRIVED), measuredSeconds),
                        per(measured.get(Produced.ARRIVED_BYTES), measuredSeconds)),
                new TrialResult.Schedule(
                        !openLoop,
                        openLoop ? per(due(ended), measuredSeconds) : null,
                        measured.get(Produced.UNACKNOWLEDGED),
                        measured.get(Produced.UNSENT),
                        warmup.get(Produced.ACKNOWLEDGED),
                        plan.intent().produceRecords()),
                new TrialResult.Wire(
                        wire.get(WireUse.REQUESTS),
                        wireRate(WireUse.REQUESTS, measuredSeconds),
                        Sums.ratio(wire.get(WireUse.BATCHED_RECORDS), batches),
                        Sums.ratio(batchBytes, batches),
                        Sums.ratio(batchBytes, wire.get(WireUse.UNCOMPRESSED_BYTES)),
                        batchBytes,
                        wire.get(WireUse.RETRIES)),
                new TrialResult.Waits(
                        wire.get(WireUse.BUFFER_WAIT_NANOS) / 1e9,
                        wire.get(WireUse.THROTTLES_UNTOLD) > 0
                                ? null
                                : Double.valueOf(wire.get(WireUse.THROTTLED_NANOS) / 1e9)),
                new TrialResult.Times(
                        LatencyFigures.of(measured.get(Produced.RESPONSE_TIME)),
                        LatencyFigures.of(measured.get(Produced.SERVICE_TIME)),
                        LatencyFigures.of(measured.get(Produced.SEND_DELAY))),
                TrialResult.Errors.of(measured.get(Produced.ERRORS)),
                produceEvents());
    }

    private Map<String, Long> produceEvents() {
        return events(Produced.EVENTS);
    }

    private Map<String, Long> consumeEvents() {
        return events(Consumed.EVENTS);
    }

    /** Events of the window, and stopped clients at any time. */
    private Map<String, Long> events(Metric<Map<String, Long>> metric) {
        Map<String, Long> events = new TreeMap<>(measured.get(metric));
        Endings.byKind(warmup.get(metric)).forEach((kind, n) -> events.merge(Endings.event(kind), n, Long::sum));
        return events;
    }

    /** Consumers that start late or are bound by records have a window of their own. */
    private static double consumeSeconds(TrialEnded ended, double measuredSeconds) {
        return ended != null && ended.length().consumeSeconds() > 0
                ? ended.length().consumeSeconds()
                : measuredSeconds;
    }

    private static boolean ownWindow(double consumeSeconds, double measuredSeconds) {
        return Math.abs(consumeSeconds - measuredSeconds) > OWN_WINDOW * measuredSeconds;
    }

    private Consume consume(double consumeSeconds, double measuredSeconds, TrialEnded ended) {
        TrialPlan plan = started.plan();
        Latency measuredEndToEnd = LatencyFigures.of(measured.get(Consumed.END_TO_END));
        Double error = clocks.errorMicros(WorkerResult.errorBetween(workers));
        Latency endToEnd = error == null ? measuredEndToEnd : ClockFold.known(measuredEndToEnd, error);
        List<Group> groups = groups(ended);
        return new Consume(
                plan.consuming().consumerEngine(),
                new TrialResult.Volume(
                        measured.get(Consumed.RECORDS),
                        measured.get(Consumed.BYTES),
                        per(measured.get(Consumed.ARRIVED), consumeSeconds),
                        per(measured.get(Consumed.ARRIVED_BYTES), consumeSeconds)),
                new TrialResult.Fetches(
                        wire.get(WireUse.FETCH_REQUESTS),
                        ownWindow(consumeSeconds, measuredSeconds)
                                ? per(wire.get(WireUse.FETCH_REQUESTS), consumeSeconds)
                                : wireRate(WireUse.FETCH_REQUESTS, measuredSeconds)),
                new TrialResult.EndToEnd(
                        endToEnd,
                        measured.get(Consumed.NEVER_RECEIVED),
                        measured.get(Consumed.NEGATIVE_END_TO_END),
                        plan.consuming().timestampSource(),
                        error,
                        ClockFold.unknown(measuredEndToEnd, endToEnd, error),
                        ownEndToEnd(),
                        clocks.fromAppend(measured)),
                TrialResult.Errors.of(measured.get(Consumed.ERRORS)),
                groups,
                new TrialResult.Reading(
                        plan.intent().consumeRecords(),
                        missing(plan.intent().consumeRecords(), measured.get(Consumed.RECORDS), groups),
                        backlog.result(ended == null ? null : ended.length().backlogOpenedSeconds()),
                        ownWindow(consumeSeconds, measuredSeconds) ? Double.valueOf(consumeSeconds) : null),
                consumeEvents());
    }

    /** Latency of the worker with most samples; several cannot be merged. */
    private Latency ownEndToEnd() {
        return workers.stream()
                .map(w -> w.clock().ownEndToEnd())
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(Latency::count))
                .orElse(null);
    }

    /** Groups that read until the producers finish miss the records after their end. */
    private Long missing(Long asked, long measuredRecords, List<Group> groups) {
        if (asked != null) {
            return Math.max(0, asked - measuredRecords - warmup.get(Consumed.RECORDS));
        }
        return groups.isEmpty() ? null : ConsumeFigures.lagAtEnd(groups);
    }

    private List<Group> groups(TrialEnded ended) {
        Map<String, Double> seconds = ended == null ? Map.of() : ended.length().groupSeconds();
        Set<String> ids = new TreeSet<>(measured.get(Consumed.GROUP_RECORDS).keySet());
        ids.addAll(lag.keySet());
        TimelineEvent.Consuming plan = started.plan().consuming();
        List<Group> groups = new ArrayList<>();
        double toSeconds = ended == null
                ? Double.POSITIVE_INFINITY
                : warming.endSeconds() + ended.length().measuredSeconds();
        boolean throttled = observations.clients().entrySet().stream()
                .anyMatch(of ->
                        of.getKey().startsWith(CONSUMERS) && of.getValue().getOrDefault("throttleShare", 0.0) > 0);
        ids.forEach(id -> groups.add(new Group(
                id,
                plan.membersOf(id),
                ofGroup(Consumed.GROUP_RECORDS, id),
                ofGroup(Consumed.GROUP_BYTES, id),
                lag.get(id),
                ofGroup(Consumed.GROUP_COMMITS, id),
                ofGroup(Consumed.GROUP_REBALANCES, id),
                isPaced(id) ? pace.pace(id, toSeconds, throttled) : null,
                isPaced(id) ? null : Sums.ratio(Double.valueOf(ofGroup(Consumed.GROUP_RECORDS, id)), seconds.get(id)),
                isPaced(id) ? null : Sums.ratio(Double.valueOf(ofGroup(Consumed.GROUP_BYTES, id)), seconds.get(id)))));
        return List.copyOf(groups);
    }

    private long ofGroup(Metric<Map<String, Long>> metric, String group) {
        return measured.get(metric).getOrDefault(group, 0L);
    }

    /** Groups that are held back, or read so many records, do not follow the producers. */
    private boolean isPaced(String group) {
        TimelineEvent.TrialIntent intent = started.plan().intent();
        return produces
                && intent.consumeRecords() == null
                && !intent.backlogGroups().containsKey(group);
    }

    private double wireRate(Metric<Long> count, double measuredSeconds) {
        boolean known = withinToNanos > withinFromNanos;
        return known
                ? within.get(count) / ((withinToNanos - withinFromNanos) / 1e9)
                : per(wire.get(count), measuredSeconds);
    }

    private static double per(long count, double seconds) {
        return seconds > 0 ? count / seconds : 0;
    }
}
