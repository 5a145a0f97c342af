package io.plimsoll.result;

import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Verdicts of ceiling searches. Pure. */
final class CeilingSentences {
    private CeilingSentences() {}

    static Sentence of(List<Ceiling> ceilings) {
        List<Ceiling> whole = ceilings.stream().filter(c -> c.outage() == null).toList();
        if (whole.size() == ceilings.size()) {
            return ofSettings(ceilings);
        }
        List<Sentence> parts = new ArrayList<>();
        if (!whole.isEmpty()) {
            parts.add(ofSettings(whole));
        }
        ceilings.stream().filter(c -> c.outage() != null).forEach(c -> parts.add(without(c, whole)));
        return Sentence.joined(parts);
    }

    private static Sentence without(Ceiling c, List<Ceiling> whole) {
        String name = name(c.parameters());
        if (!isAnswered(c)) {
            return Sentence.of("result.withoutUnsure", name, of(c));
        }
        return Sentence.of(
                "result.without",
                name,
                range(c),
                whole.stream()
                        .filter(w -> settings(w).equals(settings(c)))
                        .findFirst()
                        .flatMap(w -> share(c, w))
                        .map(share -> Sentence.of("result.asMuch", Units.percent(share)))
                        .orElse(Sentence.NONE));
    }

    /** Remaining share of a ceiling, by the middle of its bounds if both are known. */
    private static Optional<Double> share(Ceiling left, Ceiling whole) {
        return isClosed(left) && isClosed(whole)
                ? Optional.of(
                        middle(left.found().decisive()) / middle(whole.found().decisive()))
                : Optional.empty();
    }

    private static double middle(Bound b) {
        return (b.lowerRecordsPerSecond() + b.upperRecordsPerSecond()) / 2;
    }

    private static Map<String, String> settings(Ceiling c) {
        Map<String, String> settings = new HashMap<>(c.parameters());
        settings.remove(Ceiling.Outage.PARAMETER);
        return settings;
    }

    private static Sentence ofSettings(List<Ceiling> ceilings) {
        if (ceilings.size() == 1) {
            return of(ceilings.get(0));
        }
        List<Ceiling> answered = ceilings.stream()
                .filter(CeilingSentences::isAnswered)
                .sorted(Comparator.comparing(c -> c.found().decisive().lowerRecordsPerSecond()))
                .toList();
        List<String> unsure = ceilings.stream()
                .filter(c -> !answered.contains(c))
                .map(c -> name(c.parameters()))
                .toList();
        if (answered.isEmpty()) {
            boolean none = ceilings.stream().allMatch(Ceiling::nothingPasses);
            return Sentence.of(none ? "result.noneCarried" : "result.noneAnswered", ceilings.size());
        }
        if (answered.size() == 1) {
            Ceiling only = answered.get(0);
            return Sentence.of("result.oneAnswered", ceilings.size(), name(only.parameters()), range(only));
        }
        Sentence compared = compared(ceilings.size(), answered);
        return unsure.isEmpty()
                ? compared
                : Sentence.joined(List.of(compared, Sentence.of("result.noAnswerFor", unsure)));
    }

    private static boolean isAnswered(Ceiling c) {
        return c.found().decisive().lowerRecordsPerSecond() != null
                && Set.of(Ceiling.FOUND, Ceiling.MOST_REACHED, Ceiling.GENERATOR_LIMITED)
                        .contains(c.course().end());
    }

    private static Sentence compared(int all, List<Ceiling> answered) {
        Ceiling least = answered.get(0);
        Ceiling most = answered.get(answered.size() - 1);
        long open = answered.stream().filter(c -> !isClosed(c)).count();
        Bound low = least.found().decisive();
        Bound high = most.found().decisive();
        String best = name(most.parameters());
        if (open > 1 || (open == 1 && isClosed(most))) {
            return Sentence.of("result.carryMore", open, all, Units.about(high.lowerRecordsPerSecond()), best);
        }
        if (low.upperRecordsPerSecond() >= high.lowerRecordsPerSecond() && open == 0) {
            String from = Units.about(low.lowerRecordsPerSecond());
            return Sentence.of("result.carryTheSame", all, from, Units.about(high.upperRecordsPerSecond()));
        }
        return Sentence.of("result.carriesMost", all, best, range(most), name(least.parameters()), range(least));
    }

    private static boolean isClosed(Ceiling c) {
        return c.course().end().equals(Ceiling.FOUND) && c.found().decisive().upperRecordsPerSecond() != null;
    }

    static String name(Map<String, String> parameters) {
        return SettingNames.joined(parameters);
    }

    private static Sentence of(Ceiling c) {
        Sentence sustained = sustained(c);
        return c.found().withinSlo() == null ? sustained : Sentence.joined(List.of(within(c), sustained));
    }

    private static Sentence within(Ceiling c) {
        Bound slo = c.found().withinSlo();
        if (slo.lowerRecordsPerSecond() == null) {
            return slo.upperRecordsPerSecond() == null
                    ? Sentence.of("result.sloUnknown", c.found().slo())
                    : Sentence.of("result.sloNever", upper(slo), c.found().slo());
        }
        return slo.upperRecordsPerSecond() == null
                ? Sentence.of("result.sloToTheEnd", c.found().slo(), lower(slo))
                : Sentence.of("result.sloBetween", c.found().slo(), lower(slo), upper(slo));
    }

    private static Sentence sustained(Ceiling c) {
        Bound b = c.found().sustained();
        boolean passed = b.lowerRecordsPerSecond() != null;
        return switch (c.course().end()) {
            case Ceiling.MOST_REACHED -> Sentence.of("result.carriesAll", lower(b));
            case Ceiling.GENERATOR_LIMITED ->
                passed ? Sentence.of("result.carriesAtLeast", lower(b)) : Sentence.of("result.generatorAtEveryLoad");
            case Ceiling.NOTHING_PASSES -> Sentence.of("result.notEven", upper(b));
            case Ceiling.FOUND -> Sentence.of("result.carriesBetween", lower(b), upper(b));
            default -> passed ? unfinished(b) : Sentence.of("result.endedBeforeAny");
        };
    }

    private static Sentence unfinished(Bound b) {
        return b.upperRecordsPerSecond() == null
                ? Sentence.of("result.unsureNothingHigher", lower(b))
                : Sentence.of("result.unsureBetween", lower(b), upper(b));
    }

    /** Only a lower bound if nothing failed, or the cluster did not fail first. */
    private static Sentence range(Ceiling c) {
        String lower = Units.about(c.found().decisive().lowerRecordsPerSecond());
        Double upper = c.found().decisive().upperRecordsPerSecond();
        Sentence range = upper == null
                ? Sentence.of("result.records", lower)
                : Sentence.of("result.recordsFromTo", lower, Units.about(upper));
        return isClosed(c) ? range : Sentence.of("result.atLeastThat", range);
    }

    private static Sentence lower(Bound b) {
        return load(b.lowerRecordsPerSecond(), b.lowerBytesPerSecond());
    }

    private static Sentence upper(Bound b) {
        return load(b.upperRecordsPerSecond(), b.upperBytesPerSecond());
    }

    /** Such as {@code 91,200 records/s (91.2 MB/s)}; only bytes if the record size is unknown. */
    private static Sentence load(Double records, Double bytes) {
        if (records == null) {
            return Sentence.verbatim(Units.byteRate(bytes));
        }
        return bytes == null
                ? Sentence.of("result.records", Units.about(records))
                : Sentence.of("result.load", Units.about(records), Units.byteRate(bytes));
    }
}
