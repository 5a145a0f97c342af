package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects the errors found while reading a scenario. An error found in several trials counts once. Used by one thread. */
public final class Problems {
    private final Set<Problem> found = new LinkedHashSet<>();

    public void add(Position at, String path, Sentence message) {
        found.add(new Problem(at, path, message));
    }

    public void add(Position at, String path, String key, Object... arguments) {
        add(at, path, Sentence.of(key, arguments));
    }

    public void addAll(Problems others) {
        found.addAll(others.found);
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** All problems in the order of the file; problems without a position come last. */
    List<Problem> sorted() {
        return found.stream()
                .sorted(Comparator.comparingInt((Problem p) -> p.at().line() == 0 ? Integer.MAX_VALUE : p.at().line())
                        .thenComparingInt(p -> p.at().column()))
                .toList();
    }

    public void throwIfAny() {
        if (!isEmpty()) {
            throw new ScenarioException(sorted());
        }
    }
}
