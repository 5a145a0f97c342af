package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.COUNT;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Replied;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figures of application replies to records of entries with {@code reply}; absent from other loads. */
public final class ReplyFigures implements FigureSet {
    /** Names of counts. */
    public static final String SENT = "sent";

    public static final String ANSWERED = "answered";
    public static final String MISSING = "missing";
    public static final String UNSENT = "unsent";
    public static final String TWICE = "twice";
    public static final String UNRELATED = "toNobody";
    public static final String LATENCY = "latency";

    @Override
    public List<Figure> figures() {
        return List.of(
                Figure.distribution("reply.latency", s -> s.get(Replied.TIMES).getOrDefault(LATENCY, Latencies.EMPTY))
                        .withUnended(ReplyFigures::unended)
                        .chart("reply", null)
                        .column(3, Statistic.P50)
                        .column(2, Statistic.P99),
                Figure.of("reply.rate", COUNT)
                        .counted(s -> {
                            Long answered = count(s, ANSWERED);
                            return answered == null ? null : Double.valueOf(s.ofWindow(answered));
                        })
                        .chart("replies", "c4")
                        .column(7),
                count(SENT),
                count(ANSWERED),
                count(MISSING).column(4),
                count(UNSENT),
                count(TWICE).column(6),
                count(UNRELATED).column(6));
    }

    private static @Nullable Long unended(TrialResult trial) {
        Map<String, Double> figures = trial.detail().figures();
        Double missing = figures.get("reply." + MISSING);
        // Results of earlier versions do not count unsent records.
        return missing == null
                ? null
                : Long.valueOf(Math.round(missing + figures.getOrDefault("reply." + UNSENT, 0.0)));
    }

    private static Figure count(String name) {
        return Figure.of("reply." + name, COUNT)
                .counted(s -> {
                    Long n = count(s, name);
                    return n == null ? null : Double.valueOf(n);
                })
                .grows(s -> count(s, name));
    }

    /** A count; null if no replies are expected. */
    private static @Nullable Long count(Sums s, String name) {
        return Replied.any(s.counts()) ? s.get(Replied.COUNTS).getOrDefault(name, 0L) : null;
    }
}
