package io.plimsoll.run.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.Progress;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Settings;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fault ends exactly once, whichever thread ends it. */
@Timeout(60)
class FaultInjectorTest {
    private final List<TimelineEvent> timeline = Collections.synchronizedList(new ArrayList<>());

    /** The fault begins with the load and ends immediately. */
    private static FaultSpec brief(Fault<String> fault) {
        return new FaultSpec(
                fault,
                new FaultSpec.Target.Any(),
                new FaultSpec.Timing(Duration.ZERO, Optional.empty(), Optional.of(Duration.ofNanos(1))),
                Settings.NONE);
    }

    @Test
    void endsOnlyOnceIfLoadEndsAtTheSameTime() throws Exception {
        Thread trial = Thread.currentThread();
        AtomicInteger ends = new AtomicInteger();
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch ending = new CountDownLatch(1);
        Fault<String> lingering = Fault.on(
                FaultSpec.broker("kill"),
                (victims, target) -> new Fault.Victim<>("it", Sentence.verbatim("it"), null),
                FaultKind.Outage.NONE,
                (it, spec) -> {},
                (it, spec) -> {
                    ends.incrementAndGet();
                    ending.countDown();
                    // Until the trial's thread also ends it, or waits for this one.
                    while (ends.get() == 1 && trial.getState() != Thread.State.BLOCKED) {
                        Thread.onSpinWait();
                    }
                });
        try (Admin unreachable = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"));
                FaultInjector injector = injector(brief(lingering), unreachable)) {
            long now = System.nanoTime();
            injector.start(new TrialClock(now, now, Long.MAX_VALUE, 0));
            ending.await();
            // In a hurry, only so long that it does not wait for the fault's own thread.
            injector.loadEnded(() -> false, () -> asked.getAndIncrement() == 0);
        }
        assertThat(ends).hasValue(1);
        assertThat(states()).containsExactly(FaultState.ASKED, FaultState.IN_EFFECT, FaultState.OVER);
    }

    /** For example a full disk without the right to mount one. */
    @Test
    void skipsFaultThatProvesImpossible() {
        Fault<String> impossible = Fault.on(
                FaultSpec.broker("fillDisk"),
                (victims, target) -> new Fault.Victim<>("it", Sentence.verbatim("it"), null),
                FaultKind.Outage.NONE,
                (it, spec) -> {
                    throw new Fault.Impossible(Sentence.verbatim("no rights"));
                },
                (it, spec) -> {});
        FaultSpec spec = new FaultSpec(
                impossible,
                new FaultSpec.Target.Any(),
                new FaultSpec.Timing(Duration.ZERO, Optional.empty(), Optional.empty()),
                Settings.NONE);
        try (Admin unreachable = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"));
                FaultInjector injector = injector(spec, unreachable)) {
            long now = System.nanoTime();
            injector.start(new TrialClock(now, now, Long.MAX_VALUE, 0));
            while (!states().contains(FaultState.SKIPPED) && !states().contains(FaultState.FAILED)) {
                Thread.onSpinWait();
            }
        }
        assertThat(states()).containsExactly(FaultState.ASKED, FaultState.SKIPPED);
    }

    @Test
    void reportsDefectAtEndAsFailure() {
        Fault<String> defective = Fault.on(
                FaultSpec.broker("kill"),
                (victims, target) -> new Fault.Victim<>("it", Sentence.verbatim("it"), null),
                FaultKind.Outage.NONE,
                (it, spec) -> {},
                (it, spec) -> {
                    throw new IllegalStateException("planted");
                });
        try (Admin unreachable = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"));
                FaultInjector injector = injector(brief(defective), unreachable)) {
            long now = System.nanoTime();
            injector.start(new TrialClock(now, now, Long.MAX_VALUE, 0));
            while (!states().contains(FaultState.FAILED)) {
                Thread.onSpinWait();
            }
        }
        assertThat(states()).containsExactly(FaultState.ASKED, FaultState.IN_EFFECT, FaultState.FAILED);
        Sentence defect = Sentence.verbatim(new IllegalStateException("planted").toString());
        assertThat(timeline)
                .filteredOn(FaultMark.class::isInstance)
                .last()
                .extracting(event -> ((FaultMark) event).detail())
                .isEqualTo(Sentence.of("run.notPutRight", defect));
    }

    /** Persistent lab brokers keep settings that are not reverted. */
    @Test
    void revertsSettingsAfterFailureOrInterrupt() {
        Fault<?> change = (Fault<?>) FaultKind.all().get("changeConfig");
        assertThat(change.has(Trait.ENDS_AFTER_FAILURE)).isTrue();
        assertThat(change.has(Trait.ENDS_QUICKLY)).isTrue();
    }

    private FaultInjector injector(FaultSpec spec, Admin admin) {
        return new FaultInjector(
                List.of(spec),
                new Victims(
                        Optional.empty(),
                        new BrokerRoles(admin),
                        List.of(),
                        entry -> List.of(),
                        new SplittableRandom(1),
                        Set.of()),
                broker -> {},
                List.of(),
                "trial",
                timeline::add,
                Progress.NONE);
    }

    private List<FaultState> states() {
        synchronized (timeline) {
            return timeline.stream()
                    .filter(FaultMark.class::isInstance)
                    .map(event -> ((FaultMark) event).state())
                    .toList();
        }
    }
}
