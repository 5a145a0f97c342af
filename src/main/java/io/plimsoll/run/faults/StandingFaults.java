package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Faults that stay in effect beyond the trial in which they happened. Used by one thread. */
public final class StandingFaults {
    public static final StandingFaults NONE = new StandingFaults(List.of());

    private final List<Fault.Effect<?>> effects;

    StandingFaults(List<Fault.Effect<?>> effects) {
        this.effects = new ArrayList<>(effects);
    }

    /** The ids of the brokers that they happened to. */
    public List<Integer> brokers() {
        return effects.stream()
                .map(effect -> effect.victim().broker())
                .filter(Objects::nonNull)
                .sorted()
                .toList();
    }

    /**
     * Ends them: brokers are started again, and commands undone. Does nothing the second time.
     *
     * @throws PlimsollException if one could not be ended; all others are
     */
    public void end() {
        PlimsollException failure = null;
        for (Fault.Effect<?> effect : List.copyOf(effects)) {
            effects.remove(effect);
            try {
                effect.end();
            } catch (PlimsollException e) {
                failure = new PlimsollException(e.exit(), Sentence.of("run.notPutRight", e.sentence()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw Exit.INTERRUPTED.because(e, "run.interruptedSearch");
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
