package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.load.VirtualTime;
import io.plimsoll.result.Ceiling.Probe;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.result.TrialResult;
import io.plimsoll.run.CellSearch.CeilingProof;
import io.plimsoll.run.CellSearch.Done;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.search.Criteria;
import io.plimsoll.search.Step;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A cause is proved by the load carried after its change alone, within noise and time, in virtual time. */
class CeilingProofTest {
    private static final double UPPER = 1000;
    private static final long TRIAL_NANOS = 10 * VirtualTime.SECOND;

    private static final Plan.Trial CELL = ScenarioReader.read(
                    "topics: [{name: t, replication: 3}]\nproducers: [{topic: t, rate: 1000/s}]\nduration: 10s\n",
                    "c.yaml",
                    List.of(),
                    1)
            .trials()
            .get(0);

    private final VirtualTime time = new VirtualTime();
    private final List<String> made = new ArrayList<>();
    private boolean interrupted;

    private static TrialResult carrying(double share) {
        long due = 1100;
        Second second = new Second(due, Timelines.latencies(Math.round(due * share), 5000))
                .acknowledged(Math.round(due * share));
        return Timelines.oneTrial(
                        Timelines.plan(true, 1, 0),
                        Stream.generate(() -> second).limit(10).toList(),
                        Timelines.trialEnded("t", 10, Math.round(10 * due * share), 0))
                .trials()
                .get(0);
    }

    private static Done failed(double share) {
        TrialResult result = carrying(share);
        return new Done(new Step(Step.Kind.CLASSIFY, UPPER, 10), result, new Criteria(List.of()).judge(result));
    }

    /** @param seconds remaining time; a trial takes ten of them */
    private List<Probe> probe(long seconds, double unchanged, double changed, Done... done) {
        Sentence limit = Sentence.of("diagnose.cause.replication");
        Suspect suspect = new Suspect(limit, Sentence.verbatim("broker 1"), 0.8, limit, List.of());
        Suspect unlikely = new Suspect(Sentence.of("diagnose.cause.disk"), null, 0.1, limit, List.of());
        long end = time.nanoTime() + seconds * VirtualTime.SECOND;
        CeilingProof proof = new CeilingProof(
                CELL,
                new Criteria(List.of()),
                false,
                UPPER,
                List.of(done),
                List.of(1, 2, 3),
                (trial, load) -> {
                    assertThat(load).isEqualTo(1.1 * UPPER);
                    time.passTo(time.nanoTime() + TRIAL_NANOS);
                    made.add(trial.name());
                    if (trial.name().startsWith("replication") && changed < 0) {
                        throw Exit.USAGE.because("run.noBrokerRunning");
                    }
                    boolean control = trial.name().equals("unchanged");
                    TrialResult result = carrying(control ? unchanged : Math.abs(changed));
                    return interrupted && !control ? Timelines.interrupted(result) : result;
                },
                load -> time.nanoTime() + TRIAL_NANOS <= end);
        return proof.probe(new Limits(List.of(suspect, unlikely), List.of(), List.of()));
    }

    @Test
    void triesEachChangeAloneAgainstUnchangedLoad() {
        List<Probe> probes = probe(100, 0.8, 1);
        assertThat(made).containsExactly("unchanged", "acks all → 1", "replication → 1");
        assertThat(probes)
                .hasSize(2)
                .allSatisfy(probe -> {
                    assertThat(probe.moved()).isTrue();
                    assertThat(probe.recordsPerSecond()).isEqualTo(1100);
                    assertThat(probe.unchangedRecordsPerSecond()).isEqualTo(880);
                })
                .extracting(probe -> probe.factor().english())
                .containsExactly("acks", "replication");
    }

    @Test
    void ignoresDifferencesWithinTrialVariation() {
        assertThat(probe(100, 0.8, 0.85)).allMatch(Probe::moved);
        assertThat(probe(100, 0.8, 0.85, failed(0.8), failed(0.72))).noneMatch(Probe::moved);
        assertThat(probe(100, 0.8, 0.81)).noneMatch(Probe::moved);
    }

    @Test
    void triesOnlyChangesThatFitRemainingTime() {
        assertThat(probe(9, 0.8, 1)).isEmpty();
        assertThat(made).isEmpty();
        assertThat(probe(25, 0.8, 1)).hasSize(1);
        assertThat(made).containsExactly("unchanged", "acks all → 1");
    }

    @Test
    void ignoresInterruptedTrials() {
        interrupted = true;
        assertThat(probe(100, 0.8, 1)).isEmpty();
    }

    @Test
    void skipsChangesTheClusterRefuses() {
        assertThat(probe(100, 0.8, -1))
                .extracting(probe -> probe.factor().english())
                .containsExactly("acks");
    }
}
