package io.plimsoll;

import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where something is in its life. One thread moves it; any thread may ask. The state is volatile: a thread that sees one
 * also sees everything that was written before it was entered.
 *
 * @param <S> the states, declared in the order of the life
 */
public final class Lifecycle<S extends Enum<S>> {
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private final Map<S, Set<S>> legal;
    private volatile S now;

    /** @param legal the states that may follow each one; a state without an entry is final */
    public Lifecycle(S first, Map<S, Set<S>> legal) {
        this.now = first;
        this.legal = legal;
    }

    public S now() {
        return now;
    }

    /** Whether it is in this state or in a later one. */
    public boolean reached(S state) {
        return now.compareTo(state) >= 0;
    }

    /** @throws IllegalStateException if the state may not follow the present one, which is a fault of the program */
    public void enter(S next) {
        if (!legal.getOrDefault(now, Set.of()).contains(next)) {
            throw new IllegalStateException(now + " -> " + next);
        }
        LOG.debug("{}: {} -> {}", next.getDeclaringClass().getSimpleName(), now, next);
        now = next;
    }

    @Override
    public String toString() {
        return now.toString();
    }
}
