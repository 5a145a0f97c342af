package io.plimsoll.scenario;

import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.FaultSpec.Timing;
import io.plimsoll.text.Sentence;
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
        Optional<FaultKind> named = entry.only(kinds.keySet()).map(kinds::get);
        if (named.isEmpty()) {
            return Optional.empty();
        }
        FaultKind kind = named.get();
        FaultKeys.all().forEach(key -> requireOwn(key, kind));
        kind.check(entry);
        Optional<Target> whom = kind.target(entry.settings());
        Optional<Duration> every = entry.get(FaultKeys.EVERY);
        if (!entry.has("at") && !entry.has("every")) {
            entry.problem("scenario.noTime");
        }
        Optional<Duration> lasting = entry.get(kind.end()).or(kind::usually);
        Duration first = entry.get(FaultKeys.AT).or(() -> every).orElse(Duration.ZERO);
        checkTimes(kind, first, every, lasting);
        if (whom.isPresent() && whom.get() instanceof Target.Each && lasting.isEmpty()) {
            entry.problem("scenario.eachNeedsEnd", kind.end());
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
            entry.problemIn(
                    entry.fields().fields().get(key.name()).keyAt(),
                    key.name(),
                    end
                            ? Sentence.of("scenario.otherEnd", owners, kind.name(), kind.end())
                            : Sentence.of("scenario.otherKinds", owners, kind.name()));
        }
    }

    private void checkTimes(FaultKind kind, Duration first, Optional<Duration> every, Optional<Duration> lasting) {
        if (loadEnds.isPresent() && first.compareTo(loadEnds.get()) >= 0) {
            entry.problemAt(
                    entry.has("at") ? "at" : "every",
                    "scenario.notWithin",
                    Quantities.text(first),
                    Quantities.text(loadEnds.get()));
        }
        if (every.isPresent() && lasting.isPresent() && lasting.get().compareTo(every.get()) >= 0) {
            entry.problemAt(
                    "every", "scenario.comesAgain", Quantities.text(every.get()), Quantities.text(lasting.get()));
        }
        if (every.isPresent() && lasting.isEmpty() && kind.needsEnd()) {
            entry.problemAt("every", "scenario.needsEnd");
        }
    }
}
