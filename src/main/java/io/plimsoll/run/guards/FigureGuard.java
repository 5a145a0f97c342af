package io.plimsoll.run.guards;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check;
import io.plimsoll.text.Sentence;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Guards the recent mean of an observed broker figure, such as {@code broker.handlerIdle}. */
public final class FigureGuard extends Guard {
    private static final int SECONDS = 5;

    private final Check check;
    private final Figure figure;
    /** Recent values by observed target; guarded by itself. */
    private final Map<String, ArrayDeque<Double>> last = new TreeMap<>();

    /** @param check on an observed figure */
    public FigureGuard(Check check) {
        super(check.figure(), Sentence.verbatim(check.text()));
        this.check = check;
        this.figure = FigureCatalogue.observed(check.figure()).orElseThrow();
    }

    @Override
    public void begin() {
        synchronized (last) {
            last.clear();
        }
    }

    @Override
    public void accept(Observation seen) {
        OptionalDouble value = figure.seenIn(seen);
        if (value.isPresent()) {
            synchronized (last) {
                ArrayDeque<Double> values = last.computeIfAbsent(seen.what(), what -> new ArrayDeque<>());
                values.add(value.getAsDouble());
                if (values.size() > SECONDS) {
                    values.remove();
                }
            }
        }
    }

    @Override
    public Optional<Sentence> judge() {
        synchronized (last) {
            for (Map.Entry<String, ArrayDeque<Double>> of : last.entrySet()) {
                double mean =
                        of.getValue().stream().mapToDouble(v -> v).average().orElse(0);
                if (of.getValue().size() == SECONDS && !check.op().holds(mean, check.limit())) {
                    String told = Units.figure(mean, Units.of(check.dimension()));
                    return Optional.of(Sentence.of("guards.figure", of.getKey(), told, check.text(), SECONDS));
                }
            }
        }
        return Optional.empty();
    }
}
