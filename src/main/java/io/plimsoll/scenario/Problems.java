package io.plimsoll.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the mistakes of one reading. The same mistake seen in several trials counts once. Used by one thread.
 */
public final class Problems {
    private final Set<Problem> found = new LinkedHashSet<>();

    public void add(Position at, String path, String message) {
        found.add(new Problem(at.where(), at.line(), at.column(), path, message));
    }

    public void addAll(Problems others) {
        found.addAll(others.found);
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** In the order of the file; what has no position comes last. */
    public void throwIfAny() {
        if (isEmpty()) {
            return;
        }
        List<Problem> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingInt((Problem p) -> p.line() == 0 ? Integer.MAX_VALUE : p.line())
                .thenComparingInt(Problem::column));
        throw new ScenarioException(sorted);
    }
}
