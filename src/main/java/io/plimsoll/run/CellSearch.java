package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.capacity.Resource;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.diagnose.Diagnosis.Change;
import io.plimsoll.diagnose.HostBounds;
import io.plimsoll.diagnose.ProbedLoad;
import io.plimsoll.load.LoadKind;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.result.Ceiling.Cause;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.Ceiling.Probe;
import io.plimsoll.result.GroupPace;
import io.plimsoll.result.HostBound;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.Sums;
import io.plimsoll.result.TimelineEvent.CeilingSearched;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Rates;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.result.TrialResult.Volume;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.search.Answer;
import io.plimsoll.search.Bounds;
import io.plimsoll.search.CeilingSearch;
import io.plimsoll.search.Criteria;
import io.plimsoll.search.Criteria.Judgement;
import io.plimsoll.search.Criteria.Undecided;
import io.plimsoll.search.Goal;
import io.plimsoll.search.SearchSettings;
import io.plimsoll.search.Step;
import io.plimsoll.search.StepOutcome;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.DoublePredicate;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The search for one ceiling. Loads are in the requested unit: records or bytes per second. */
final class CellSearch {
    private static final Logger LOG = LoggerFactory.getLogger(CellSearch.class);
    /** Only the first trial starts cold; later trials find a warm cluster. */
    private static final Warmup FIRST_WARMUP = Warmup.untilSteady(Duration.ofSeconds(5), Duration.ofSeconds(20));

    private static final Warmup WARMUP = Warmup.lasting(Duration.ofSeconds(3));
    /**
     * Warm-up near a quota: by default, a Kafka quota averages over eleven seconds, so the first ten seconds are not
     * throttled.
     */
    private static final Warmup QUOTA_WARMUP = Warmup.lasting(Duration.ofSeconds(12));

    /** Factor that makes a repeated trial longer than the time needed to judge its groups. */
    private static final double LONGER = 1.1;

    private static final double LONGEST_SECONDS = 120;

    private static final double WIDER = 1.02;
    private static final double NEAR_THE_CEILING = 0.8;
    private static final double PUSH_SHARE = 0.8;
    private static final double SHORTEST_PUSH = 4;
    private static final double BRIEF_SHARE = 0.5;
    private static final double OVERHEAD_SECONDS = 6;
    private static final double UNKNOWN_BYTES_PER_SECOND = 200e6;

    /**
     * Maximum number of warming trials. They end when the CPU cost has fallen by less than {@link #WARM} in {@link
     * #STILL} consecutive trials.
     */
    private static final int MOST_WARMING = 6;

    private static final int STILL = 2;
    private static final double WARM = 0.03;

    /** Maximum number of consecutive trials that are repeated because other programs took the CPU. */
    private static final int MOST_CONTENDED = 3;

    /**
     * First load, in records per second, with third-party consumer groups or replies. It is low, because a large
     * backlog takes long to drain.
     */
    private static final double GROUP_START = 100;

    private static final double GROUP_START_BYTES = 100_000;

    private static final long RESERVE_BYTES = 2_000_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long LOOK_EVERY_NANOS = 2_000_000_000;

    record Done(Step step, TrialResult result, Judgement judgement) {}

    private final Run run;
    private final CeilingRequest request;
    private final Plan.Trial cell;
    private final boolean inBytes;
    private final SearchTrials searchTrials;
    private final Criteria criteria;
    private final CeilingSearch search;
    private final List<Done> done = new ArrayList<>();
    private boolean throttled;
    private double guess;
    private final double budgetSeconds;
    private final Ceiling.@Nullable Outage outage;
    private final long startNanos = System.nanoTime();
    /** Null unless the search found a load that fails. */
    private @Nullable Limits limits;

    private List<Probe> probes = List.of();
    /** Number of trials so far. */
    private int made;
    /** Consecutive trials in which other programs took the CPU. */
    private int contended;

    /** Reason for an early end. */
    private @Nullable Sentence stopped;

    private long recordedNanos = System.nanoTime();

    CellSearch(
            Run run,
            CeilingRequest request,
            Plan.Trial cell,
            boolean named,
            Ceiling.@Nullable Outage outage,
            double budgetSeconds) {
        this.outage = outage;
        this.run = run;
        this.request = request;
        this.cell = cell;
        this.inBytes = request.unit() != Rate.Unit.RECORDS;
        this.searchTrials = new SearchTrials(cell, request, named);
        this.criteria = new Criteria(searchTrials.slo());
        this.budgetSeconds = budgetSeconds;
        this.search = new CeilingSearch(settings(budgetSeconds - costSeconds()));
        if (!cell.scenario().get(Scenario.OBSERVE).groups().isEmpty()
                || cell.scenario().producers().stream()
                        .anyMatch(p -> p.get(ProducerSpec.REPLY).isPresent())) {
            search.beginAt(Math.max(request.leastRate(), inBytes ? GROUP_START_BYTES : GROUP_START));
        }
    }

    private SearchSettings settings(double budgetSeconds) {
        double full = full();
        EnumSet<Goal> goals = EnumSet.of(Goal.SUSTAINED);
        if (!criteria.slo().isEmpty()) {
            goals.add(Goal.WITHIN_SLO);
        }
        return new SearchSettings(
                goals,
                new SearchSettings.Loads(
                        request.leastRate(),
                        request.mostRate().orElse(Double.POSITIVE_INFINITY),
                        Double.POSITIVE_INFINITY),
                request.width(),
                new SearchSettings.Lengths(
                        WARMUP.atMost().toSeconds() + Math.max(SHORTEST_PUSH, PUSH_SHARE * full),
                        full * BRIEF_SHARE,
                        full,
                        request.lengths().confirm().toNanos() / 1e9,
                        OVERHEAD_SECONDS),
                request.lengths().curvePoints(),
                budgetSeconds);
    }

    void execute() {
        boolean ended = false;
        try {
            for (Optional<Step> step = search.next();
                    stopped == null && step.isPresent() && awaitRoom(step.get());
                    step = search.next()) {
                Step next = step.get();
                TrialResult result = make(next, n -> searchTrials.trial(next, n, warmup(next)));
                if (run.interruption.requested()) {
                    stopped = Sentence.of("run.interruptedSearch");
                    return;
                }
                learn(next, result);
            }
            ended = true;
            if (stopped == null) {
                explain();
                costs();
            }
        } catch (PlimsollException e) {
            stopped = run.interruption.requested() ? Sentence.of("run.interruptedSearch") : e.sentence();
            throw e;
        } finally {
            // A search that ended without any trial is also recorded, so that its missing answer is reported.
            if (ended || !done.isEmpty()) {
                run.append(new CeilingSearched(Instant.now(), ceiling()));
            }
        }
    }

    /** Determines the limiting cause from the trials on both sides of the ceiling. */
    private void explain() {
        Bounds decisive = decisive();
        if (!decisive.hasUpper()) {
            return;
        }
        Optional<TrialResult> above = longest(done, decisive.upper(), false);
        if (above.isEmpty()) {
            return;
        }
        TrialResult below = longest(done, decisive.lower(), true).orElse(null);
        Limits found = Diagnosis.between(below, above.get());
        limits = found;
        boolean bounded =
                search.answer().end() == Answer.End.FOUND || search.answer().end() == Answer.End.GENERATOR_LIMITED;
        if (request.extras().prove() && bounded && !run.interruption.requested()) {
            CeilingProof proof = new CeilingProof(
                    cell,
                    criteria,
                    inBytes,
                    decisive.upper(),
                    List.copyOf(done),
                    run.cluster().presentIds(),
                    this::probe,
                    this::hasTime);
            probes = proof.probe(found);
        }
    }

    /** The bounds of the most demanding goal. */
    Bounds decisive() {
        return search.answer().bounds().getOrDefault(Goal.WITHIN_SLO, sustained());
    }

    /** The bounds of the goal that every search has. */
    Bounds sustained() {
        return Objects.requireNonNull(search.answer().bounds().get(Goal.SUSTAINED));
    }

    /** The longest decisive trial at this load with this result: passed or failed. */
    static Optional<TrialResult> longest(List<Done> done, double load, boolean passed) {
        return done.stream()
                .filter(d -> d.step().load() == load
                        && d.judgement().decidedWithinSlo()
                        && d.judgement().withinSlo() == passed)
                .max(Comparator.comparingDouble(d -> d.step().seconds()))
                .map(Done::result);
    }

    private TrialResult probe(Plan.Trial changed, double load) {
        Step step = probeStep(load);
        Duration length = Duration.ofMillis(Math.round(step.seconds() * 1e3));
        return make(step, number -> searchTrials.probe(changed, load, number, length, warmup(step)));
    }

    private TrialResult make(Step step, IntFunction<Plan.Trial> trial) {
        int number = ++made;
        run.progress.search(view(step, number));
        return run.searchTrial(trial.apply(number), false);
    }

    private void costs() {
        Bounds bounds = decisive();
        boolean wanted = request.extras().costs() && bounds.hasLower() && outage == null;
        if (wanted) {
            warm(bounds.lower());
            SearchTrials.FULLER_LOADS.forEach(share -> cost(share * bounds.lower(), CapacityPlan.FULLER));
        }
        for (double share : wanted ? SearchTrials.COST_LOADS : List.<Double>of()) {
            cost(share * bounds.lower(), share == SearchTrials.CHECK_LOAD ? CapacityPlan.CHECK : CapacityPlan.COST);
        }
    }

    /** Repeats one load until its broker CPU cost is stable, because brokers use more CPU until their code is JIT-compiled. */
    private void warm(double ceiling) {
        double least = Double.POSITIVE_INFINITY;
        int still = 0;
        for (int i = 0; i < MOST_WARMING && still < STILL; i++) {
            Double cores = cost(SearchTrials.CHECK_LOAD * ceiling, CapacityPlan.WARM)
                    .map(trial -> Resource.CPU.used(trial.observed().brokers()))
                    .orElse(null);
            still = cores == null ? STILL : cores >= least * (1 - WARM) ? still + 1 : 0;
            least = cores == null ? least : Math.min(least, cores);
        }
    }

    private Optional<TrialResult> cost(double load, String kind) {
        Step step = new Step(Step.Kind.CURVE, load, full());
        try {
            return hasTime(load)
                    ? Optional.of(make(step, number -> searchTrials.cost(step, number, warmup(step), kind)))
                    : Optional.empty();
        } catch (PlimsollException e) {
            if (e.exit() == Exit.USAGE && kind.equals(CapacityPlan.FULLER)) {
                // Not every engine has configurable batches.
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Time for cost trials, at most half of the budget. */
    private double costSeconds() {
        boolean wanted = request.extras().costs() && outage == null;
        double seconds = (MOST_WARMING + SearchTrials.FULLER_LOADS.size() + SearchTrials.COST_LOADS.size())
                * (full() + WARMUP.atMost().toSeconds() + OVERHEAD_SECONDS);
        return wanted ? Math.min(seconds, budgetSeconds / 2) : 0;
    }

    private double full() {
        return request.lengths().full().toNanos() / 1e9;
    }

    private Step probeStep(double load) {
        return new Step(Step.Kind.CLASSIFY, load, full() * BRIEF_SHARE);
    }

    private boolean hasTime(double load) {
        Step step = probeStep(load);
        double seconds = step.seconds() + warmupSeconds(step) + OVERHEAD_SECONDS;
        double spent = (System.nanoTime() - startNanos) / 1e9;
        return !run.interruption.requested()
                && seconds < budgetSeconds - spent
                && shortage(step).isEmpty();
    }

    /** Waits for the disk space that a step needs. Without it, the search ends. */
    private boolean awaitRoom(Step step) {
        Optional<Sentence> shortage = shortage(step);
        shortage.ifPresent(s -> stopped = s);
        return shortage.isEmpty();
    }

    private Optional<Sentence> shortage(Step step) {
        double seconds = step.seconds() + warmupSeconds(step);
        int copies = cell.scenario().topics().stream()
                .mapToInt(run.known()::copies)
                .max()
                .orElse(1);
        double bytes = Double.isInfinite(step.load())
                ? UNKNOWN_BYTES_PER_SECOND
                : step.load() * (inBytes ? 1 : bytesPerRecord());
        return shortage(bytes * seconds * copies);
    }

    /** Waits for free disk space, which brokers release a minute after a topic is deleted; empty if the space is sufficient. */
    private Optional<Sentence> shortage(double bytes) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        OptionalLong free = free();
        while (isShort(free, bytes) && System.nanoTime() < deadline && !run.interruption.requested()) {
            run.progress.phase(null, "waiting for disk space", -1, -1);
            run.interruption.during(() -> LockSupport.parkNanos(LOOK_EVERY_NANOS));
            free = free();
        }
        return isShort(free, bytes)
                ? Optional.of(Sentence.of("run.noRoom", Units.bytes(free.getAsLong()), Units.bytes(bytes)))
                : Optional.empty();
    }

    private OptionalLong free() {
        return run.cluster().logDirs().leastRoomBytes(0, false);
    }

    private static boolean isShort(OptionalLong free, double bytes) {
        return free.isPresent() && free.getAsLong() < bytes + RESERVE_BYTES;
    }

    private void learn(Step step, TrialResult result) {
        Judgement judgement = criteria.judge(result);
        long now = System.nanoTime();
        if (step.kind() == Step.Kind.PUSH) {
            new TrialLoad(result, inBytes).calibrated().ifPresent(search::generatorMakes);
        }
        LOG.debug(
                "{} step at {} for {} s: {}",
                step.kind(),
                load(step.load()).english(),
                step.seconds(),
                judgement.reasons().isEmpty() ? "passed" : judgement.reasons());
        search.record(step, outcome(step, result, judgement, (now - recordedNanos) / 1e9));
        recordedNanos = now;
        done.add(new Done(step, result, judgement));
        contended = judgement.hostContended() && step.kind() != Step.Kind.CURVE ? contended + 1 : 0;
        if (contended >= MOST_CONTENDED) {
            stopped = Sentence.of("run.hostTaken", load(step.load()), contended);
        } else if (step.kind() != Step.Kind.PUSH && !judgement.decided() && !judgement.hostContended()) {
            lengthen(step, judgement.undecided());
        }
    }

    /** Repeats a trial that was too short to judge its groups; ends the search if the longer trial is also inconclusive. */
    private void lengthen(Step step, List<Undecided> groups) {
        boolean unknown = groups.stream().anyMatch(group -> group.seconds() == null);
        double wanted = groups.stream()
                .map(Undecided::seconds)
                .filter(Objects::nonNull)
                .mapToDouble(seconds -> LONGER * seconds)
                .max()
                .orElse(0);
        double most = Math.max(LONGEST_SECONDS, 2 * full());
        if (unknown || step.seconds() >= most) {
            Undecided group = groups.get(0);
            stopped = Sentence.of(
                    "run.undecided",
                    load(step.load()),
                    group.reason(),
                    unknown
                            ? Sentence.of("run.undecided.lag")
                            : Sentence.of("run.undecided.length", Units.duration(Math.ceil(wanted))));
            return;
        }
        double seconds = Math.min(most, Math.max(wanted, 2 * step.seconds()));
        LOG.debug("undecided groups {}: trials of {} s from now on", groups, seconds);
        search.lengthen(seconds);
    }

    private StepOutcome outcome(Step step, TrialResult result, Judgement judgement, double spentSeconds) {
        TrialLoad carried = new TrialLoad(result, inBytes);
        double achieved = carried.achieved(step.kind() == Step.Kind.PUSH);
        if (carried.throttled() && !throttled) {
            // Shorter trials passed at loads above the quota, because the quota had not taken effect yet.
            throttled = true;
            guess = achieved;
            double bound = NEAR_THE_CEILING * achieved;
            search.forgetPassesAbove(bound);
            done.removeIf(d -> d.step().kind() != Step.Kind.PUSH
                    && d.step().load() > bound
                    && d.judgement().withinSlo());
        }
        guess = step.kind() == Step.Kind.PUSH || (carried.throttled() && achieved < guess) ? achieved : guess;
        return new StepOutcome(passed(judgement), judgement.generatorLimited(), achieved, spentSeconds);
    }

    /** For each goal that a trial can decide: whether the trial met it. */
    static Map<Goal, Boolean> passed(Judgement judgement) {
        Map<Goal, Boolean> passed = new EnumMap<>(Goal.class);
        if (judgement.decided()) {
            passed.put(Goal.SUSTAINED, judgement.sustained());
        }
        if (judgement.decidedWithinSlo()) {
            passed.put(Goal.WITHIN_SLO, judgement.withinSlo());
        }
        return passed;
    }

    private double warmupSeconds(Step step) {
        return warmup(step).about().toNanos() / 1e9;
    }

    private Warmup warmup(Step step) {
        Optional<Warmup> given = cell.scenario().warmup();
        if (done.isEmpty() && given.map(Warmup::steady).orElse(true)) {
            return given.orElse(FIRST_WARMUP);
        }
        if (step.kind() == Step.Kind.PUSH) {
            // If buffers contain seconds of load, all acknowledgments would belong to the warm-up.
            return Warmup.NO_TIME;
        }
        boolean nearQuota = throttled && step.load() > NEAR_THE_CEILING * guess;
        return warmup(given, nearQuota);
    }

    /** The scenario's warm-up; near a quota, it lasts until the quota's burst credit is exhausted. */
    static Warmup warmup(Optional<Warmup> given, boolean nearQuota) {
        Warmup usual = given.filter(w -> !w.steady()).orElse(WARMUP);
        return nearQuota && usual.atMost().compareTo(QUOTA_WARMUP.atMost()) < 0 ? QUOTA_WARMUP : usual;
    }

    private SearchView view(Step step, int number) {
        TreeMap<Double, Boolean> tried = new TreeMap<>();
        boolean slo = !criteria.slo().isEmpty();
        for (Done d : done) {
            if (d.step().kind() != Step.Kind.PUSH && d.judgement().decidedWithinSlo()) {
                tried.put(
                        d.step().load(),
                        slo ? d.judgement().withinSlo() : d.judgement().sustained());
            }
        }
        List<SearchView.Tried> loads = new ArrayList<>();
        tried.forEach((load, passed) -> loads.add(new SearchView.Tried(load, passed)));
        String objective = criteria.slo().stream().map(Check::text).collect(Collectors.joining(", "));
        return new SearchView(step.load(), inBytes, step.kind().label(), number, search.etaSeconds(), loads, objective);
    }

    /** Mean size of a record in bytes over all trials so far; 0 without acknowledgments. */
    private double bytesPerRecord() {
        List<Volume> produced = done.stream().map(d -> volume(d.result())).toList();
        double records =
                produced.stream().mapToDouble(v -> Sums.orZero(v.records())).sum();
        double bytes =
                produced.stream().mapToDouble(v -> Sums.orZero(v.bytes())).sum();
        return records == 0 ? 0 : bytes / records;
    }

    private Ceiling ceiling() {
        Bounds within = search.answer().bounds().get(Goal.WITHIN_SLO);
        boolean irregular = search.answer().bounds().values().stream().anyMatch(Bounds::irregular);
        boolean generatorLimited = decisive().generatorLimited() || end().equals(Ceiling.GENERATOR_LIMITED);
        // If the generator failed first, the upper bound is not a bound of the cluster.
        Bounds sustained = sustained().generatorLimited() && !generatorLimited && end().equals(Ceiling.FOUND)
                ? sustained().open()
                : sustained();
        return new Ceiling(
                cell.parameters(),
                new Ceiling.Found(
                        criteria.slo().isEmpty()
                                ? null
                                : criteria.slo().stream().map(Check::text).collect(Collectors.joining(", ")),
                        bound(sustained),
                        within == null ? null : bound(within)),
                new Ceiling.Course(
                        irregular,
                        generatorLimited,
                        end(),
                        search.answer().confirmed()
                                && !request.lengths().confirm().isZero()),
                limits == null ? null : CeilingProof.cause(limits, probes),
                curve(),
                remarks(decisive(), irregular),
                hostBounds(decisive()),
                outage);
    }

    private List<HostBound> hostBounds(Bounds decisive) {
        return longest(done, decisive.lower(), true)
                .map(result -> HostBounds.of(result, run.known().ground(cell.scenario())))
                .orElse(List.of());
    }

    private Bound bound(Bounds b) {
        return new Bound(
                b.hasLower() ? records(b.lower()) : null,
                b.hasUpper() ? records(b.upper()) : null,
                b.hasLower() ? bytes(b.lower()) : null,
                b.hasUpper() ? bytes(b.upper()) : null,
                b.trials(),
                b.classified());
    }

    /** A load in records per second; null if the record size is unknown. */
    private @Nullable Double records(double load) {
        double each = bytesPerRecord();
        return !inBytes ? Double.valueOf(load) : each > 0 ? load / each : null;
    }

    private @Nullable Double bytes(double load) {
        double each = bytesPerRecord();
        return inBytes ? Double.valueOf(load) : each > 0 ? load * each : null;
    }

    private String end() {
        if (search.answer().end() == null) {
            return Ceiling.STOPPED;
        }
        return switch (search.answer().end()) {
            case FOUND -> Ceiling.FOUND;
            case MOST_REACHED -> Ceiling.MOST_REACHED;
            case NOTHING_PASSES -> Ceiling.NOTHING_PASSES;
            case GENERATOR_LIMITED -> Ceiling.GENERATOR_LIMITED;
            case OUT_OF_TIME -> Ceiling.OUT_OF_TIME;
        };
    }

    private List<CurvePoint> curve() {
        TreeMap<Double, List<Done>> byLoad = new TreeMap<>();
        done.stream().filter(d -> d.step().kind() != Step.Kind.PUSH).forEach(d -> byLoad.computeIfAbsent(
                        d.step().load(), load -> new ArrayList<>())
                .add(d));
        return byLoad.values().stream().map(this::point).toList();
    }

    /** The longest trial with the verdict of the majority. Only trials longer than half of the longest one count. */
    private CurvePoint point(List<Done> atLoad) {
        double longest =
                atLoad.stream().mapToDouble(d -> d.step().seconds()).max().orElse(0);
        List<Done> weighty = deciding(
                atLoad.stream().filter(d -> d.step().seconds() > longest / 2).toList());
        long passed = weighty.stream().filter(d -> d.judgement().withinSlo()).count();
        boolean passes = 2 * passed > weighty.size();
        Done typical = weighty.stream()
                .filter(d -> d.judgement().withinSlo() == passes)
                .max(Comparator.comparingDouble(d -> d.step().seconds()))
                .orElseThrow();
        Produce p = typical.result().produce();
        Latency response = p == null ? null : p.times().responseTime();
        Volume volume = volume(typical.result());
        return new CurvePoint(
                Sums.orZero(records(typical.step().load())),
                Sums.orZero(bytes(typical.step().load())),
                Sums.orZero(volume.recordsPerSecond()),
                Sums.orZero(volume.bytesPerSecond()),
                response == null ? null : response.percentiles().p50(),
                response == null ? null : response.percentiles().p99(),
                passes,
                typical.judgement().reasons());
    }

    private static List<Done> deciding(List<Done> trials) {
        List<Done> decided =
                trials.stream().filter(d -> d.judgement().decidedWithinSlo()).toList();
        return decided.isEmpty() ? trials : decided;
    }

    /** The volume of the producers of a trial; no records if it has no producers. */
    private static Volume volume(TrialResult result) {
        Produce produce = result.produce();
        return produce == null ? Volume.NOTHING : produce.volume();
    }

    private List<Sentence> remarks(Bounds decisive, boolean irregular) {
        List<Sentence> remarks = new ArrayList<>();
        if (outage != null) {
            outage.effect().ifPresent(remarks::add);
        }
        Sentence.addIf(stopped != null, remarks, "run.givenUp", stopped);
        if (decisive.hasUpper()) {
            typical(decisive.upper())
                    .ifPresent(d -> remarks.add(Sentence.of(
                            "run.failedAt",
                            load(decisive.upper()),
                            d.judgement().reasons())));
        }
        Sentence.addIf(irregular, remarks, "run.irregular");
        boolean wide = decisive.hasLower()
                && decisive.hasUpper()
                && (decisive.upper() - decisive.lower()) / decisive.upper() > request.width() * WIDER;
        Sentence.addIf(wide && decisive.classified(), remarks, "run.wideBounds", Units.percent(request.width()));
        long contradictory = contradictoryLoads();
        Sentence.addIf(!decisive.classified() && contradictory > 1, remarks, "run.contradictory", contradictory);
        if (decisive.hasLower() && decisive.classified() && !search.answer().confirmed()) {
            remarks.add(Sentence.of("run.unconfirmed", load(decisive.lower())));
        }
        if (decisive.hasLower() && isUnsteady(decisive.lower())) {
            remarks.add(Sentence.of("run.unsteadyAt", load(decisive.lower())));
        }
        Sentence.addIf(throttled, remarks, "run.quotas");
        return remarks;
    }

    private long contradictoryLoads() {
        return done.stream()
                .filter(d -> d.step().kind() != Step.Kind.PUSH && d.judgement().decidedWithinSlo())
                .collect(Collectors.groupingBy(
                        d -> d.step().load(),
                        Collectors.mapping(d -> d.judgement().withinSlo(), Collectors.toSet())))
                .values()
                .stream()
                .filter(answers -> answers.size() > 1)
                .count();
    }

    private Optional<Done> typical(double load) {
        return deciding(at(load)).stream()
                .filter(d -> !d.judgement().reasons().isEmpty())
                .max(Comparator.comparingDouble(d -> d.step().seconds()));
    }

    private boolean isUnsteady(double load) {
        List<Boolean> steady = at(load).stream()
                .map(d -> d.result().course().steady())
                .filter(Objects::nonNull)
                .toList();
        return 2 * steady.stream().filter(is -> !is).count() > steady.size();
    }

    private List<Done> at(double load) {
        return done.stream().filter(d -> d.step().load() == load).toList();
    }

    private Sentence load(double load) {
        return load(load, inBytes);
    }

    static Sentence load(double load, boolean inBytes) {
        return inBytes ? Sentence.verbatim(Units.byteRate(load)) : Sentence.of("run.records", Units.about(load));
    }

    /** The load that a trial of a search sustained, in records or bytes per second. */
    record TrialLoad(TrialResult result, boolean inBytes) {
        private static final double QUOTA_WINDOW_SECONDS = 11;

        /** Calibrated maximum of the load generator; empty if it is unknown, or if this trial exceeded it. */
        OptionalDouble calibrated() {
            Double share = result.observed().generator() == null
                    ? null
                    : result.observed().generator().calibratedShare();
            Volume volume = volume(result);
            double count = Sums.orZero(volume.records());
            if (share == null || share <= 0 || share >= 1 || count == 0) {
                return OptionalDouble.empty();
            }
            double records = Sums.orZero(volume.recordsPerSecond()) / share;
            return OptionalDouble.of(inBytes ? records * Sums.orZero(volume.bytes()) / count : records);
        }

        boolean throttled() {
            Produce p = result.produce();
            boolean producers = p != null
                    && p.waits().throttledSeconds() != null
                    && p.waits().throttledSeconds() > 0;
            return producers
                    || result.observed().clients().values().stream()
                            .anyMatch(client -> client.getOrDefault("throttleShare", 0.0) > 0);
        }

        /**
         * Achieved load: the produced rate or, if lower, the rate at which the slowest group received. With a quota,
         * bursts and throttling alternate over many seconds, so only the whole trial is meaningful.
         *
         * @param push whether the trial was a {@link Step.Kind#PUSH}
         */
        double achieved(boolean push) {
            Produce p = result.produce();
            if (p == null) {
                return 0;
            }
            boolean throttled = throttled();
            double produced = throttled
                    ? duringLoad(Rates::produced)
                    : push ? lastThird() : Sums.orZero(p.volume().recordsPerSecond());
            double received = GroupPace.of(result).values().stream()
                    .filter(GroupPace::isBehind)
                    .mapToDouble(GroupPace::receivedPerSecond)
                    .min()
                    .orElse(Double.POSITIVE_INFINITY);
            Consume c = result.consume();
            if (c != null
                    && throttled
                    && received < produced
                    && result.observed().groups().isEmpty()) {
                received = duringLoad(Rates::consumed) / c.groups().size();
            }
            double records = Math.min(produced, received);
            return inBytes ? records * bytesPerRecord() : records;
        }

        /**
         * Mean record size over all acknowledgments, because with large buffers, records that arrive in the window were
         * due before it.
         */
        private double bytesPerRecord() {
            List<Second> seconds = result.detail().seconds();
            double bytes =
                    seconds.stream().mapToDouble(s -> s.rates().producedBytes()).sum();
            double records =
                    seconds.stream().mapToDouble(s -> s.rates().produced()).sum();
            return records == 0 ? 0 : bytes / records;
        }

        private double duringLoad(ToDoubleFunction<Rates> rate) {
            double records = 0;
            double at = 0;
            for (Second s : result.detail().seconds()) {
                if (!"drain".equals(s.phase())) {
                    records += rate.applyAsDouble(s.rates()) * (s.at() - at);
                    at = s.at();
                }
            }
            // The burst credit equals the throughput of the quota's whole window.
            return records / Math.max(at, QUOTA_WINDOW_SECONDS);
        }

        /** Records per second at the end of a push, when initial buffers, credits, and caches are exhausted. */
        private double lastThird() {
            List<Second> seconds = result.detail().seconds().stream()
                    .filter(s -> "measure".equals(s.phase()))
                    .toList();
            return seconds.subList(seconds.size() * 2 / 3, seconds.size()).stream()
                    .mapToDouble(s -> s.rates().produced())
                    .average()
                    .orElse(0);
        }
    }

    /**
     * Tests suspected causes of a ceiling by experiment: each trial changes a single factor at a load slightly above
     * the ceiling. A factor is the limit if the cluster sustains that load with the change, or clearly more of it than
     * in an unchanged control trial. Used by one thread.
     * @param upper lowest load that failed
     * @param done trials of the search, for the noise between trials at one load
     * @param trials runs a changed scenario, named after the change, at a load
     * @param budget returns whether the search has time for a trial at this load
     */
    record CeilingProof(
            Plan.Trial cell,
            Criteria criteria,
            boolean inBytes,
            double upper,
            List<Done> done,
            List<Integer> brokers,
            BiFunction<Plan.Trial, Double, TrialResult> trials,
            DoublePredicate budget) {
        /** The load of probes as a multiple of the lowest failed load. */
        private static final double ABOVE = 1.1;
        /** Minimum relative difference that is significant, even if repeated trials differ less. */
        private static final double LEAST_NOISE = 0.03;

        private static final double WORTH_TRYING = 0.15;
        private static final int MOST_SUSPECTS = 3;
        private static final int MOST_CHANGES_EACH = 2;
        private static final int MOST_PROBES = 5;

        List<Probe> probe(Limits limits) {
            List<Change> wanted = wanted(limits);
            List<Probe> probes = new ArrayList<>();
            double load = upper * ABOVE;
            if (wanted.isEmpty() || !budget.test(load)) {
                return List.of();
            }
            TrialResult unchanged = trials.apply(new Plan.Trial("unchanged", cell.parameters(), cell.scenario()), load);
            for (Change change : wanted) {
                if (budget.test(load)) {
                    attempt(change, load, unchanged).ifPresent(probes::add);
                }
            }
            return List.copyOf(probes);
        }

        private List<Change> wanted(Limits limits) {
            ProbedLoad load = new ProbedLoad(cell.scenario(), brokers, lighter(cell.scenario()));
            Set<Sentence> tried = new HashSet<>();
            return limits.causes().stream()
                    .filter(s -> s.score() >= WORTH_TRYING && tried.add(s.limit()))
                    .limit(MOST_SUSPECTS)
                    .flatMap(s -> Diagnosis.changes(load, s).limit(MOST_CHANGES_EACH))
                    .distinct()
                    .limit(MOST_PROBES)
                    .toList();
        }

        /** Engines that need less CPU for this load. */
        private static List<String> lighter(Scenario scenario) {
            return LoadKind.all().stream()
                    .filter(kind -> kind.producers()
                            .filter(p -> scenario.producers().stream().allMatch(p::lightens))
                            .isPresent())
                    .map(LoadKind::name)
                    .toList();
        }

        private Optional<Probe> attempt(Change change, double load, TrialResult unchanged) {
            TrialResult changed;
            try {
                changed = trials.apply(
                        new Plan.Trial(change.change().english(), cell.parameters(), change.scenario()), load);
            } catch (PlimsollException e) {
                if (e.exit() == Exit.USAGE) {
                    // The engine or the cluster does not support this change, so skip it.
                    return Optional.empty();
                }
                throw e;
            }
            if (!changed.course().complete() || !unchanged.course().complete()) {
                // A trial that ended early proves no difference.
                return Optional.empty();
            }
            Judgement with = criteria.judge(changed);
            Judgement without = criteria.judge(unchanged);
            if (with.hostContended() || without.hostContended()) {
                // Other programs on this host may have caused the difference.
                return Optional.empty();
            }
            double before = carried(unchanged);
            double after = carried(changed);
            boolean passes = with.withinSlo() && !without.withinSlo();
            boolean moved = passes || after > before * (1 + noise());
            return Optional.of(new Probe(
                    change.factor(),
                    change.change(),
                    change.limits(),
                    records(load, changed),
                    after,
                    before,
                    moved,
                    sentence(change, load, before, after, passes, moved)));
        }

        private Sentence sentence(
                Change change, double load, double before, double after, boolean passes, boolean moved) {
            return Sentence.of(
                    "run.tried",
                    change.change(),
                    load(load, inBytes),
                    Sentence.of(!moved ? "run.noDifference" : passes ? "run.carried" : "run.moved"),
                    Units.about(after),
                    Units.about(before));
        }

        private static double carried(TrialResult result) {
            return Sums.orZero(volume(result).recordsPerSecond());
        }

        /** A load in records per second, by the trial's mean record size. */
        private @Nullable Double records(double load, TrialResult result) {
            if (!inBytes) {
                return load;
            }
            double bytes = Sums.orZero(volume(result).bytes());
            return bytes > 0 ? load * Sums.orZero(volume(result).records()) / bytes : null;
        }

        /** Relative difference between trials at the failed load, times a safety factor of 1.5. */
        private double noise() {
            List<Double> carried = done.stream()
                    .filter(d -> d.step().load() == upper)
                    .map(d -> carried(d.result()))
                    .toList();
            double most = carried.stream().mapToDouble(d -> d).max().orElse(0);
            double least = carried.stream().mapToDouble(d -> d).min().orElse(0);
            return Math.max(LEAST_NOISE, most > 0 ? 1.5 * (most - least) / most : 0);
        }

        static Cause cause(Limits limits, List<Probe> probes) {
            Optional<Suspect> proved = proved(limits, probes);
            Suspect first = proved.orElse(limits.first());
            List<Ceiling.Suspect> others = limits.causes().stream()
                    .filter(s -> !s.equals(first) && s.score() >= Limits.NAMED / 2)
                    .map(s -> new Ceiling.Suspect(
                            s.where() == null ? s.limit() : Sentence.of("diagnose.causeAt", s.limit(), s.where()),
                            Sentence.of("diagnose.figures", s.evidence())))
                    .toList();
            return new Cause(
                    new Ceiling.Named(first == null ? null : first.limit(), first == null ? null : first.where()),
                    proved.isPresent(),
                    first == null ? List.of() : first.evidence(),
                    others,
                    first == null ? null : first.sentence(),
                    limits.stages(),
                    limits.growth(),
                    probes,
                    probes.isEmpty() ? null : proof(proved, probes));
        }

        /** The most likely suspect for which a change moved the ceiling. */
        private static Optional<Suspect> proved(Limits limits, List<Probe> probes) {
            return limits.causes().stream()
                    .filter(s -> s.score() >= Limits.NAMED / 2)
                    .filter(s -> moving(s, probes).findAny().isPresent())
                    .findFirst();
        }

        private static Stream<Probe> moving(Suspect suspect, List<Probe> probes) {
            return probes.stream()
                    .filter(p ->
                            p.moved() && p.limits().contains(suspect.limit().english()));
        }

        private static Sentence proof(Optional<Suspect> proved, List<Probe> probes) {
            return proved.flatMap(s -> moving(s, probes).findFirst())
                    .map(p -> Sentence.of("run.proved", p.factor()))
                    .orElse(Sentence.of("run.notProved"));
        }
    }
}
