package io.plimsoll.run.faults;

import io.plimsoll.PlimsollException;

/** One fault that happens to somebody who has been found. Begun and ended by one thread at a time. */
interface Effect {
    /** What and whom, for people. */
    String what();

    /** Null if it happens to none. */
    Integer broker();

    /**
     * Returns when the fault is in effect.
     *
     * @throws PlimsollException if it cannot be done
     */
    void begin() throws InterruptedException;

    /** Puts right what was wrong, as far as that is not done already. */
    void end() throws InterruptedException;

    /** Whether {@link #end} is a matter of milliseconds, so that it can be done for somebody who does not want to wait. */
    boolean endsQuickly();

    /** It cannot be done on this machine; the run goes on without it. */
    final class Impossible extends PlimsollException {
        private static final long serialVersionUID = 1L;

        Impossible(String reason) {
            super(io.plimsoll.Exit.USAGE, reason);
        }
    }
}
