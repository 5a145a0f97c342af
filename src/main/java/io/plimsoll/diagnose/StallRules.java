package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.measure.Incident;
import io.plimsoll.result.IncidentWords;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.result.SlowMoment.Cause;
import io.plimsoll.result.Statistic;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.CheckParser;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The rule for rare stalls: a few slow moments contain most records beyond the limit of a failed latency check. They
 * hardly change the means that the other rules compare.
 */
final class StallRules {
    private static final double CERTAIN = 0.6;
    private static final double LEAST = 0.2;
    private static final Map<String, Function<TrialResult, Latency>> LATENCIES = Map.of(
            "produce.response.",
                    t -> t.produce() == null ? null : t.produce().times().responseTime(),
            "produce.service.",
                    t -> t.produce() == null ? null : t.produce().times().serviceTime(),
            "consume.endToEnd.",
                    t -> t.consume() == null ? null : t.consume().times().endToEnd());

    /** Slow moments with the same cause at the same place. */
    private record Stall(List<SlowMoment> moments, double limitMicros, double beyond) {
        Cause longest() {
            return moments.stream()
                    .map(m -> m.causes().get(0))
                    .max(Comparator.comparingDouble(c -> c.toSeconds() - c.fromSeconds()))
                    .orElseThrow();
        }

        /** Minimum share of the records beyond the limit that these moments contain. */
        double share() {
            return Math.min(1, records() / beyond);
        }

        double records() {
            return moments.stream().mapToLong(SlowMoment::records).sum();
        }

        double worstMicros() {
            return moments.stream().mapToLong(SlowMoment::worstMicros).max().orElseThrow();
        }

        double confidence() {
            return moments.stream()
                            .mapToDouble(m -> m.records() * m.causes().get(0).confidence())
                            .sum()
                    / records();
        }
    }

    static final List<Rule<?>> RULES = List.of(Rule.each("stall", StallRules::stalls)
            .silently()
            .where(TrialEvidence::latencyAsked)
            .most(0.95)
            .judged((e, stall) -> Finding.at(IncidentWords.place(stall.longest()), 0)
                    .explains(stall.share() * ramp(stall.confidence(), LEAST, CERTAIN))
                    .says(
                            "diagnose.says.stall",
                            stall.moments.size(),
                            percent(stall.share()),
                            Units.micros(stall.limitMicros),
                            IncidentWords.of(stall.longest()))
                    .with("diagnose.slowRecords", Units.count((long) stall.records()))
                    .with("diagnose.worstRecord", Units.micros(stall.worstMicros()))));

    /** The stalls found for the first failed latency check that has any. */
    private static List<Stall> stalls(TrialEvidence e) {
        return e.trial().judgement().checks().stream()
                .filter(c -> !c.passed() && c.measured() != null)
                .map(c -> CheckParser.today(c.check()))
                .filter(text -> LATENCIES.keySet().stream().anyMatch(text::startsWith))
                .map(CheckParser::parse)
                .map(check -> stalls(e.trial(), check))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private static List<Stall> stalls(TrialResult trial, Check check) {
        Latency latency = LATENCIES
                .getOrDefault(check.figure().substring(0, check.figure().lastIndexOf('.') + 1), t -> null)
                .apply(trial);
        if (latency == null || latency.count() == 0) {
            return List.of();
        }
        boolean reading = check.figure().startsWith("consume.");
        double beyond = latency.count() * beyond(latency, check.limit());
        return trial.detail().slowMoments().stream()
                .filter(m -> m.worstMicros() > check.limit() && isExplained(m))
                .filter(m -> reading || !m.worst().get(0).reads())
                .collect(Collectors.groupingBy(StallRules::key, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(same -> new Stall(same, check.limit(), beyond))
                .toList();
    }

    /** Whether a cause is known; injected faults do not count, because they have a rule of their own. */
    private static boolean isExplained(SlowMoment m) {
        return m.records() > 0
                && !m.worst().isEmpty()
                && !m.causes().isEmpty()
                && !m.causes().get(0).event().equals(Incident.Kind.FAULT.word());
    }

    private static String key(SlowMoment m) {
        return m.causes().get(0).event() + " " + m.causes().get(0).where();
    }

    /** Share of the samples above a limit, interpolated between percentiles on logarithmic scales. */
    private static double beyond(Latency latency, double limitMicros) {
        double share = 1;
        double micros = 1;
        for (Statistic next : EnumSet.range(Statistic.P50, Statistic.MAX)) {
            Number value = next.of(latency);
            double less = next == Statistic.MAX ? 1.0 / latency.count() : next.beyond();
            if (value != null && value.doubleValue() > limitMicros) {
                double part = Math.log(Math.max(1, limitMicros / micros)) / Math.log(value.doubleValue() / micros);
                return share * Math.pow(less / share, part);
            }
            if (value != null) {
                share = less;
                micros = Math.max(1, value.doubleValue());
            }
        }
        return share;
    }
}
