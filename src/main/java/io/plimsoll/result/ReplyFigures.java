package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.COUNT;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Replied;
import java.util.List;

/** What an application answered to the records of entries with {@code reply}; loads without have none of it. */
public final class ReplyFigures implements FigureSet {
    /** Names of what is counted. */
    public static final String SENT = "sent";

    public static final String ANSWERED = "answered";
    public static final String MISSING = "missing";
    public static final String TWICE = "twice";
    public static final String TO_NOBODY = "toNobody";
    public static final String LATENCY = "latency";

    @Override
    public List<Figure> figures() {
        return List.of(
                Figure.distribution(
                                "reply.latency",
                                "from the moment a record was due until the application's first answer to it came; of"
                                        + " one that was never answered at least the time that it waited",
                                s -> s.get(Replied.TIMES).getOrDefault(LATENCY, Latencies.EMPTY))
                        .called("reply", "回复")
                        .withUnended(trial -> {
                            Double missing = trial.detail().figures().get("reply.missing");
                            return missing == null ? null : Long.valueOf(missing.longValue());
                        })
                        .chart("reply", null)
                        .column(3, Statistic.P50, "reply p50", "回复 p50")
                        .column(2, Statistic.P99, "reply p99", "回复 p99"),
                Figure.of("reply.rate", "first answers a second", COUNT)
                        .called("answered/s", "回复/秒")
                        .counted(s -> {
                            Long answered = count(s, ANSWERED);
                            return answered == null ? null : Double.valueOf(s.ofWindow(answered));
                        })
                        .chart("replies", "c4")
                        .column(7),
                count("reply.sent", "records that an answer was waited for", SENT),
                count("reply.answered", "records that were answered", ANSWERED),
                count("reply.missing", "records that no answer came to", MISSING)
                        .called("unanswered", "无回复")
                        .column(4),
                count("reply.twice", "answers to records that had been answered already", TWICE)
                        .called("answered again", "重复回复")
                        .column(6),
                count("reply.toNobody", "answers that were to none of the entry's records", TO_NOBODY)
                        .called("to nobody", "无主回复")
                        .column(6));
    }

    private static Figure count(String id, String meaning, String name) {
        return Figure.of(id, meaning, COUNT)
                .counted(s -> {
                    Long n = count(s, name);
                    return n == null ? null : Double.valueOf(n);
                })
                .grows(s -> count(s, name));
    }

    /** Null where no answers are waited for. */
    private static Long count(Sums s, String name) {
        return Replied.any(s.counts()) ? s.get(Replied.COUNTS).getOrDefault(name, 0L) : null;
    }
}
