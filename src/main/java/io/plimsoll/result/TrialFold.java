package io.plimsoll.result;

import io.plimsoll.measure.Connected;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Endings;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.WireUse;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.result.Checks.SecondFigures;
import io.plimsoll.result.GroupPace.Look;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.scenario.Check;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Folds the snapshots of one trial. Memory is bounded by the number of seconds and partitions, not by records.
 *
 * <p>Client and generator counters are not assigned to records, and therefore not to a window. They include all
 * intervals that end after the warm-up, even in the drain, since batches of the measured window are still sent then.
 * Their rates use only the intervals within the measured window.
 */
final class TrialFold {
    private static final int MOST_NOTES = 20;
    /** Relative difference from the measured window above which consumers have a separate window. */
    private static final double OWN_WINDOW = 0.01;
    /**
     * Error in microseconds of times since an append, if consumers and brokers use one clock: append times are whole
     * milliseconds.
     */
    private static final double ONE_CLOCK_MICROS = 1_000;

    private final TimelineEvent.TrialStarted started;
    private final TrialPlan plan;
    private final boolean produces;
    private final boolean consumes;
    private final boolean openLoop;
    private final Collection<Check> checks;
    private final Folding folding;
    /** The label of the clients that this fold covers; null for all clients. */
    private final @Nullable String label;

    private final Map<String, TrialFold> byLabel = new TreeMap<>();
    private final SecondFigures figures;
    private final SecondsFold seconds;
    private final SoakFold soak;
    private final GeneratorFold generator = new GeneratorFold();
    private final FaultsFold faults;
    private final SlowFold slow = new SlowFold();
    private final PartitionFold partitions = new PartitionFold();
    private final BacklogFold backlog;
    private final PaceFold pace = new PaceFold();
    private final ObservationFold observations;
    private final List<Sentence> notes = new ArrayList<>();
    private long moreNotes;
    private final Counts.Sum warmupSum = Counts.Sum.overTime();
    private final Counts.Sum measuredSum = Counts.Sum.overTime();
    /** Sums over all intervals after the warm-up, and over the intervals within the measured window. */
    private final Counts.Sum wireSum = Counts.Sum.overTime();

    private final Counts.Sum withinSum = Counts.Sum.overTime();
    private long withinFromNanos = Long.MAX_VALUE;
    private long withinToNanos;
    private long lastNanos;
    /** The largest clock error between workers, or between workers and brokers, in any second after the warm-up. */
    private @Nullable Long clockErrorNanos;

    private @Nullable Long appendErrorNanos;
    private TimelineEvent.@Nullable WarmupEnded warmupEnd;
    private Map<String, Long> lag = Map.of();
    private List<WorkerResult> workers = List.of();
    private List<GuardResult> guards = List.of();

    /** The end for which {@link #result} was last requested, and the sums up to this end. */
    private @Nullable TrialEnded ended;

    private Counts warmup = Counts.NONE;
    private Counts measured = Counts.NONE;
    private Counts wire = Counts.NONE;
    private Counts within = Counts.NONE;
    private double measuredSeconds;
    private double consumeSeconds;

    TrialFold(TimelineEvent.TrialStarted started, Collection<Check> checks, Folding folding) {
        this(started, checks, folding, null);
    }

    private TrialFold(
            TimelineEvent.TrialStarted started, Collection<Check> checks, Folding folding, @Nullable String label) {
        this.started = started;
        this.checks = checks;
        this.folding = folding;
        this.label = label;
        plan = started.plan();
        produces = plan.producing().producerClients() > 0;
        consumes = plan.consuming().consumerMembers() > 0;
        openLoop = produces && plan.course().openLoop();
        faults = new FaultsFold(openLoop);
        figures = new SecondFigures(
                checks.stream().filter(c -> Checks.concerns(c, label)).toList());
        seconds = new SecondsFold(openLoop, produces, figures, folding);
        soak = new SoakFold(folding);
        observations = new ObservationFold(warmupEndSeconds(), plan.course().plannedSeconds());
        backlog = new BacklogFold(plan.intent().backlogGroups(), label != null);
    }

    void accept(Snapshot s) {
        accept(s, s.whole().get(Produced.BY_PARTITION));
    }

    /** @param produced records of all producers by partition, because any of them can add to the backlog of a group */
    private void accept(Snapshot s, Map<String, Long> produced) {
        s.labels().forEach(name -> byLabel.computeIfAbsent(name, n -> new TrialFold(started, checks, folding, n))
                .accept(s.of(name), produced));
        warmupSum.add(s.warmup());
        measuredSum.add(s.measured());
        seconds.accept(s);
        faults.accept(s);
        partitions.accept(s);
        backlog.accept(s, produced);
        pace.accept(s);
        slow.accept(s.slow(), s.toNanos());
        s.clients().forEach(observations::accept);
        lag = s.whole().get(Consumed.LAG);
        lastNanos = Math.max(lastNanos, s.toNanos());
        generator.accept(s);
        if (s.phase() != Phase.WARMUP) {
            wireSum.add(s.whole());
            clocks(s);
        }
        if (s.phase() == Phase.MEASURE) {
            withinSum.add(s.whole());
            withinFromNanos = Math.min(withinFromNanos, s.fromNanos());
            withinToNanos = Math.max(withinToNanos, s.toNanos());
        }
    }

    private void clocks(Snapshot s) {
        clockErrorNanos = Snapshot.worst(clockErrorNanos, s.clockErrorNanos());
        if (s.appendErrorNanos() != null) {
            long between = s.clockErrorNanos() == null ? 0 : s.clockErrorNanos();
            appendErrorNanos = Snapshot.worst(appendErrorNanos, s.appendErrorNanos() + between);
        }
    }

    void accept(Observation observation) {
        figures.accept(observation);
        observations.accept(observation);
        soak.accept(observation);
        faults.accept(observation);
        slow.accept(observation);
    }

    void warmedUp(TimelineEvent.WarmupEnded end) {
        warmupEnd = end;
        observations.warmup(end.seconds());
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

    SlowFold slow() {
        return slow;
    }

    void note(Sentence text) {
        if (notes.size() < MOST_NOTES) {
            notes.add(text);
        } else {
            moreNotes++;
        }
    }

    /** @param end null if the trial was killed or has not ended yet */
    TrialResult result(@Nullable TrialEnded end) {
        sumUp(end);
        Produce produce = produces ? produce() : null;
        Consume consume = consumes ? consume() : null;
        Double calibrated = calibratedShare(produce, consume);
        GeneratorLimit.Load load = generator.load(measuredSeconds, openLoop ? due() : 0, measured);
        GeneratorLimit limit = generator.limit(load, plan.producing().producerClients(), wire, measured, calibrated);
        var used = generator.figures(
                wire, measured.get(Produced.ACKNOWLEDGED) + measured.get(Consumed.RECORDS), limit, calibrated);
        AuditResult audit = end == null ? null : end.audit();
        Sums window = window();
        TrialResult bare = new TrialResult(
                started.name(),
                new TrialResult.Course(
                        started.at(),
                        warmupSeconds(),
                        warmupResult(),
                        measuredSeconds,
                        seconds.steady(),
                        end != null && end.complete(),
                        !limit.invalid(load) && !nothingArrived() && !endedEarly() && !faults.failed(),
                        plan.course().topicsSeconds()),
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
                        end == null || end.checks() == null ? List.of() : end.checks(), List.of(), null),
                new TrialResult.Detail(
                        started.parameters(),
                        started.setup() == null ? Map.of() : started.setup(),
                        partitions.results(end == null ? null : end.partitions()),
                        seconds.seconds(),
                        faults.results(audit, started.at()),
                        window == null ? Map.of() : FigureCatalogue.stored(window),
                        window == null ? Map.of() : FigureCatalogue.distributions(window),
                        slow.moments(
                                warmupEndSeconds(),
                                median(Produced.RESPONSE_TIME),
                                median(Consumed.END_TO_END),
                                PartitionFold.leaders(end == null ? null : end.partitions())),
                        byLabel.entrySet().stream()
                                .map(part -> part.getValue().labeled(part.getKey(), warmupEnd, end))
                                .toList()));
        return withWarnings(
                BusyHost.leftNoMore(bare) && openLoop ? bare.with(bare.course().invalid()) : bare);
    }

    private void sumUp(@Nullable TrialEnded end) {
        ended = end;
        warmup = warmupSum.total();
        measured = measuredSum.total();
        wire = wireSum.total();
        within = withinSum.total();
        measuredSeconds = end == null ? measuredSoFar() : end.measuredSeconds();
        // Consumers that start late or have a record limit have a separate window.
        consumeSeconds = end != null && end.consumeSeconds() > 0 ? end.consumeSeconds() : measuredSeconds;
    }

    private TrialResult.Labeled labeled(
            String name, TimelineEvent.@Nullable WarmupEnded warmedUp, @Nullable TrialEnded end) {
        warmupEnd = warmedUp;
        sumUp(end);
        Counts all = warmup.plus(measured);
        Sums window = window();
        return new TrialResult.Labeled(
                name,
                produces && all.has(Produced.FAMILY) ? produce() : null,
                consumes && all.has(Consumed.FAMILY) ? consume() : null,
                window == null ? Map.of() : FigureCatalogue.stored(window),
                window == null ? Map.of() : FigureCatalogue.distributions(window),
                seconds.seconds());
    }

    private long median(Metric<Latencies> times) {
        return measured.get(times).percentileMicros(50);
    }

    /** End of the warm-up in seconds of the trial; infinite if unknown. */
    private double warmupEndSeconds() {
        boolean untilSteady = WarmupResult.STEADY.equals(plan.course().warmupUntil());
        return warmupEnd != null
                ? warmupEnd.seconds()
                : untilSteady ? Double.POSITIVE_INFINITY : plan.course().warmupSeconds();
    }

    /** Length of the warm-up in seconds; the length so far if no end is recorded. */
    private double warmupSeconds() {
        return Double.isInfinite(warmupEndSeconds()) ? lastNanos / 1e9 : warmupEndSeconds();
    }

    /** The result of the warm-up; null in timelines of earlier versions. */
    private @Nullable WarmupResult warmupResult() {
        String until = plan.course().warmupUntil();
        if (until == null) {
            return null;
        }
        boolean over = lastNanos / 1e9 >= warmupEndSeconds();
        String why = warmupEnd == null ? WarmupResult.TIME : warmupEnd.ended();
        if (!over) {
            why = ended == null ? null : ended.complete() ? WarmupResult.RAN_OUT : WarmupResult.STOPPED;
        }
        double length = Math.min(lastNanos / 1e9, warmupEndSeconds());
        return new WarmupResult(until, length, why, over && warmupEnd != null ? warmupEnd.moving() : List.of());
    }

    /** Whether nothing was measured: the load ended in the warm-up, or the cluster accepted or returned no record. */
    private boolean nothingArrived() {
        if (faults.any() || ended == null || !ended.complete()) {
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

    /**
     * Whether clients terminated early, so that the load is invalid; false after faults, because faults can stop
     * clients.
     */
    private boolean endedEarly() {
        return !faults.any() && (Endings.any(events(Produced.EVENTS)) || Endings.any(events(Consumed.EVENTS)));
    }

    /** The share of their calibrated limit that producers or consumers reached, whichever is larger. */
    private @Nullable Double calibratedShare(@Nullable Produce produce, @Nullable Consume consume) {
        Double sent =
                produce == null ? null : CalibratedLimit.share(plan.producing().producersLimit(), produce.volume());
        Double read =
                consume == null ? null : CalibratedLimit.share(plan.consuming().consumersLimit(), consume.volume());
        return sent == null || (read != null && read > sent) ? read : sent;
    }

    private boolean hasWindow() {
        return withinToNanos > withinFromNanos;
    }

    private double windowSeconds() {
        return (withinToNanos - withinFromNanos) / 1e9;
    }

    /** All counts of the measured window, which can be shorter than an interval; null before the window. */
    private @Nullable Sums window() {
        return measuredSeconds > 0
                ? new Sums(
                        hasWindow() ? windowSeconds() : measuredSeconds,
                        measuredSeconds,
                        consumeSeconds,
                        measured.with(Consumed.EVENTS, measured.get(Consumed.ARRIVED_EVENTS))
                                .plus(within.with(Consumed.LAG, lag)),
                        0,
                        micros(clockErrorNanos))
                : null;
    }

    private TrialResult withWarnings(TrialResult t) {
        List<Sentence> warnings = new ArrayList<>(Warnings.of(plan, t));
        warnings.addAll(BusyHost.of(t));
        warnings.addAll(soak.remarks(t, seconds.minutes()));
        warnings.addAll(notes);
        Sentence.addIf(moreNotes > 0, warnings, "result.moreRemarks", Units.count(moreNotes));
        return t.with(new TrialResult.Judgement(t.judgement().checks(), List.copyOf(warnings), null));
    }

    /** Length of the measured window up to the last snapshot, without the drain if its start is known. */
    private double measuredSoFar() {
        double planned = plan.course().plannedSeconds();
        double end = planned > 0
                ? Math.min(lastNanos / 1e9, warmupSeconds() + planned)
                : (withinToNanos > 0 ? withinToNanos : lastNanos) / 1e9;
        return Math.max(0, end - warmupSeconds());
    }

    /** Records due in the window. Records due after the stop of a trial do not count, although the schedule continued. */
    private long due() {
        long due = measured.get(Produced.DUE);
        return ended == null || ended.complete()
                ? due
                : Math.min(due, measured.get(Produced.SENT) + measured.get(Produced.UNSENT));
    }

    private Produce produce() {
        long batches = wire.get(WireUse.BATCHES);
        long batchBytes = wire.get(WireUse.BATCH_BYTES);
        boolean throttlesKnown = wire.get(WireUse.THROTTLES_UNTOLD) == 0;
        return new Produce(
                new TrialResult.Sources(
                        Objects.requireNonNullElse(plan.producing().producerEngine(), ""),
                        ofAll(plan.producing().producerClients()),
                        ended == null || label != null ? List.of() : ended.producers()),
                new TrialResult.Volume(
                        measured.get(Produced.ACKNOWLEDGED),
                        measured.get(Produced.ACKNOWLEDGED_BYTES),
                        per(measured.get(Produced.ARRIVED), measuredSeconds),
                        per(measured.get(Produced.ARRIVED_BYTES), measuredSeconds)),
                new TrialResult.Schedule(
                        !openLoop,
                        openLoop ? per(due(), measuredSeconds) : null,
                        measured.get(Produced.UNACKNOWLEDGED),
                        measured.get(Produced.UNSENT),
                        warmup.get(Produced.ACKNOWLEDGED),
                        ofAll(plan.intent().produceRecords())),
                new TrialResult.Wire(
                        wire.get(WireUse.REQUESTS),
                        wireRate(WireUse.REQUESTS),
                        Sums.ratio(wire.get(WireUse.BATCHED_RECORDS), batches),
                        Sums.ratio(batchBytes, batches),
                        Sums.ratio(batchBytes, wire.get(WireUse.UNCOMPRESSED_BYTES)),
                        batchBytes,
                        wire.get(WireUse.RETRIES)),
                new TrialResult.Waits(
                        wire.get(WireUse.BUFFER_WAIT_NANOS) / 1e9,
                        throttlesKnown ? wire.get(WireUse.THROTTLED_NANOS) / 1e9 : null),
                new TrialResult.Times(
                        Latency.of(measured.get(Produced.RESPONSE_TIME)),
                        Latency.of(measured.get(Produced.SERVICE_TIME)),
                        Latency.of(measured.get(Produced.SEND_DELAY))),
                TrialResult.Errors.of(measured.get(Produced.ERRORS)),
                events(Produced.EVENTS));
    }

    /** A fact about all clients; null for the clients with a label, for which it is unknown. */
    private <T> @Nullable T ofAll(@Nullable T fact) {
        return label == null ? fact : null;
    }

    /** Events in the window, and terminated clients at any time. */
    private Map<String, Long> events(Metric<Map<String, Long>> metric) {
        Map<String, Long> events = new TreeMap<>(measured.get(metric));
        Endings.byKind(warmup.get(metric)).forEach((kind, n) -> events.merge(Endings.event(kind), n, Long::sum));
        return events;
    }

    private Consume consume() {
        boolean ownWindow = Math.abs(consumeSeconds - measuredSeconds) > OWN_WINDOW * measuredSeconds;
        Long asked = plan.intent().consumeRecords();
        List<Group> groups = groups();
        return new Consume(
                Objects.requireNonNullElse(plan.consuming().consumerEngine(), ""),
                new TrialResult.Volume(
                        measured.get(Consumed.RECORDS),
                        measured.get(Consumed.BYTES),
                        per(measured.get(Consumed.ARRIVED), consumeSeconds),
                        per(measured.get(Consumed.ARRIVED_BYTES), consumeSeconds)),
                fetches(ownWindow),
                endToEnd(),
                TrialResult.Errors.of(measured.get(Consumed.ERRORS)),
                groups,
                new TrialResult.Reading(
                        ofAll(asked),
                        label != null && asked != null ? null : missing(asked, groups),
                        backlog.result(ended == null ? null : ended.backlogOpenedSeconds()),
                        ownWindow ? consumeSeconds : null),
                events(Consumed.EVENTS));
    }

    /** Fetch requests; unknown for one of several groups of an entry. */
    private TrialResult.Fetches fetches(boolean ownWindow) {
        long requests = wire.get(WireUse.FETCH_REQUESTS);
        return label != null && requests == 0
                ? new TrialResult.Fetches(null, null)
                : new TrialResult.Fetches(
                        requests, ownWindow ? per(requests, consumeSeconds) : wireRate(WireUse.FETCH_REQUESTS));
    }

    private TrialResult.EndToEnd endToEnd() {
        Latency all = Latency.of(measured.get(Consumed.END_TO_END));
        // The error at the start applies if no second reports an error.
        Double error = clockErrorNanos == null ? WorkerResult.errorBetween(workers) : micros(clockErrorNanos);
        Latency known = error == null ? all : all.above(error);
        // The samples of several workers cannot be merged.
        Latency own = workers.stream()
                .map(w -> w.clock().ownEndToEnd())
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(Latency::count))
                .orElse(null);
        return new TrialResult.EndToEnd(
                known,
                measured.get(Consumed.NEVER_RECEIVED),
                measured.get(Consumed.NEGATIVE_END_TO_END),
                plan.consuming().timestampSource(),
                error,
                hidden(all, known, error),
                own,
                fromAppend());
    }

    private FromAppend fromAppend() {
        long negative = measured.get(Consumed.NEGATIVE_FROM_APPEND);
        if (measured.get(Consumed.END_TO_END_FROM_APPEND).isEmpty() && negative == 0) {
            return FromAppend.NONE;
        }
        Latency all = Latency.of(measured.get(Consumed.END_TO_END_FROM_APPEND));
        if (plan.consuming().brokersHere()) {
            return new FromAppend(all, negative, ONE_CLOCK_MICROS, null);
        }
        Double error = micros(appendErrorNanos);
        Latency known = error == null ? all : all.above(error);
        return new FromAppend(known, negative, error, hidden(all, known, error));
    }

    /** The reason why figures of a latency are omitted; null if none is omitted. */
    private static @Nullable Sentence hidden(Latency all, Latency known, @Nullable Double errorMicros) {
        return errorMicros == null || known.equals(all)
                ? null
                : Sentence.of("result.lessThanClocksTell", Units.micros(errorMicros));
    }

    private static @Nullable Double micros(@Nullable Long nanos) {
        return nanos == null ? null : Double.valueOf(nanos / 1e3);
    }

    /** Requested records that were not read or, without a requested number, the groups' lag at the end. */
    private @Nullable Long missing(@Nullable Long asked, List<Group> groups) {
        if (asked != null) {
            return Math.max(0, asked - measured.get(Consumed.RECORDS) - warmup.get(Consumed.RECORDS));
        }
        return groups.isEmpty() ? null : ConsumeFigures.lagAtEnd(groups);
    }

    private List<Group> groups() {
        Set<String> ids = new TreeSet<>(measured.get(Consumed.GROUP_RECORDS).keySet());
        ids.addAll(lag.keySet());
        double toSeconds = ended == null ? Double.POSITIVE_INFINITY : warmupEndSeconds() + measuredSeconds;
        boolean throttled = observations.clients().entrySet().stream()
                .anyMatch(of ->
                        of.getKey().startsWith("consumers") && of.getValue().getOrDefault("throttleShare", 0.0) > 0);
        List<Group> groups = new ArrayList<>();
        for (String id : ids) {
            long records = ofGroup(Consumed.GROUP_RECORDS, id);
            long bytes = ofGroup(Consumed.GROUP_BYTES, id);
            boolean paced = isPaced(id);
            Double seconds =
                    ended == null || paced ? null : ended.groupSeconds().get(id);
            groups.add(new Group(
                    id,
                    plan.consuming().membersOf(id),
                    records,
                    bytes,
                    lag.get(id),
                    ofGroup(Consumed.GROUP_COMMITS, id),
                    ofGroup(Consumed.GROUP_REBALANCES, id),
                    paced ? pace.pace(id, toSeconds, throttled) : null,
                    Sums.ratio(Double.valueOf(records), seconds),
                    Sums.ratio(Double.valueOf(bytes), seconds)));
        }
        return List.copyOf(groups);
    }

    private long ofGroup(Metric<Map<String, Long>> metric, String group) {
        return measured.get(metric).getOrDefault(group, 0L);
    }

    /** Whether a group must keep up with the producers. Groups that wait for a backlog or have a record limit need not. */
    private boolean isPaced(String group) {
        return produces
                && plan.intent().consumeRecords() == null
                && !plan.intent().backlogGroups().containsKey(group);
    }

    private double wireRate(Metric<Long> count) {
        return hasWindow() ? within.get(count) / windowSeconds() : per(wire.get(count), measuredSeconds);
    }

    private static double per(long count, double seconds) {
        return seconds > 0 ? count / seconds : 0;
    }

    /** Folds the counts of each partition and the time span of its records. Used by one thread. */
    private static final class PartitionFold {
        private static final Flow NOTHING = new Flow(0, Long.MAX_VALUE, 0);

        private final Map<String, Flow> produced = new TreeMap<>();
        private final Map<String, Flow> consumed = new TreeMap<>();

        /** Records produced to or consumed from a partition, and their time span in nanoseconds of the trial. */
        private record Flow(long records, long fromNanos, long toNanos) {
            Flow plus(Flow more) {
                return new Flow(
                        records + more.records, Math.min(fromNanos, more.fromNanos), Math.max(toNanos, more.toNanos));
            }

            @Nullable
            Double perSecond() {
                return records == 0 || toNanos <= fromNanos
                        ? null
                        : Double.valueOf(records / ((toNanos - fromNanos) / 1e9));
            }
        }

        void accept(Snapshot s) {
            add(produced, s, Produced.BY_PARTITION);
            add(consumed, s, Consumed.BY_PARTITION);
        }

        private static void add(Map<String, Flow> flows, Snapshot s, Metric<Map<String, Long>> metric) {
            s.whole()
                    .get(metric)
                    .forEach((name, n) ->
                            flows.merge(name, n > 0 ? new Flow(n, s.fromNanos(), s.toNanos()) : NOTHING, Flow::plus));
        }

        static Map<String, Integer> leaders(@Nullable List<PartitionResult> ended) {
            Map<String, Integer> leaders = new HashMap<>();
            for (PartitionResult p : ended == null ? List.<PartitionResult>of() : ended) {
                if (p.leader() != null) {
                    leaders.put(p.topic() + "-" + p.partition(), p.leader());
                }
            }
            return leaders;
        }

        /** @param ended partition data from the end of the trial, with leaders; null before the end */
        List<PartitionResult> results(@Nullable List<PartitionResult> ended) {
            if (ended != null) {
                return ended.stream().map(this::withRates).toList();
            }
            TreeSet<String> names = new TreeSet<>(produced.keySet());
            names.addAll(consumed.keySet());
            return names.stream()
                    .map(this::counted)
                    .sorted(Comparator.comparing(PartitionResult::topic).thenComparing(PartitionResult::partition))
                    .toList();
        }

        private PartitionResult counted(String name) {
            int dash = name.lastIndexOf('-');
            long in = produced.getOrDefault(name, NOTHING).records;
            long out = consumed.getOrDefault(name, NOTHING).records;
            int number = Integer.parseInt(name.substring(dash + 1));
            return withRates(new PartitionResult(name.substring(0, dash), number, null, in, out, null, null));
        }

        private PartitionResult withRates(PartitionResult p) {
            String name = p.topic() + "-" + p.partition();
            return new PartitionResult(
                    p.topic(),
                    p.partition(),
                    p.leader(),
                    p.produced(),
                    p.consumed(),
                    produced.getOrDefault(name, NOTHING).perSecond(),
                    consumed.getOrDefault(name, NOTHING).perSecond());
        }
    }

    /** Tracks the lag of this load's groups to judge whether they kept up. Used by one thread. */
    private static final class PaceFold {
        /** Maximum number of samples; in longer trials, every second sample is dropped, repeatedly. */
        private static final int MOST_LOOKS = 3_600;
        /** Maximum delay in seconds of the snapshot at the end of the load. */
        private static final double LATE_SECONDS = 0.2;

        private final Map<String, List<Look>> looks = new HashMap<>();
        /** The last sample of each group, even if it was dropped. */
        private final Map<String, Look> last = new HashMap<>();

        private final Map<String, Long> received = new HashMap<>();
        private final Map<String, Long> lag = new HashMap<>();
        private final Map<String, Long> least = new HashMap<>();
        private @Nullable Snapshot open;
        private long toNanos;
        private long number;
        private long stride = 1;

        /** Adds a snapshot of one worker; all workers use the same sequence number for a second. */
        void accept(Snapshot s) {
            if (open != null && open.sequence() != s.sequence()) {
                close(open);
            }
            if (s.phase() == Phase.DRAIN) {
                return;
            }
            open = open == null ? s : open;
            toNanos = Math.max(toNanos, s.toNanos());
            add(s.warmup());
            add(s.measured());
            lag.putAll(s.whole().get(Consumed.LAG));
            least.putAll(s.whole().get(Consumed.LEAST_LAG));
        }

        private void add(Counts counts) {
            counts.get(Consumed.GROUP_RECORDS).forEach((id, n) -> received.merge(id, n, Long::sum));
        }

        private void close(Snapshot first) {
            long nanos = toNanos - first.fromNanos();
            if (nanos >= SnapshotSum.SHORTEST_NANOS) {
                boolean measured = first.phase() == Phase.MEASURE;
                Map<String, Look> now = new HashMap<>();
                lag.forEach((id, left) -> now.put(
                        id,
                        new Look(
                                toNanos / 1e9,
                                measured,
                                left,
                                least.getOrDefault(id, left),
                                received.getOrDefault(id, 0L) + left)));
                // Samples must be evenly spaced, so a folded minute counts as its seconds.
                long seconds = Math.max(1, Math.min(MOST_LOOKS, Math.round(nanos / 1e9)));
                for (long second = 1; second <= seconds; second++) {
                    sample(now, (double) second / seconds);
                }
                last.putAll(now);
            }
            lag.clear();
            least.clear();
            open = null;
        }

        /** Adds samples at this fraction of the interval, 0 to 1; a group's first sample is at the end of its interval. */
        private void sample(Map<String, Look> now, double part) {
            if (number++ % stride == 0) {
                now.forEach((id, look) -> {
                    Look before = last.get(id);
                    if (before != null || part == 1) {
                        looks.computeIfAbsent(id, g -> new ArrayList<>()).add(look.since(before, part));
                    }
                });
                thin();
            }
        }

        private void thin() {
            if (looks.values().stream().anyMatch(l -> l.size() > MOST_LOOKS)) {
                stride *= 2;
                looks.replaceAll((id, all) -> IntStream.range(0, (all.size() + 1) / 2)
                        .mapToObj(i -> all.get(2 * i))
                        .collect(Collectors.toCollection(ArrayList::new)));
            }
        }

        /**
         * @param toSeconds end of the load, in seconds of the trial; samples {@link #LATE_SECONDS} later do not count
         */
        GroupPace pace(String group, double toSeconds, boolean throttled) {
            if (open != null) {
                close(open);
            }
            List<Look> ofLoad = looks.getOrDefault(group, List.of()).stream()
                    .filter(look -> look.at() < toSeconds + LATE_SECONDS)
                    .toList();
            return GroupPace.of(ofLoad, GroupPace.Source.RECEIVED, throttled);
        }
    }
}
