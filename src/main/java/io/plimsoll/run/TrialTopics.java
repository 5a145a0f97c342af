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
 * What one trial makes on the cluster: its topics, of which later trials may need some, and the groups of its consumers. Used by
 * the thread of the run; what there is of it may be asked by any.
 */
final class TrialTopics {
    private final RunContext run;
    private final Plan.Trial trial;
    /** What there is of it now. */
    final CreatedResources traces;

    TrialTopics(RunContext run, Plan.Trial trial) {
        this.run = run;
        this.trial = trial;
        this.traces = new CreatedResources(run.cluster().topics(), run.cluster().groups(), run.cluster().made);
    }

    /** Makes those that are not there; returns the seconds that it took, null if none was missing. */
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

    /** The groups that its consumers are going to make are its own, too. */
    void groups(Set<String> ids) {
        traces.groups(ids);
        record().note(trial.name(), Set.of(), traces.groups());
    }

    private RunTopics record() {
        return RunTopics.of(
                run.request(), run.cluster(), run.runId(), run.recording().timeline());
    }

    /**
     * Deletes exactly what this trial created. A lab is removed as a whole, but its topics may be needed anew.
     *
     * @param ended it has come to its end
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

    /** Topics that were written before the trial on purpose. */
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
