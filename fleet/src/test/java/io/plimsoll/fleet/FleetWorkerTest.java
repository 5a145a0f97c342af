package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.FleetMessage.Ended;
import io.plimsoll.fleet.FleetMessage.Failed;
import io.plimsoll.fleet.FleetMessage.Prepare;
import io.plimsoll.fleet.FleetMessage.Prepared;
import io.plimsoll.fleet.FleetMessage.Stop;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.run.Worker;
import io.plimsoll.run.WorkerBarrier;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A trial's result covers all agents, or states that it does not. */
class FleetWorkerTest {
    private final RemoteAgent a = agent("a");
    private final RemoteAgent b = agent("b");
    private final List<String> sent = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final RecordingListener seen = new RecordingListener();

    private static final class RecordingListener implements Worker.Listener {
        private List<WorkerResult> workers = List.of();

        @Override
        public void snapshot(Snapshot snapshot) {}

        @Override
        public void workers(List<WorkerResult> all) {
            workers = all;
        }

        List<String> lost() {
            return workers.stream()
                    .filter(w -> w.lost() != null)
                    .map(WorkerResult::name)
                    .toList();
        }
    }

    private static RemoteAgent agent(String name) {
        RemoteAgent agent = new RemoteAgent("pekko://plimsoll@127.0.0.1:" + name.codePointAt(0));
        agent.introduce(new FleetMessage.Info(name, Map.of(), "1", 2, null, Map.of(), null, null, name, List.of(), Set.of()));
        agent.saw(new FleetMessage.BeatAnswer(1, 2, 3), 4);
        return agent;
    }

    private FleetWorker worker(boolean continues) {
        FleetRules rules = new FleetRules(Map.of(), Map.of(), continues);
        return new FleetWorker(List.of(a, b), rules, null, (to, trial, message) -> {
            sent.add(to.name() + " " + message.getClass().getSimpleName());
            if (message instanceof Stop stop) {
                assertThat(stop.atOnce()).isTrue();
            }
            return null;
        });
    }

    private TrialAssignment trial() {
        String yaml = "name: n\ntopics: [{name: t}]\nproducers: [{topic: t, clients: 2, rate: 10/s}]";
        Scenario scenario =
                ScenarioReader.read(yaml, "n", List.of(), 1).trials().get(0).scenario();
        LoadContext context = new LoadContext(
                Map.of("bootstrap.servers", "127.0.0.1:1"), "tag", 7, 1, note -> notes.add(note.english()));
        return new TrialAssignment("t", scenario, context, EndToEndSource.STAMP);
    }

    private static Ended ended(boolean complete) {
        WorkerBarrier.Produced nothing = new WorkerBarrier.Produced(Map.of(), Map.of());
        TrialOutcome outcome =
                new TrialOutcome(nothing, Map.of(), 1, 0, Map.of(), complete, List.of(), null, List.of());
        return new Ended(outcome, 0, 0, Latencies.EMPTY);
    }

    private FleetWorker prepared(boolean continues) {
        FleetWorker worker = worker(continues);
        for (RemoteAgent agent : List.of(a, b)) {
            worker.received(agent, "t", new Prepared(List.of(), Worker.LoadLimits.UNKNOWN, List.of()));
        }
        worker.prepare(trial());
        return worker;
    }

    @Test
    void trialIsCompleteIfAllAgentsEnd() {
        FleetWorker worker = prepared(false);
        worker.received(a, "t", ended(true));
        worker.received(b, "t", ended(true));
        assertThat(worker.run(seen).complete()).isTrue();
        assertThat(seen.lost()).isEmpty();
        assertThat(notes).isEmpty();
    }

    @Test
    void agentThatEndsEarlyIsLost() {
        FleetWorker worker = prepared(false);
        worker.received(a, "t", ended(false));
        worker.received(b, "t", ended(false));
        assertThatThrownBy(() -> worker.run(seen))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.INVALID_MEASUREMENT))
                .hasMessageFindingMatch(Said.en(
                                "fleet.agentLost",
                                "a (127.0.0.1:97)",
                                Sentence.of("fleet.lost.stopped").english())
                        .pattern());
        assertThat(sent).contains("b Stop");
        assertThat(seen.lost()).containsExactly("a");
        assertThat(notes).hasSize(1);
    }

    @Test
    void remainingAgentsContinueIfConfigured() {
        FleetWorker worker = prepared(true);
        worker.received(a, "t", ended(false));
        worker.received(b, "t", ended(true));
        assertThat(worker.run(seen).complete()).isFalse();
        assertThat(sent).doesNotContain("b Stop");
        assertThat(seen.lost()).containsExactly("a");
        assertThat(notes).hasSize(1);
    }

    @Test
    void agentInterruptedWhilePreparingIsLost() {
        FleetWorker worker = worker(false);
        worker.received(a, "t", new Failed(Exit.INTERRUPTED, Sentence.of("fleet.stoppedBeforeStart")));
        assertThatThrownBy(() -> worker.prepare(trial()))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.INVALID_MEASUREMENT))
                .hasMessageContaining("agent a (127.0.0.1:97) was lost");
        assertThat(sent).contains("b Stop");
    }

    @Test
    void orderTooLargeToSendFailsTrial() {
        Sentence tooLarge = Sentence.of("fleet.tooLarge", "Prepare", "5 MB", "4 MB");
        FleetRules rules = new FleetRules(Map.of(), Map.of(), true);
        FleetWorker worker = new FleetWorker(List.of(a, b), rules, null, (to, trial, message) -> {
            sent.add(to.name() + " " + message.getClass().getSimpleName());
            return to == b && message instanceof Prepare ? tooLarge : null;
        });
        assertThatThrownBy(() -> worker.prepare(trial()))
                .isInstanceOfSatisfying(PlimsollException.class, e -> {
                    assertThat(e.exit()).isEqualTo(Exit.INTERNAL);
                    assertThat(e.sentence().key()).isEqualTo("fleet.agentFailed");
                    assertThat(e.sentence().arguments()).contains(tooLarge);
                });
        assertThat(sent).contains("a Prepare", "a Stop");
    }

    @Test
    void agentLostBetweenTrialsIsMissingInNext() {
        a.lose(Sentence.of("fleet.lost.gone"));
        assertThatThrownBy(() -> worker(false).prepare(trial()))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.INVALID_MEASUREMENT))
                .hasMessageContaining("agent a (127.0.0.1:97) was lost before this trial");
        assertThat(sent).isEmpty();

        FleetWorker worker = worker(true);
        worker.received(b, "t", new Prepared(List.of(), Worker.LoadLimits.UNKNOWN, List.of()));
        worker.prepare(trial());
        assertThat(sent).containsExactly("b " + Prepare.class.getSimpleName());
        assertThat(notes).singleElement().asString().containsPattern(Said.en("fleet.lostBefore"));
    }
}
