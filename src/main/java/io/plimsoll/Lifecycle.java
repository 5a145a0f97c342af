package io.plimsoll;

import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A state machine with asserted transitions. One thread changes the state; any thread can read it. The state is
 * volatile: a thread that reads a state sees all writes that preceded the transition to it.
 *
 * @param <S> the states, declared in lifecycle order
 */
public final class Lifecycle<S extends Enum<S>> {
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private final Map<S, Set<S>> legal;
    private volatile S now;

    /** @param legal allowed successors of each state; a state without an entry is final */
    public Lifecycle(S first, Map<S, Set<S>> legal) {
        this.now = first;
        this.legal = legal;
    }

    public S now() {
        return now;
    }

    /** Whether the present state is this one or a later one. */
    public boolean reached(S state) {
        return now.compareTo(state) >= 0;
    }

    /** @throws IllegalStateException if the transition is illegal, which is a bug */
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
