package io.plimsoll.result;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.TimelineEvent.RunEnded;
import io.plimsoll.result.TimelineEvent.RunStarted;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.scenario.Check;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Derives the result from a timeline, one event at a time. Of a finished trial, only the result is kept. Used by one
 * thread.
 *
 * <p>A run passes each event to its {@link RunDirectory} and to a fold; {@link #endOf} and {@link #end} create the end
 * of each trial and of the run, with the verdict on the measurements so far.
 */
public final class Fold {
    private @Nullable RunStarted started;
    private @Nullable RunEnded ended;
    private List<SelfWarmup> selfWarmups = List.of();
    private List<ObservedSource> sources = List.of();
    private final Map<String, TrialFold> running = new LinkedHashMap<>();
    private final Map<String, TrialResult> results = new LinkedHashMap<>();
    private final List<Ceiling> ceilings = new ArrayList<>();
    /** Notes of the run. Repeated notes, such as a broker that is temporarily not observable, are kept once. */
    private final Set<Sentence> notes = new LinkedHashSet<>();

    private final List<Check> checks = new ArrayList<>();
    private final Folding folding;

    public Fold() {
        this(Folding.USUAL);
    }

    Fold(Folding folding) {
        this.folding = folding;
    }

    /**
     * Adds checks for trials that start later; the fold then keeps the figures of single seconds that these checks
     * need.
     */
    public void expect(List<Check> more) {
        checks.addAll(more);
    }

    public static RunResult fold(Stream<TimelineEvent> timeline) {
        Fold fold = new Fold();
        timeline.forEachOrdered(fold::accept);
        return fold.result();
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the timeline is corrupt or contains no run */
    public static RunResult of(RunDirectory directory) {
        try (Stream<TimelineEvent> timeline = directory.readTimeline()) {
            Fold fold = new Fold();
            timeline.forEachOrdered(fold::accept);
            Exit.USAGE.when(fold.started == null, "result.nothingToReport", directory.path(), RunDirectory.TIMELINE);
            return fold.result();
        }
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the event cannot follow the previous events */
    public void accept(TimelineEvent event) {
        if (started == null && !(event instanceof RunStarted)) {
            throw broken(Sentence.of("result.timeline.noRun"));
        }
        event.foldInto(this);
    }

    void start(RunStarted run) {
        if (started != null) {
            throw broken(Sentence.of("result.timeline.twoRuns"));
        }
        started = run;
    }

    void selfWarmed(List<SelfWarmup> workers) {
        selfWarmups = workers;
    }

    void sources(List<ObservedSource> all) {
        sources = all;
    }

    void start(TimelineEvent.TrialStarted e) {
        if (results.containsKey(e.name()) || running.put(e.name(), new TrialFold(e, checks, folding)) != null) {
            throw broken(Sentence.of("result.timeline.trialTwice", e.name()));
        }
    }

    /** Drops observations that arrive after the end of their trial, because queries of brokers take some time. */
    void observed(TimelineEvent.Observed e) {
        TrialFold trial = running.get(e.trial());
        if (trial != null) {
            trial.accept(e.observation());
            trial.slow().accept(e.observation());
        }
    }

    void add(TrialResult imported) {
        results.put(imported.name(), imported);
    }

    void end(TrialEnded e) {
        results.put(e.name(), running(e.name()).result(e));
        running.remove(e.name());
    }

    void diagnosed(TimelineEvent.Diagnosed e) {
        results.computeIfPresent(
                e.trial(), (name, trial) -> trial.with(trial.judgement().with(e.limits())));
    }

    void add(Ceiling searched) {
        ceilings.add(searched);
    }

    void end(RunEnded e) {
        ended = e;
    }

    void note(TimelineEvent.Note note) {
        if ("info".equals(note.level())) {
            return;
        }
        TrialFold trial = note.trial() == null ? null : running.get(note.trial());
        if (trial == null) {
            notes.add(note.text());
        } else {
            trial.note(note.text());
        }
    }

    TrialFold running(String trial) {
        TrialFold fold = running.get(trial);
        if (fold == null) {
            throw broken(Sentence.of("result.timeline.noSuchTrial", trial));
        }
        return fold;
    }

    private static PlimsollException broken(Sentence how) {
        return Exit.USAGE.because("result.notATimeline", RunDirectory.TIMELINE, how);
    }

    /** The end of a trial with its checks evaluated; checks in {@code end} are ignored. */
    public TrialEnded endOf(TrialEnded end, List<Check> checks) {
        TrialResult trial = running(end.name()).result(end);
        return end.with(checks.stream().map(c -> Checks.evaluate(trial, c)).toList());
    }

    /** The normal end of a run, with the verdict and exit code that follow from its trials. */
    public RunEnded end(Instant at) {
        List<TrialResult> trials = trials();
        return new RunEnded(at, Verdicts.exit(trials, between(trials), ceilings).code(), verdict(trials));
    }

    /**
     * End of an incomplete run. Damage that the audit found is reported before the reason and, unless the run was
     * interrupted, determines the exit code.
     *
     * @param exit such as {@link Exit#INTERRUPTED} or {@link Exit#CLUSTER}
     * @param reason one sentence without its final period, such as {@code The run was interrupted}
     */
    public RunEnded end(Instant at, Exit exit, Sentence reason) {
        List<TrialResult> trials = trials();
        boolean damaged = Verdicts.damaged(trials) && exit != Exit.INTERRUPTED;
        Exit worst = damaged ? Exit.AUDIT_FAILED : exit;
        return new RunEnded(at, worst.code(), Verdicts.cutShort(trials, ceilings, reason, List.copyOf(notes)));
    }

    /** The result of the events so far; if the end is missing, the result of a killed run. */
    public RunResult result() {
        RunStarted started = started();
        List<TrialResult> trials = trials();
        return new RunResult(
                new RunResult.Head(
                        RunResult.SCHEMA,
                        started.name(),
                        started.at(),
                        ended == null ? null : ended.at(),
                        started.command(),
                        ended == null ? null : ended.exitCode(),
                        started.seed(),
                        started.scale()),
                started.tool(),
                started.environment() == null ? null : started.environment().with(selfWarmups, sources),
                started.scenario(),
                ended == null
                        ? Verdicts.cutShort(trials, ceilings, Sentence.of("result.killed"), List.copyOf(notes))
                        : recorded(ended, trials),
                trials,
                RunResult.Published.of(started.reference(), started.comparisons(), trials),
                List.copyOf(ceilings));
    }

    /** @throws PlimsollException if no run has started */
    private RunStarted started() {
        if (started == null) {
            throw broken(Sentence.of("result.timeline.empty"));
        }
        return started;
    }

    /**
     * The recorded verdict. Versions before 1.0 recorded its sentence in English without a key; if the exit code still
     * follows from the trials, the sentence is derived from them in every language. Warnings are returned as recorded.
     */
    private RunResult.Verdict recorded(RunEnded ended, List<TrialResult> trials) {
        RunResult.Verdict then = ended.verdict();
        boolean imported = trials.stream().anyMatch(t -> t.course().valid() == null);
        boolean follows = !imported
                && then.sentence().isVerbatim()
                && Verdicts.exit(trials, between(trials), ceilings).code() == ended.exitCode();
        return follows
                ? new RunResult.Verdict(then.passed(), verdict(trials).sentence(), then.warnings(), then.notes())
                : then;
    }

    private RunResult.Verdict verdict(List<TrialResult> trials) {
        return Verdicts.of(trials, between(trials), ceilings, List.copyOf(notes));
    }

    private List<CrossCheckResult> between(List<TrialResult> trials) {
        return started().comparisons().stream()
                .map(c -> CrossCheckResult.of(c, trials))
                .toList();
    }

    /** @throws PlimsollException if no trial with this name has ended */
    public TrialResult trial(String name) {
        TrialResult result = results.get(name);
        if (result == null) {
            throw broken(Sentence.of("result.timeline.noSuchTrial", name));
        }
        return result;
    }

    private List<TrialResult> trials() {
        List<TrialResult> all = new ArrayList<>(results.values());
        running.values().forEach(t -> all.add(t.result(null)));
        return List.copyOf(all);
    }
}
