package io.plimsoll.history;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Figures;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.stats.ChangePoints;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The runs of several directories as one history. Not thread-safe. */
final class History implements AutoCloseable {
    /** Minimum number of runs to distinguish a change in the newest runs from chance. */
    static final int SHORTEST = ChangePoints.SHORTEST;

    /** Significance level of the test of whether a host became slower. */
    private static final double HOST_CHANCE = 0.01;

    /** Minimum relative slowdown of the host that is considered. */
    private static final double HOST_LEAST = 0.02;

    private static final int MOST_OF_HOST = 50;

    private final List<RunHistory> parts = new ArrayList<>();
    /** Runs of each directory; a run copied to several directories counts only in the first. */
    private final Map<RunHistory, List<HistoryRun>> runs = new HashMap<>();

    private History() {}

    /** @throws PlimsollException {@link Exit#USAGE} if a directory is missing or its index is unusable */
    static History open(List<Path> directories, boolean rebuild) {
        History history = new History();
        Set<List<Object>> known = new HashSet<>();
        try {
            for (Path directory : directories) {
                RunHistory part = RunHistory.open(directory, rebuild);
                history.parts.add(part);
                List<HistoryRun> own = part.runs().stream()
                        .filter(run -> known.add(List.of(run.directory().getFileName(), run.startedAt())))
                        .toList();
                history.runs.put(part, own);
            }
            return history;
        } catch (PlimsollException e) {
            history.close();
            throw e;
        }
    }

    /** All runs by start time; copies count once. */
    List<HistoryRun> runs() {
        return parts.stream()
                .flatMap(part -> runs.getOrDefault(part, List.of()).stream())
                .sorted(Comparator.comparing(HistoryRun::startedAt))
                .toList();
    }

    /** The names of all figures that any run has, in alphabetical order. */
    List<String> figures() {
        return parts.stream()
                .flatMap(part -> part.figures().stream())
                .filter(name -> name.equals(RunHistory.CEILING) || Figures.ALL.containsKey(name))
                .distinct()
                .sorted()
                .toList();
    }

    /** @throws PlimsollException {@link Exit#USAGE} if no run can have the figure */
    static void requireFigure(String figure) {
        Exit.USAGE.when(
                !figure.equals(RunHistory.CEILING) && !Figures.ALL.containsKey(figure),
                "report.notAFigure",
                figure,
                Suggestions.nearest(figure, List.copyOf(Figures.ALL.keySet()))
                        .map(near -> Sentence.of("report.didYouMean", near))
                        .orElse(Sentence.NONE));
    }

    static Dimension dimension(String figure) {
        Set<Dimension> dimensions = Figures.ALL.getOrDefault(figure, Set.of(Dimension.BYTES_PER_SECOND));
        return dimensions.contains(Dimension.BYTES_PER_SECOND)
                ? Dimension.BYTES_PER_SECOND
                : dimensions.iterator().next();
    }

    /** The series of a figure by trial and scenario, for these runs and this trial; all trials if {@code trial} is null. */
    List<FigureSeries> series(String figure, Predicate<HistoryRun> wanted, @Nullable String trial) {
        Map<String, Map<String, List<Point>>> found = new TreeMap<>();
        Map<String, Map<String, Integer>> leftOut = new HashMap<>();
        for (RunHistory part : parts) {
            Map<Long, HistoryRun> those = new HashMap<>();
            runs.getOrDefault(part, List.of()).stream().filter(wanted).forEach(run -> those.put(run.number(), run));
            part.values(RunHistory.NO_MEASURE).forEach((name, none) -> none.keySet().stream()
                    .map(those::get)
                    .filter(Objects::nonNull)
                    .forEach(run -> leftOut.computeIfAbsent(run.name(), s -> new HashMap<>())
                            .merge(name, 1, Integer::sum)));
            Map<String, Map<Long, Double>> cpu = part.values(RunHistory.GENERATOR_CPU);
            Map<Long, Double> warmup = part.values(RunHistory.SELF_WARMUP).getOrDefault("", Map.of());
            part.values(figure)
                    .forEach((name, values) -> values.forEach((number, value) -> {
                        HistoryRun run = those.get(number);
                        if (run != null && (trial == null || trial.equals(name))) {
                            Double used = cpu.getOrDefault(name, Map.of()).get(number);
                            found.computeIfAbsent(run.name(), s -> new TreeMap<>())
                                    .computeIfAbsent(name, t -> new ArrayList<>())
                                    .add(new Point(part, run, value, used, warmup.get(number)));
                        }
                    }));
        }
        List<FigureSeries> all = new ArrayList<>();
        found.forEach((scenario, trials) -> trials.forEach((name, points) -> {
            int none = leftOut.getOrDefault(scenario, Map.of()).getOrDefault(name, 0);
            all.add(series(scenario, name, figure, none, points));
        }));
        return all;
    }

    /**
     * The figure's value in a run, CPU time per record, and rate against the null broker; the last two are null if
     * unknown.
     */
    private record Point(
            RunHistory part,
            HistoryRun run,
            double value,
            @Nullable Double cpu,
            @Nullable Double warmup) {}

    private static FigureSeries series(String scenario, String trial, String figure, int leftOut, List<Point> points) {
        points.sort(Comparator.comparing(p -> p.run().startedAt()));
        double[] values = points.stream().mapToDouble(Point::value).toArray();
        List<Integer> changes = ChangePoints.of(values, figure.hashCode());
        List<Shift> shifts = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            int from = i == 0 ? 0 : changes.get(i - 1);
            int to = i + 1 == changes.size() ? values.length : changes.get(i + 1);
            int at = changes.get(i);
            double before = Spread.median(Arrays.copyOfRange(values, from, at));
            double after = Spread.median(Arrays.copyOfRange(values, at, to));
            shifts.add(new Shift(at, to, before, after, slowdown(points, from, at, to), changed(points, at)));
        }
        List<HistoryRun> runs = points.stream().map(Point::run).toList();
        List<Double> all = points.stream().map(Point::value).toList();
        return new FigureSeries(scenario, trial, figure, leftOut, runs, all, List.copyOf(shifts));
    }

    /**
     * Slowdown factor of the host, from the measure of the host's speed that changed most; 1 if none changed
     * significantly.
     */
    private static double slowdown(List<Point> points, int from, int at, int to) {
        double byCpu = ratio(points, from, at, to, Point::cpu);
        double byWarmup = 1 / ratio(points, from, at, to, Point::warmup);
        return Math.abs(Math.log(byCpu)) > Math.abs(Math.log(byWarmup)) ? byCpu : byWarmup;
    }

    private static double ratio(List<Point> points, int from, int at, int to, Function<Point, Double> of) {
        double[] before = known(points.subList(Math.max(from, at - MOST_OF_HOST), at), of);
        double[] after = known(points.subList(at, Math.min(to, at + MOST_OF_HOST)), of);
        boolean enough = before.length >= ChangePoints.LEAST
                && after.length >= ChangePoints.LEAST
                && ChangePoints.chance(before, after, at) <= HOST_CHANCE;
        double ratio = enough ? Spread.median(after) / Spread.median(before) : 1;
        return Math.abs(ratio - 1) < HOST_LEAST ? 1 : ratio;
    }

    private static double[] known(List<Point> points, Function<Point, Double> of) {
        return points.stream()
                .map(of)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    /** Facts that were the same in the last two runs before the shift and differ in the first two runs after it. */
    private static Map<String, String> changed(List<Point> points, int at) {
        List<Map<String, String>> around = IntStream.of(at - 2, at - 1, at, Math.min(at + 1, points.size() - 1))
                .mapToObj(points::get)
                .map(p -> p.part().facts(p.run().number()))
                .toList();
        Map<String, String> changed = new TreeMap<>();
        Map<String, String> names = new TreeMap<>(around.get(1));
        names.putAll(around.get(2));
        names.keySet().forEach(name -> {
            Optional<String> before = steady(name, around.get(0), around.get(1));
            Optional<String> after = steady(name, around.get(2), around.get(3));
            if (before.isPresent() && after.isPresent() && !before.equals(after)) {
                changed.put(name, before.get() + " → " + after.get());
            }
        });
        return changed;
    }

    private static Optional<String> steady(String name, Map<String, String> first, Map<String, String> second) {
        String value = first.getOrDefault(name, "–");
        return value.equals(second.getOrDefault(name, "–")) ? Optional.of(value) : Optional.empty();
    }

    @Override
    public void close() {
        parts.forEach(RunHistory::close);
    }
}
