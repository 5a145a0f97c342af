package io.plimsoll.result;

import java.util.List;
import java.util.Objects;

/** What a probe beside the load saw, of trials that a guard had one for; others have none of it. */
public final class ProbeFigures implements FigureSet {
    static final String PROBE = "probe";

    @Override
    public List<Figure> figures() {
        return List.of(Figure.latency(
                        PROBE,
                        "of the small producer and consumer that `--guard probe.…` has beside the load",
                        trial -> trial.observed().guards().stream()
                                .map(GuardResult::latency)
                                .filter(Objects::nonNull)
                                .findFirst()
                                .orElse(null),
                        null)
                .called("probe's latency", "探针延迟")
                .column(6, Statistic.P99, "probe p99", "探针 p99"));
    }
}
