package io.plimsoll.result;

import io.plimsoll.measure.Endings;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reasons why the figures of a trial do not describe the cluster. */
public enum Invalidity {
    /** The load generator was the limit. */
    GENERATOR("result.invalid", "result.invalidIn"),
    /** Other programs took the CPU of the host on which the brokers also run, and the load was not sustained. */
    BUSY_HOST("result.othersTookCpu", "result.othersTookCpuIn"),
    /** Producers or group members terminated: see {@link Endings}. */
    CLIENTS_ENDED(null, "result.endedEarly"),
    /** A fault could not be injected or removed, so its effect was not tested. */
    FAULT_FAILED(null, "result.faultFailed"),
    /**
     * No record was acknowledged (without producers: received) in the window. Or the load had only connections, and
     * none was established.
     */
    NOTHING_ARRIVED("result.noMeasure", "result.nothingCameIn");

    /** The sentence for a single trial; null if the other sentence, which names the trial, is always used. */
    private final @Nullable String ofOne;

    private final String ofNamed;

    Invalidity(@Nullable String ofOne, String ofNamed) {
        this.ofOne = ofOne;
        this.ofNamed = ofNamed;
    }

    /** The reason for a trial; empty if the trial is valid, or was imported and never judged. */
    public static Optional<Invalidity> of(TrialResult trial) {
        if (!Boolean.FALSE.equals(trial.course().valid())) {
            return Optional.empty();
        }
        boolean ended = (trial.produce() != null && Endings.any(trial.produce().events()))
                || (trial.consume() != null && Endings.any(trial.consume().events()));
        if (ended) {
            return Optional.of(CLIENTS_ENDED);
        }
        boolean failed = trial.detail().faults().stream()
                .anyMatch(fault -> "failed".equals(fault.deed().outcome()));
        TrialResult.Volume volume = trial.volume();
        boolean arrived = volume != null && volume.records() != null && volume.records() > 0;
        return Optional.of(
                failed
                        ? FAULT_FAILED
                        : !arrived
                                ? NOTHING_ARRIVED
                                : BusyHost.leftNoMore(trial) && !limitedByGenerator(trial) ? BUSY_HOST : GENERATOR);
    }

    /** Whether the load generator is the reason. */
    public static boolean byGenerator(TrialResult trial) {
        return of(trial).equals(Optional.of(GENERATOR));
    }

    /** The verdict for these trials, or for the only trial of the run. */
    public Sentence said(List<String> trials, boolean only) {
        return only && ofOne != null ? Sentence.of(ofOne) : Sentence.of(ofNamed, Sentences.list(trials));
    }

    private static boolean limitedByGenerator(TrialResult trial) {
        Generator generator = trial.observed().generator();
        return generator != null && generator.limited();
    }

    /** Whether other programs left too little CPU on the brokers' host for valid figures of the brokers. */
    public static boolean isHostTaken(TrialResult trial) {
        return BusyHost.tookCpu(trial);
    }

    /**
     * Whether the capacity of the cluster can be higher, because the load generator or other programs on a shared host
     * were the limit.
     */
    public static boolean isLowerBound(TrialResult trial) {
        return limitedByGenerator(trial) || BusyHost.leftNoMore(trial);
    }

    /**
     * Whether the throughput is a lower bound: the capacity of the cluster can be higher, and the offered load was not
     * reached. A rate that includes a backlog from before the window says nothing about the capacity.
     */
    public static boolean isThroughputLowerBound(TrialResult trial) {
        boolean reached = trial.paced() && Boolean.TRUE.equals(trial.course().valid());
        boolean backlog = trial.produce() != null && ProduceFigures.aboveOffered(trial.produce());
        return !reached && !backlog && isLowerBound(trial);
    }
}
