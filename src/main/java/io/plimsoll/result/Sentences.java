package io.plimsoll.result;

import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What was measured, said as a person would. */
final class Sentences {
    private static final int MOST_NAMED = 3;

    private Sentences() {}

    static String of(List<TrialResult> all) {
        List<TrialResult> trials = all.stream()
                .filter(t -> t.course().measuredSeconds() > 0 && records(t) > 0)
                .toList();
        if (trials.isEmpty()) {
            return all.isEmpty() ? "Nothing was measured." : "Not a single record was acknowledged or received.";
        }
        String measured = trials.size() == 1 ? "Your Kafka " + took(trials.get(0)) : ofSeveral(trials);
        return measured + audit(all) + ".";
    }

    private static long records(TrialResult t) {
        return t.produce() != null
                ? t.produce().volume().records()
                : t.consume() != null ? t.consume().volume().records() : 0;
    }

    private static String ofSeveral(List<TrialResult> trials) {
        if (trials.size() == 2) {
            boolean paced = isPaced(trials.get(0));
            TrialResult open = trials.get(paced ? 0 : 1);
            TrialResult closed = trials.get(paced ? 1 : 0);
            if (isPaced(open) && isPushed(closed)) {
                return "Your Kafka " + took(open) + ", and " + most(closed) + " when pushed";
            }
        }
        return compared(trials);
    }

    private static boolean isPaced(TrialResult t) {
        return t.produce() != null && !t.produce().schedule().closedLoop();
    }

    private static boolean isPushed(TrialResult t) {
        return t.produce() != null && t.produce().schedule().closedLoop();
    }

    private static String took(TrialResult t) {
        if (isPaced(t)) {
            return paced(t.produce());
        }
        return isPushed(t) ? "took " + most(t) + of(t.produce()) + " when pushed" : delivered(t);
    }

    private static String paced(Produce p) {
        Double achieved = Figure.achieved(p);
        boolean kept = achieved == null || achieved >= GeneratorFold.ACHIEVED;
        String took = kept
                ? "took " + Units.about(p.volume().recordsPerSecond()) + " records/s" + of(p)
                : "took only " + Units.about(p.volume().recordsPerSecond()) + " of "
                        + Units.about(p.schedule().offeredRecordsPerSecond()) + " offered records/s" + of(p);
        return took + response(p.times().responseTime());
    }

    private static String response(Latency l) {
        if (l.percentiles().p50() == null) {
            return l.max() == null ? "" : " at up to " + Units.micros(l.max()) + " response";
        }
        String p99 = l.percentiles().p99() == null
                ? ""
                : " and " + Units.micros(l.percentiles().p99()) + " p99";
        return " at " + Units.micros(l.percentiles().p50()) + " median" + p99 + " response";
    }

    private static String of(Produce p) {
        return p.volume().records() == 0
                ? ""
                : " of " + Units.bytes((double) p.volume().bytes() / p.volume().records());
    }

    private static String most(TrialResult t) {
        Produce p = t.produce();
        return (t.observed().generator().limited() ? "at least " : "at most ")
                + Units.byteRate(p.volume().bytesPerSecond()) + " ("
                + Units.about(p.volume().recordsPerSecond()) + " records/s)";
    }

    private static String delivered(TrialResult t) {
        Consume c = t.consume();
        int groups = Math.max(1, c.groups().size());
        String to = groups == 1 ? "a consumer group" : groups + " consumer groups";
        return "delivered " + Units.byteRate(c.volume().bytesPerSecond()) + " ("
                + Units.about(c.volume().recordsPerSecond()) + " records/s of "
                + Units.bytes(
                        (double) c.volume().bytes() / Math.max(1, c.volume().records())) + ") to " + to;
    }

    /** Several trials: the best and the worst, by p99 where all were paced, else by throughput. */
    private static String compared(List<TrialResult> trials) {
        boolean byLatency = trials.stream().allMatch(t -> isPaced(t) && p99(t) != null);
        ToDoubleFunction<TrialResult> worse = byLatency ? t -> p99(t) : t -> -bytesPerSecond(t);
        List<TrialResult> ranked =
                trials.stream().sorted(Comparator.comparingDouble(worse)).toList();
        TrialResult best = ranked.get(0);
        TrialResult last = ranked.get(ranked.size() - 1);
        return "Of " + trials.size() + " trials " + best.name() + " was best with " + figure(best, byLatency) + " and "
                + last.name() + " last with " + figure(last, byLatency);
    }

    private static Long p99(TrialResult t) {
        return t.produce().times().responseTime().percentiles().p99();
    }

    private static double bytesPerSecond(TrialResult t) {
        return t.produce() != null
                ? t.produce().volume().bytesPerSecond()
                : t.consume().volume().bytesPerSecond();
    }

    private static String figure(TrialResult t, boolean byLatency) {
        double records = t.produce() != null
                ? t.produce().volume().recordsPerSecond()
                : t.consume().volume().recordsPerSecond();
        return byLatency
                ? Units.micros(p99(t)) + " p99 response at " + Units.about(records) + " records/s"
                : Units.byteRate(bytesPerSecond(t)) + " (" + Units.about(records) + " records/s)";
    }

    /** Only good news: what the audit held against the run is said before. */
    private static String audit(List<TrialResult> trials) {
        List<AuditResult> audits =
                trials.stream().map(TrialResult::audit).filter(Objects::nonNull).toList();
        boolean good = !audits.isEmpty() && audits.stream().allMatch(a -> !a.violated() && a.complete());
        long acknowledged =
                audits.stream().mapToLong(a -> a.counts().acknowledged()).sum();
        return good && acknowledged > 0
                ? "; all " + Units.count(acknowledged) + " acknowledged records are in the log"
                : "";
    }

    /** Such as {@code a, b and 3 more}. */
    static String list(List<String> names) {
        return list(names, MOST_NAMED);
    }

    /** @param most how many are named, or said to be more */
    static String list(List<String> names, int most) {
        if (names.size() > most) {
            String first = names.stream().limit(most - 1L).collect(Collectors.joining(", "));
            return first + " and " + (names.size() - most + 1) + " more";
        }
        String head = String.join(", ", names.subList(0, names.size() - 1));
        return head.isEmpty() ? names.get(0) : head + " and " + names.get(names.size() - 1);
    }

    /** @param errorMicros how far clocks of hosts may be apart, unnoticed */
    static String lessThanClocksTell(double errorMicros) {
        return "less than the " + Units.micros(errorMicros) + " by which the clocks of the hosts may be apart";
    }
}
