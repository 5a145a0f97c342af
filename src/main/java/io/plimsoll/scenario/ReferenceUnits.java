package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Units in which tables of published figures are printed. */
public final class ReferenceUnits {
    /** MiB is what Kafka's own tools call MB. */
    private static final Map<String, Unit> ALL = Map.of(
            "", new Unit(Dimension.COUNT, 1),
            "ms", new Unit(Dimension.MICROSECONDS, 1e3),
            "s", new Unit(Dimension.MICROSECONDS, 1e6),
            "min", new Unit(Dimension.MICROSECONDS, 60e6),
            "MB/s", new Unit(Dimension.BYTES_PER_SECOND, 1e6),
            "MiB/s", new Unit(Dimension.BYTES_PER_SECOND, 1 << 20),
            "records/s", new Unit(Dimension.RECORDS_PER_SECOND, 1),
            "%", new Unit(Dimension.RATIO, 0.01));

    private ReferenceUnits() {}

    /** @param divisor of a figure in its own unit, to get it in this one */
    public record Unit(Dimension dimension, double divisor) {}

    /** The unit of a column; empty for a name that is none. */
    public static Optional<Unit> of(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    static List<Object> namesFor(Set<Dimension> dimensions) {
        return ALL.entrySet().stream()
                .filter(e -> dimensions.contains(e.getValue().dimension()))
                .map(Map.Entry::getKey)
                .sorted()
                .map(name -> name.isEmpty() ? (Object) Sentence.of("scenario.noUnitAtAll") : name)
                .toList();
    }
}
