package io.plimsoll.result;

import io.plimsoll.measure.Endings;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Optional;

/** Why a trial is no measure of the cluster. */
public enum Invalidity {
    /** The load generator was the limit. */
    GENERATOR("result.invalid", "result.invalidIn"),
    /** Producers or members of groups could not go on: see {@link Endings}. */
    CLIENTS_ENDED(null, "result.endedEarly"),
    /** A fault could not be made, or not be undone: what was to be shown was not tried. */
    FAULT_FAILED(null, "result.faultFailed"),
    /** Nothing was acknowledged, or received where nothing was sent, or of connections alone none stood. */
    NOTHING_CAME("result.noMeasure", "result.nothingCameIn");

    /** Null where the trial is named in any case. */
    private final String ofOne;

    private final String ofNamed;

    Invalidity(String ofOne, String ofNamed) {
        this.ofOne = ofOne;
        this.ofNamed = ofNamed;
    }

    /** Empty for a trial that is valid, or was imported and never judged. */
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
        return Optional.of(failed ? FAULT_FAILED : arrived(trial) ? GENERATOR : NOTHING_CAME);
    }

    /** Whether the load generator has made it so. */
    public static boolean byGenerator(TrialResult trial) {
        return of(trial).equals(Optional.of(GENERATOR));
    }

    /**
     * What is said of trials that are invalid for this reason.
     *
     * @param only the run has no other trial
     */
    public Sentence said(List<String> trials, boolean only) {
        return only && ofOne != null ? Sentence.of(ofOne) : Sentence.of(ofNamed, Sentences.list(trials));
    }

    private static boolean arrived(TrialResult trial) {
        if (trial.produce() == null && trial.consume() == null) {
            return false;
        }
        TrialResult.Volume volume = trial.produce() == null
                ? trial.consume().volume()
                : trial.produce().volume();
        boolean later = volume.records() != null && volume.records() > 0;
        return later || (volume.recordsPerSecond() != null && volume.recordsPerSecond() > 0);
    }
}
