package io.plimsoll.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How throughput grows with a number of brokers, clients, threads, members, groups, partitions, disks or connections:
 * of trials, or ceilings, that differ by one such number alone.
 *
 * @param what last part of the varying key, such as {@code clients}
 * @param steps with two numbers at least, the smallest first
 */
public record Scaling(String what, List<Step> steps) {
    /** A number that is counted, within the key of a parameter or within the value of one that is a whole entry. */
    private static final Pattern COUNTED = Pattern.compile(
            "(?<![\\w-])(brokers|clients|threads|members|groups|partitions|disks|connections)(?:=|: )(\\d{1,9})(?![\\w.])");

    /** Rates that scale with the number of clients do not distinguish trials. */
    private static final Pattern AMOUNT = Pattern.compile("(?<![\\w-])(records|duration)(=|: )[\\w.]+");

    /**
     * One trial, or ceiling.
     *
     * @param atLeast the load generator or other programs on its host were the limit: the cluster may carry more
     * @param speedUp its throughput ÷ that with the smallest number
     * @param efficiency throughput ÷ linear scaling: 1 if twice the number achieves twice the throughput
     */
    public record Step(
            String name, int number, double recordsPerSecond, boolean atLeast, double speedUp, double efficiency) {}

    private record Measured(String name, Map<String, String> parameters, Double recordsPerSecond, boolean atLeast) {
        /** All other settings, in a fixed order. */
        private String text() {
            return new TreeMap<>(parameters)
                    .entrySet().stream()
                            .map(e -> e.getKey() + "=" + e.getValue())
                            .collect(Collectors.joining("; "));
        }
    }

    /** Empty if no such number varies by itself. */
    public static List<Scaling> of(RunResult result) {
        Map<String, List<Measured>> alike = new LinkedHashMap<>();
        Map<String, String> named = new LinkedHashMap<>();
        Map<String, Map<Measured, Integer>> numbers = new LinkedHashMap<>();
        for (Measured measured : measured(result)) {
            String text = AMOUNT.matcher(measured.text()).replaceAll("$1");
            Matcher counted = COUNTED.matcher(text);
            while (counted.find()) {
                String others = text.substring(0, counted.start(2)) + "#" + text.substring(counted.end(2));
                named.put(others, counted.group(1));
                alike.computeIfAbsent(others, o -> new ArrayList<>()).add(measured);
                numbers.computeIfAbsent(others, o -> new LinkedHashMap<>())
                        .put(measured, Integer.parseInt(counted.group(2)));
            }
        }
        List<Scaling> all = new ArrayList<>();
        alike.forEach((others, of) -> {
            if (numbers.get(others).values().stream().distinct().count() > 1) {
                all.add(new Scaling(named.get(others), steps(of, numbers.get(others))));
            }
        });
        return all;
    }

    private static List<Step> steps(List<Measured> of, Map<Measured, Integer> numbers) {
        List<Measured> sorted =
                of.stream().sorted(Comparator.comparingInt(numbers::get)).toList();
        Measured least = sorted.get(0);
        return sorted.stream()
                .map(m -> {
                    double speedUp = m.recordsPerSecond() / least.recordsPerSecond();
                    double ideal = (double) numbers.get(m) / numbers.get(least);
                    return new Step(
                            m.name(), numbers.get(m), m.recordsPerSecond(), m.atLeast(), speedUp, speedUp / ideal);
                })
                .toList();
    }

    /** Throughput of trials without a schedule. */
    private static List<Measured> measured(RunResult result) {
        List<Measured> all = new ArrayList<>();
        for (Ceiling c : result.ceilings()) {
            Ceiling.Bound bound = c.found().decisive();
            Double carried = bound == null ? null : bound.lowerRecordsPerSecond();
            String name = c.parameters().entrySet().stream()
                    .map(e -> e.getKey() + "=" + e.getValue())
                    .collect(Collectors.joining(" "));
            all.add(new Measured(name, c.parameters(), carried, c.course().generatorLimited()));
        }
        for (TrialResult t : result.ceilings().isEmpty() ? result.trials() : List.<TrialResult>of()) {
            Double carried = t.paced() || t.volume() == null ? null : t.volume().recordsPerSecond();
            boolean limited = Invalidity.isLowerBound(t);
            all.add(new Measured(t.name(), t.detail().parameters(), t.course().complete() ? carried : null, limited));
        }
        all.removeIf(m -> m.recordsPerSecond() == null || m.recordsPerSecond() <= 0);
        return all;
    }
}
