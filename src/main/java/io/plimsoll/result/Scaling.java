package io.plimsoll.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How throughput scales with a number of brokers, clients, threads, members, groups, partitions, disks or connections:
 * trials or ceilings that differ only in one such number. {@code what} is the last part of the number's key.
 *
 * @param steps steps with at least two different numbers, in ascending order
 */
public record Scaling(String what, List<Step> steps) {
    /** Matches a scaled number that is the value of a parameter, or is within a value that is a complete entry. */
    private static final Pattern COUNTED = Pattern.compile(
            "(?<![\\w-])(brokers|clients|threads|members|groups|partitions|disks|connections)(?:=|: )(\\d{1,9})(?![\\w.])");

    /**
     * Matches numbers of records and durations, which can depend on the scaled number and so do not distinguish trials.
     */
    private static final Pattern AMOUNT = Pattern.compile("(?<![\\w-])(records|duration)(=|: )[\\w.]+");

    /**
     * One trial, or ceiling.
     * @param atLeast whether the throughput is a lower bound, because the load generator or other programs on its host
     *     were the limit
     * @param speedUp throughput ÷ throughput with the smallest number
     * @param efficiency throughput ÷ linear scaling: 1 if twice the number achieves twice the throughput
     */
    public record Step(
            String name, int number, double recordsPerSecond, boolean atLeast, double speedUp, double efficiency) {}

    private record Measured(String name, Map<String, String> parameters, double recordsPerSecond, boolean atLeast) {
        /** All settings, in a fixed order. */
        private String text() {
            return new TreeMap<>(parameters)
                    .entrySet().stream()
                            .map(e -> e.getKey() + "=" + e.getValue())
                            .collect(Collectors.joining("; "));
        }
    }

    /** A number in the settings of a trial; {@code others} are all settings without this number. */
    private record Counted(String what, int number, String others, Measured of) {}

    /** All scalings of a run; empty if no number varies on its own. */
    public static List<Scaling> of(RunResult result) {
        return measured(result).stream()
                .flatMap(Scaling::counted)
                .collect(Collectors.groupingBy(Counted::others, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(alike ->
                        alike.stream().mapToInt(Counted::number).distinct().count() > 1)
                .map(alike -> new Scaling(alike.get(0).what, steps(alike)))
                .toList();
    }

    private static Stream<Counted> counted(Measured m) {
        String text = AMOUNT.matcher(m.text()).replaceAll("$1");
        // Zero means that Plimsoll or the cluster chooses.
        return COUNTED.matcher(text)
                .results()
                .filter(found -> Integer.parseInt(found.group(2)) > 0)
                .map(found -> {
                    String others = text.substring(0, found.start(2)) + "#" + text.substring(found.end(2));
                    return new Counted(found.group(1), Integer.parseInt(found.group(2)), others, m);
                });
    }

    private static List<Step> steps(List<Counted> alike) {
        List<Counted> sorted =
                alike.stream().sorted(Comparator.comparingInt(Counted::number)).toList();
        Counted least = sorted.get(0);
        return sorted.stream()
                .map(c -> {
                    double speedUp = c.of.recordsPerSecond() / least.of.recordsPerSecond();
                    double efficiency = speedUp / ((double) c.number / least.number);
                    return new Step(
                            c.of.name(), c.number, c.of.recordsPerSecond(), c.of.atLeast(), speedUp, efficiency);
                })
                .toList();
    }

    /** The ceilings of a search, otherwise the complete trials without a schedule, with their throughput. */
    private static List<Measured> measured(RunResult result) {
        List<Measured> all = new ArrayList<>();
        for (Ceiling c : result.ceilings()) {
            // Results of other versions can lack the bounds.
            Ceiling.Bound bound = c.found().decisive();
            Double carried = bound == null ? null : bound.lowerRecordsPerSecond();
            String name = c.parameters().entrySet().stream()
                    .map(e -> e.getKey() + "=" + e.getValue())
                    .collect(Collectors.joining(" "));
            if (carried != null) {
                all.add(new Measured(name, c.parameters(), carried, c.course().generatorLimited()));
            }
        }
        for (TrialResult t : result.ceilings().isEmpty() ? result.trials() : List.<TrialResult>of()) {
            Double carried = t.paced() ? null : t.volume().recordsPerSecond();
            if (carried != null && t.course().complete()) {
                boolean limited = Invalidity.isLowerBound(t);
                all.add(new Measured(t.name(), t.detail().parameters(), carried, limited));
            }
        }
        all.removeIf(m -> m.recordsPerSecond() <= 0);
        return all;
    }
}
