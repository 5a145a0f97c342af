package io.plimsoll.run.faults;

import io.plimsoll.lab.LabOptions;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Settings;
import java.util.List;
import java.util.Optional;

/** A kind of fault as a run carries it out. Its classes are stateless. */
public abstract class Fault implements FaultKind {
    private final Key<Optional<Target>> key;

    /** @param key whose value says to whom it happens */
    Fault(Key<Optional<Target>> key) {
        this.key = key;
    }

    /** The kind of a fault; all that are registered are of this class. */
    public static Fault of(FaultSpec spec) {
        return (Fault) spec.kind();
    }

    @Override
    public Key<?> key() {
        return key;
    }

    @Override
    public Optional<Target> target(Settings fault) {
        return fault.get(key);
    }

    /** Whether only the lab of a run has what it happens to. */
    public boolean needsLab() {
        return true;
    }

    /** Whether the user must have allowed it on the command line. */
    public boolean needsConsent() {
        return false;
    }

    /** The lab that is needed so that it can happen. */
    public LabOptions prepared(LabOptions lab, FaultSpec spec) {
        return lab;
    }

    /** What can be done by hand to a broker of a lab that stays, as commands of {@code lab}. */
    public List<ByHand> byHand() {
        return List.of();
    }

    /** What becomes of one that is still in effect when the load has ended. */
    enum AfterLoad {
        /** It is ended. */
        END,
        /** It is ended only if the brokers are needed again. */
        END_IF_NEEDED,
        /** It stays: nobody misses those to whom it happened. */
        LEAVE
    }

    AfterLoad afterLoad() {
        return AfterLoad.END;
    }

    /**
     * One of these that happens to somebody who is found now.
     *
     * @param target never {@link Target.Each}
     * @throws io.plimsoll.PlimsollException if there is nobody whom it could happen to
     */
    abstract Effect on(Target target, FaultSpec spec, Victims victims);

    /** {@link #english()} of somebody. */
    final String done(String whom) {
        return english().replace("{0}", whom);
    }
}
