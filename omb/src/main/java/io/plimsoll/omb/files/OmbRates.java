package io.plimsoll.omb.files;

import io.plimsoll.scenario.EntryReading;
import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.YamlNode;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Translates the rates of a workload into a scenario's {@code rate}.
 * @param startsAt time of day at the end of the warm-up, for rates by time of day
 * @param highestRate rate that replaces a rate of 0; empty if unknown; the load is then a closed loop
 */
record OmbRates(OmbFile workload, LocalTime startsAt, OptionalDouble highestRate) {
    /** Rate that means "as fast as possible" in OpenMessaging Benchmark's own workloads. */
    static final long ANYTHING = 10_000_000;

    private static final double DAY_MINUTES = 24 * 60;
    private static final double SHORTEST_STEP_MINUTES = 1 / 6.0;
    private static final int MOST_STEPS = 600;

    void put(Tree producer, double share, double minutes) {
        if (workload.has(OmbKeys.RATES)) {
            List<List<Double>> points = workload.get(OmbKeys.RATES);
            if (!points.isEmpty()) {
                producer.put("rate", workload.at(OmbKeys.RATES), steps(overTime(points, minutes), share, minutes));
            }
            return;
        }
        Position at = workload.at(OmbKeys.RATE);
        long rate = workload.get(OmbKeys.RATE);
        OptionalDouble wanted =
                rate == 0 ? highestRate : rate == ANYTHING ? OptionalDouble.empty() : OptionalDouble.of(rate);
        producer.text(
                "rate", at, wanted.isEmpty() ? "unlimited" : Tree.plain(wanted.getAsDouble() * share) + "/s");
    }

    /** Reads a list of pairs or triples; invalid elements are reported. */
    static Optional<List<List<Double>>> points(EntryReading workload, String key) {
        YamlNode list = workload.node(key).orElseThrow();
        List<List<Double>> points = new ArrayList<>();
        for (YamlNode element : list instanceof Items items ? items.values() : List.<YamlNode>of()) {
            points.add(numbers(element));
            int width = points.get(0).size();
            if (width < 2 || width > 3 || points.get(points.size() - 1).size() != width) {
                return refused(workload, key, element);
            }
        }
        return points.isEmpty() ? refused(workload, key, list) : Optional.of(points);
    }

    private static Optional<List<List<Double>>> refused(EntryReading workload, String key, YamlNode element) {
        Sentence expected = Sentence.of("scenario.omb.a.rateElements");
        workload.problemIn(
                element.at(), key, Sentence.of("scenario.expected", expected, element.inline(), Sentence.NONE));
        return Optional.empty();
    }

    /** Messages per second by minutes after the start; rates by time of day repeat daily. */
    private NavigableMap<Double, Double> overTime(List<List<Double>> list, double minutes) {
        NavigableMap<Double, Double> points = new TreeMap<>();
        int days = (int) Math.ceil(minutes / DAY_MINUTES) + 1;
        for (List<Double> point : list) {
            if (point.size() == 2) {
                points.put(point.get(0), point.get(1));
                continue;
            }
            double minute = point.get(0) * 60 + point.get(1) - startsAt.toSecondOfDay() / 60.0;
            for (int day = -1; day <= days; day++) {
                points.put(minute + day * DAY_MINUTES, point.get(2));
            }
        }
        return points;
    }

    private static List<Double> numbers(YamlNode element) {
        List<Double> numbers = new ArrayList<>();
        if (element instanceof Items items) {
            for (YamlNode node : items.values()) {
                if (node instanceof Scalar scalar && scalar.text().matches("[0-9]{1,12}(\\.[0-9]{1,6})?")) {
                    numbers.add(Double.valueOf(scalar.text()));
                } else {
                    return List.of();
                }
            }
        }
        return numbers;
    }

    /** Linear segments between points, as steps with the same mean. */
    private Tree steps(NavigableMap<Double, Double> points, double share, double minutes) {
        Position at = workload.at(OmbKeys.RATES);
        double each = Math.max(SHORTEST_STEP_MINUTES, Math.ceil(minutes * 60 / MOST_STEPS) / 60);
        int count = (int) Math.max(1, Math.ceil(minutes / each));
        List<YamlNode> levels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double mean = area(points, i * each, (i + 1) * each) / each;
            // A step cannot have a rate of 0.
            levels.add(new Scalar(at, Tree.plain(Math.max(0.001, mean * share)) + "/s", Kind.TEXT));
        }
        Duration step = Duration.ofMillis(Math.round(each * 60_000));
        return new Tree(at, true).put("steps", at, new Items(at, levels, true)).text("each", at, Quantities.text(step));
    }

    private static double area(NavigableMap<Double, Double> points, double from, double to) {
        double area = 0;
        double left = from;
        for (double corner : points.subMap(from, false, to, false).keySet()) {
            area += (corner - left) * (at(points, left) + at(points, corner)) / 2;
            left = corner;
        }
        return area + (to - left) * (at(points, left) + at(points, to)) / 2;
    }

    private static double at(NavigableMap<Double, Double> points, double minute) {
        var before = points.floorEntry(minute);
        var after = points.ceilingEntry(minute);
        if (before == null || after == null) {
            return (before == null ? after : before).getValue();
        }
        double width = after.getKey() - before.getKey();
        double part = width == 0 ? 0 : (minute - before.getKey()) / width;
        return before.getValue() + part * (after.getValue() - before.getValue());
    }
}
