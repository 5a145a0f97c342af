package io.plimsoll.run;

import io.plimsoll.result.TimelineEvent.Note;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Cluster resources of one trial: its topics, possibly kept for later trials, and its consumer groups. Confined to the
 * run's thread; readable by any thread.
 */
final class TrialTopics {
    private final RunContext run;
    private final Plan.Trial trial;
    /** Resources that exist now. */
    final CreatedResources traces;

    TrialTopics(RunContext run, Plan.Trial trial) {
        this.run = run;
        this.trial = trial;
        this.traces = new CreatedResources(run.cluster().topics(), run.cluster().groups(), run.cluster().made);
    }

    /** Creates missing topics; returns the duration in seconds, null if none was missing. */
    Double create(Scenario scenario) {
        traces.topics(run.kept().getAndSet(Set.of()));
        List<TopicSpec> wanted = scenario.topics().stream()
                .filter(t -> !t.existing() && !traces.topics().contains(t.name()))
                .toList();
        if (wanted.isEmpty()) {
            return null;
        }
        run.recording().progress().phase(trial.name(), "creating topics", -1, -1);
        long before = System.nanoTime();
        run.interruption().during(() -> run.cluster().create(wanted, topics -> record().create(trial.name(), topics)));
        double seconds = (System.nanoTime() - before) / 1e9;
        traces.topics(wanted.stream().map(TopicSpec::name).toList());
        return seconds;
    }

    /** Registers the groups that the trial's consumers will create. */
    void groups(Set<String> ids) {
        traces.groups(ids);
        record().note(trial.name(), Set.of(), traces.groups());
    }

    private RunTopics record() {
        return RunTopics.of(
                run.request(), run.cluster(), run.runId(), run.recording().timeline());
    }

    /**
     * Deletes the resources created by this trial. A lab is removed as a whole, but its topics can be needed again.
     *
     * @param ended whether the trial completed
     */
    void remove(boolean ended) {
        boolean interrupted = run.interruption().requested();
        if (ended && !interrupted) {
            run.kept().set(traces.leave(neededLater()));
        }
        if (run.cluster().isLab() && (isLastTrial() || interrupted)) {
            return;
        }
        run.recording().progress().phase(trial.name(), "cleaning up", -1, -1);
        traces.remove()
                .ifPresent(left -> run.recording().timeline().accept(new Note(Instant.now(), null, "warning", left)));
    }

    /** Topics that intentionally hold records from before the trial. */
    static Set<String> reused(Scenario scenario) {
        return scenario.topics().stream()
                .filter(TopicSpec::keep)
                .map(TopicSpec::name)
                .collect(Collectors.toSet());
    }

    private Set<String> neededLater() {
        List<Plan.Trial> trials = run.request().plan().trials();
        return trials.stream()
                .skip(trials.indexOf(trial) + 1L)
                .flatMap(t -> reused(t.scenario()).stream())
                .collect(Collectors.toSet());
    }

    boolean isLastTrial() {
        List<Plan.Trial> trials = run.request().plan().trials();
        return trials.get(trials.size() - 1).equals(trial);
    }
}
