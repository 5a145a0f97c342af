package io.plimsoll.scenario;

import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.FaultSpec.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a fault of an entry of {@code faults} that has been read. */
final class FaultBinder {
    private final EntryReading entry;
    private final Optional<Duration> loadEnds;

    /** @param loadEnds the length of the measured window; empty if it ends with a number of records */
    FaultBinder(EntryReading entry, Optional<Duration> loadEnds) {
        this.entry = entry;
        this.loadEnds = loadEnds;
    }

    /** @return empty, with a problem added, if it cannot be told what is meant */
    Optional<FaultSpec> bind() {
        Map<String, FaultKind> kinds = FaultKind.all();
        Optional<FaultKind> named = entry.form()
                .only(List.copyOf(kinds.keySet()), "one of the keys " + String.join(", ", kinds.keySet()))
                .map(kinds::get);
        if (named.isEmpty()) {
            return Optional.empty();
        }
        FaultKind kind = named.get();
        entry.form().keys().forEach(key -> requireOwn(key, kind));
        kind.check(entry);
        Optional<Target> whom = kind.target(entry.settings());
        Optional<Duration> every = entry.get(FaultKeys.EVERY);
        if (!entry.has("at") && !entry.has("every")) {
            entry.problem("says not when: give at, such as at: 10s, or every, such as every: 30s");
        }
        Optional<Duration> lasting = entry.get(kind.end());
        Duration first = entry.get(FaultKeys.AT).or(() -> every).orElse(Duration.ZERO);
        checkTimes(kind, first, every, lasting);
        if (whom.isPresent() && whom.get() instanceof Target.Each && lasting.isEmpty()) {
            entry.problem("each broker in turn needs an end to each: give "
                    + kind.end().name());
        }
        return whom.map(target -> new FaultSpec(kind, target, new Timing(first, every, lasting), entry.settings()));
    }

    private void requireOwn(Key<?> key, FaultKind kind) {
        List<String> owners = FaultKind.all().values().stream()
                .filter(each -> each.keys().contains(key) || each.end().equals(key))
                .map(FaultKind::name)
                .toList();
        if (entry.has(key.name()) && !owners.isEmpty() && !owners.contains(kind.name())) {
            boolean end = key.equals(FaultKeys.FOR) || key.equals(FaultKeys.RESTART_AFTER);
            entry.form()
                    .problemAtKey(
                            key.name(),
                            "belongs to " + String.join(", ", owners) + " and not to " + kind.name()
                                    + (end
                                            ? "; with " + kind.name() + " give "
                                                    + kind.end().name()
                                            : ""));
        }
    }

    private void checkTimes(FaultKind kind, Duration first, Optional<Duration> every, Optional<Duration> lasting) {
        if (loadEnds.isPresent() && first.compareTo(loadEnds.get()) >= 0) {
            entry.problem(
                    entry.has("at") ? "at" : "every",
                    Quantities.text(first) + " is not within the measured window, which is "
                            + Quantities.text(loadEnds.get()) + " long");
        }
        if (every.isPresent() && lasting.isPresent() && lasting.get().compareTo(every.get()) >= 0) {
            entry.problem(
                    "every",
                    "comes again after " + Quantities.text(every.get()) + ", when the last one, of "
                            + Quantities.text(lasting.get()) + ", is not over");
        }
        if (every.isPresent() && lasting.isEmpty() && kind.needsEnd()) {
            entry.problem("every", "needs an end to each: give for or restartAfter");
        }
    }
}
