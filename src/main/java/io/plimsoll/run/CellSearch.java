package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.capacity.Resource;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Probe;
import io.plimsoll.result.Limits;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.TimelineEvent.CeilingSearched;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.TopicSpec;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The search for one ceiling. Loads are in the requested unit: records or bytes per second. */
final class CellSearch {
    private static final Logger LOG = LoggerFactory.getLogger(CellSearch.class);
    /** Only the first trial starts cold; later trials find a warm cluster. */
    private static final Warmup FIRST_WARMUP = Warmup.untilSteady(Duration.ofSeconds(5), Duration.ofSeconds(20));

    private static final Warmup WARMUP = Warmup.lasting(Duration.ofSeconds(3));
    /** By default a Kafka quota averages over eleven seconds, so the first ten are unthrottled. */
    private static final Warmup QUOTA_WARMUP = Warmup.lasting(Duration.ofSeconds(12));

    /** A decisive trial lasts this multiple of the time it needs, up to a limit. */
    private static final double LONGER = 1.1;

    private static final double LONGEST_SECONDS = 120;

    private static final double NEAR_THE_CEILING = 0.8;
    private static final double PUSH_SHARE = 0.8;
    private static final double SHORTEST_PUSH = 4;
    private static final double BRIEF_SHARE = 0.5;
    private static final double OVERHEAD_SECONDS = 6;
    private static final double UNKNOWN_BYTES_PER_SECOND = 200e6;

    /**
     * Maximum number of warming trials; they end when CPU cost falls by less than {@link #WARM}, {@link #STILL} times.
     */
    private static final int MOST_WARMING = 6;

    private static final int STILL = 2;
    private static final double WARM = 0.03;

    /** Maximum number of consecutive trials repeated because of other programs. */
    private static final int MOST_TAKEN = 3;

    /** First load with foreign consumer groups: a large backlog takes long to drain. */
    private static final double GROUP_START = 100;

    private static final double GROUP_START_BYTES = 100_000;

    private static final long RESERVE_BYTES = 2_000_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long LOOK_EVERY_NANOS = 2_000_000_000;

    /** A finished trial of a search. */
    record Done(Step step, TrialResult result, Judgement judgement) {}

    private final CeilingRun.SearchContext context;
    private final Plan.Trial cell;
    private final boolean inBytes;
    private final SearchTrials searchTrials;
    private final Criteria criteria;
    private final CeilingSearch search;
    private final List<Done> done = new ArrayList<>();
    private boolean throttled;
    private double guess;
    private final double budgetSeconds;
    private final Ceiling.Outage outage;
    private final long startNanos = System.nanoTime();
    private Limits limits;
    private List<Probe> probes = List.of();
    private int probed;
    /** Consecutive trials in which other programs took the CPU. */
    private int taken;

    private Sentence stopped;
    private long toldNanos = System.nanoTime();

    /**
     * @param named whether trial names include the cell
     * @param outage outage during the search; null if none
     */
    CellSearch(
            CeilingRun.SearchContext context,
            Plan.Trial cell,
            boolean named,
            Ceiling.Outage outage,
            double budgetSeconds) {
        this.outage = outage;
        this.context = context;
        this.cell = cell;
        this.inBytes = context.request().unit() != Rate.Unit.RECORDS;
        this.searchTrials = new SearchTrials(cell, context.request(), named);
        this.criteria = new Criteria(searchTrials.slo());
        this.budgetSeconds = budgetSeconds;
        this.search = new CeilingSearch(settings(budgetSeconds - costSeconds()));
        if (!cell.scenario().observe().groups().isEmpty()
                || cell.scenario().producers().stream().anyMatch(p -> p.reply().isPresent())) {
            search.beginAt(Math.max(context.request().leastRate(), inBytes ? GROUP_START_BYTES : GROUP_START));
        }
    }

    private SearchSettings settings(double budgetSeconds) {
        CeilingRequest request = context.request();
        double full = request.lengths().full().toNanos() / 1e9;
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
                    stopped == null && step.isPresent() && hasRoom(step.get());
                    step = search.next()) {
                Step next = step.get();
                TrialResult result = make(next, done.size() + 1, n -> searchTrials.trial(next, n, warmup(next)));
                if (context.interrupted()) {
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
            stopped = context.interrupted() ? Sentence.of("run.interruptedSearch") : e.sentence();
            throw e;
        } finally {
            // Without a single trial the search has no answer; report that instead of failing silently.
            if (ended || !done.isEmpty()) {
                context.timeline().accept(new CeilingSearched(Instant.now(), ceiling()));
            }
        }
    }

    /** Names the limit from the trials on both sides of it; the higher load is more conclusive. */
    private void explain() {
        Bounds decisive = decisive();
        if (!decisive.hasUpper()) {
            return;
        }
        Optional<TrialResult> above = longest(decisive.upper());
        if (above.isEmpty()) {
            return;
        }
        TrialResult below = decisive.hasLower() ? longest(decisive.lower()).orElse(null) : null;
        limits = Diagnosis.between(below, above.get());
        boolean found =
                search.answer().end() == Answer.End.FOUND || search.answer().end() == Answer.End.GENERATOR_LIMITED;
        if (context.request().extras().prove() && found && !context.interrupted()) {
            CeilingProof proof = new CeilingProof(
                    cell,
                    criteria,
                    inBytes,
                    decisive.upper(),
                    List.copyOf(done),
                    context.run().cluster().presentIds(),
                    this::probe,
                    this::hasTime);
            probes = proof.probe(limits);
        }
    }

    /** The bounds of the most demanding goal. */
    Bounds decisive() {
        Bounds within = search.answer().bounds().get(Goal.WITHIN_SLO);
        return within == null ? search.answer().bounds().get(Goal.SUSTAINED) : within;
    }

    private Optional<TrialResult> longest(double load) {
        return done.stream()
                .filter(d -> d.step().load() == load && d.judgement().decidedWithinSlo())
                .max(Comparator.comparingDouble(d -> d.step().seconds()))
                .map(Done::result);
    }

    private TrialResult probe(Plan.Trial changed, double load) {
        Step step = probeStep(load);
        Duration length = Duration.ofMillis(Math.round(step.seconds() * 1e3));
        return beside(step, number -> searchTrials.probe(changed, load, number, length, warmup(step)));
    }

    /** Runs a trial outside the search. */
    private TrialResult beside(Step step, IntFunction<Plan.Trial> trial) {
        probed++;
        return make(step, done.size() + probed, trial);
    }

    private TrialResult make(Step step, int number, IntFunction<Plan.Trial> trial) {
        context.progress().search(view(step, number));
        return context.trials().make(trial.apply(number), false);
    }

    /** Measures costs at loads well below the ceiling and at one close to it. */
    private void costs() {
        Bounds bounds = decisive();
        boolean wanted = context.request().extras().costs() && bounds.hasLower() && outage == null;
        if (wanted) {
            warm(bounds.lower());
            SearchTrials.FULLER_LOADS.forEach(share -> cost(share * bounds.lower(), CapacityPlan.FULLER));
        }
        for (double share : wanted ? SearchTrials.COST_LOADS : List.<Double>of()) {
            cost(share * bounds.lower(), share == SearchTrials.CHECK_LOAD ? CapacityPlan.CHECK : CapacityPlan.COST);
        }
    }

    /** Repeats one load until its broker CPU cost is stable: JIT compilation makes fresh brokers expensive. */
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
                    ? Optional.of(beside(step, number -> searchTrials.cost(step, number, warmup(step), kind)))
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
        boolean wanted = context.request().extras().costs() && outage == null;
        double seconds = (MOST_WARMING + SearchTrials.FULLER_LOADS.size() + SearchTrials.COST_LOADS.size())
                * (full() + WARMUP.atMost().toSeconds() + OVERHEAD_SECONDS);
        return wanted ? Math.min(seconds, budgetSeconds / 2) : 0;
    }

    private double full() {
        return context.request().lengths().full().toNanos() / 1e9;
    }

    private Step probeStep(double load) {
        return new Step(Step.Kind.CLASSIFY, load, full() * BRIEF_SHARE);
    }

    private boolean hasTime(double load) {
        Step step = probeStep(load);
        double seconds = step.seconds() + warmupSeconds(step) + OVERHEAD_SECONDS;
        double spent = (System.nanoTime() - startNanos) / 1e9;
        return !context.interrupted() && seconds < budgetSeconds - spent && hasRoom(step);
    }

    private boolean hasRoom(Step step) {
        double seconds = step.seconds() + warmupSeconds(step);
        int copies = cell.scenario().topics().stream()
                .mapToInt(TopicSpec::replication)
                .max()
                .orElse(1);
        double bytes = Double.isInfinite(step.load())
                ? UNKNOWN_BYTES_PER_SECOND
                : step.load() * (inBytes ? 1 : CeilingResult.bytesPerRecord(done));
        Optional<Sentence> shortage = shortage(bytes * seconds * copies);
        shortage.ifPresent(s -> stopped = s);
        return shortage.isEmpty();
    }

    /**
     * Waits for free disk space: brokers delete the data of a removed topic a minute later.
     *
     * @param bytes maximum bytes that a trial writes to one disk
     * @return the shortage; empty if space suffices or brokers do not report it
     */
    private Optional<Sentence> shortage(double bytes) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        OptionalLong free = free();
        while (isShort(free, bytes) && System.nanoTime() < deadline && !context.interrupted()) {
            context.progress().phase(null, "waiting for disk space", -1, -1);
            context.run().interruption().during(() -> LockSupport.parkNanos(LOOK_EVERY_NANOS));
            free = free();
        }
        return isShort(free, bytes)
                ? Optional.of(Sentence.of("run.noRoom", Units.bytes(free.getAsLong()), Units.bytes(bytes)))
                : Optional.empty();
    }

    private OptionalLong free() {
        return context.run().cluster().logDirs().leastRoomBytes(0, false);
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
                CeilingResult.load(step.load(), inBytes).english(),
                step.seconds(),
                judgement.reasons().isEmpty() ? "passed" : judgement.reasons());
        search.record(step, outcome(step, result, judgement, (now - toldNanos) / 1e9));
        toldNanos = now;
        done.add(new Done(step, result, judgement));
        taken = judgement.hostTaken() && step.kind() != Step.Kind.CURVE ? taken + 1 : 0;
        if (taken >= MOST_TAKEN) {
            stopped = Sentence.of("run.hostTaken", CeilingResult.load(step.load(), inBytes), taken);
        } else if (step.kind() != Step.Kind.PUSH && !judgement.decided() && !judgement.hostTaken()) {
            lengthen(step, judgement.undecided());
        }
    }

    /**
     * Repeats a trial at greater length if it was too short to judge its groups; ends the search if even that is
     * inconclusive.
     */
    private void lengthen(Step step, List<Undecided> groups) {
        boolean unknown = groups.stream().anyMatch(group -> group.seconds() == null);
        double wanted = groups.stream()
                .mapToDouble(group -> unknown ? 0 : LONGER * group.seconds())
                .max()
                .orElse(0);
        double most = Math.max(LONGEST_SECONDS, 2 * full());
        if (unknown || step.seconds() >= most) {
            Undecided group = groups.get(0);
            stopped = Sentence.of(
                    "run.undecided",
                    CeilingResult.load(step.load(), inBytes),
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
            // Shorter trials passed above the quota before it took effect.
            throttled = true;
            guess = achieved;
            search.forgetPassesAbove(NEAR_THE_CEILING * achieved);
        }
        guess = step.kind() == Step.Kind.PUSH || (carried.throttled() && achieved < guess) ? achieved : guess;
        return new StepOutcome(passed(judgement), judgement.generatorLimited(), achieved, spentSeconds);
    }

    /** Whether a trial met each goal, for the goals it can judge. */
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
            // With buffers worth seconds of load, all acknowledgements would belong to the warm-up.
            return Warmup.NO_TIME;
        }
        boolean nearQuota = throttled && step.load() > NEAR_THE_CEILING * guess;
        return warmup(given, nearQuota);
    }

    /** The scenario's warm-up; near a quota long enough that the burst credit cannot carry the trial. */
    static Warmup warmup(Optional<Warmup> given, boolean nearQuota) {
        Warmup usual = given.filter(w -> !w.steady()).orElse(WARMUP);
        return nearQuota && usual.atMost().compareTo(QUOTA_WARMUP.atMost()) < 0 ? QUOTA_WARMUP : usual;
    }

    private SearchView view(Step step, int number) {
        TreeMap<Double, Boolean> tried = new TreeMap<>();
        boolean slo = !criteria.slo().isEmpty();
        for (Done d : done) {
            if (!Double.isInfinite(d.step().load()) && d.judgement().decidedWithinSlo()) {
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

    private Ceiling ceiling() {
        return new CeilingResult(cell, criteria.slo(), context.request(), done, search.answer(), stopped, throttled)
                .ceiling(
                        limits == null ? null : CeilingProof.cause(limits, probes),
                        context.run().host().ground(cell.scenario()),
                        outage);
    }
}
