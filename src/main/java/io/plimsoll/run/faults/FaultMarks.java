package io.plimsoll.run.faults;

import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.result.Progress;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Writes fault events to the timeline and reports active faults. Thread-safe. */
public final class FaultMarks {
    private final String trial;
    private final Consumer<TimelineEvent> timeline;
    private final Progress progress;
    private final Map<Integer, Sentence> active = new LinkedHashMap<>();
    /** Brokers affected by pending or active faults, by fault number. */
    private final Map<Integer, Integer> victims = new ConcurrentHashMap<>();

    private volatile long startNanos;
    private int next;

    public FaultMarks(String trial, Consumer<TimelineEvent> timeline, Progress progress) {
        this.trial = trial;
        this.timeline = timeline;
        this.progress = progress;
    }

    void start(long nanoTime) {
        startNanos = nanoTime;
    }

    /** One fault from its request on. */
    final class Marked {
        private final int number;
        private final FaultSpec spec;
        private Sentence what;
        private Integer broker;

        private Marked(int number, FaultSpec spec) {
            this.number = number;
            this.spec = spec;
            this.what = spec.planned();
        }

        void found(Fault.Effect<?> effect) {
            what = effect.what();
            broker = effect.victim().broker();
            if (broker != null) {
                victims.put(number, broker);
            }
        }

        void inEffect() {
            mark(this, FaultState.IN_EFFECT, null);
        }

        void over() {
            mark(this, FaultState.OVER, null);
        }

        void failed(Sentence reason) {
            mark(this, FaultState.FAILED, reason);
            note(Sentence.of("run.faultFailed", what, reason));
        }

        void skipped(Sentence reason) {
            mark(this, FaultState.SKIPPED, reason);
            note(Sentence.of("run.faultSkipped", what, reason));
        }
    }

    /** Whether a fault currently affects this target, such as {@code broker 2}. Any thread. */
    public boolean disturbs(String what) {
        return victims.values().stream().anyMatch(id -> what.equals("broker " + id));
    }

    synchronized Marked asked(FaultSpec spec) {
        Marked marked = new Marked(next++, spec);
        mark(marked, FaultState.ASKED, null);
        return marked;
    }

    void note(Sentence text) {
        timeline.accept(new TimelineEvent.Note(Instant.now(), trial, "warning", text));
    }

    void replicas(BrokerRoles.Replicas replicas) {
        timeline.accept(new TimelineEvent.Replicas(
                Instant.now(), trial, sinceStart(), replicas.underReplicated(), replicas.leaderless()));
    }

    private synchronized void mark(Marked marked, FaultState state, Sentence detail) {
        timeline.accept(new FaultMark(
                Instant.now(),
                trial,
                sinceStart(),
                new TimelineEvent.Deed(marked.number, marked.spec.kind().name(), marked.what, marked.broker),
                state,
                detail));
        if (state == FaultState.IN_EFFECT) {
            active.put(marked.number, marked.what);
        } else {
            active.remove(marked.number);
        }
        if (state == FaultState.OVER || state == FaultState.FAILED || state == FaultState.SKIPPED) {
            victims.remove(marked.number);
        }
        progress.fault(active.isEmpty() ? null : Sentence.of("run.faultsNow", List.copyOf(active.values())));
    }

    private long sinceStart() {
        return System.nanoTime() - startNanos;
    }
}
