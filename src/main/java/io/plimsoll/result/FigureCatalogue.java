package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Produced;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.CheckableFigure;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All figures of all {@link FigureSet figure sets}. Thread-safe. */
public final class FigureCatalogue implements CheckableFigure.Source {
    private static final List<Figure> ALL = load();
    private static final Map<String, Named> BY_NAME = byName();
    private static final Set<Statistic> STREAMED =
            EnumSet.of(Statistic.MEAN, Statistic.P50, Statistic.P90, Statistic.P99, Statistic.P999, Statistic.MAX);
    private static final Map<String, String> COUNTED = Map.of("produce.", Produced.FAMILY, "consume.", Consumed.FAMILY);

    /** A figure by its name in checks; the statistic is null for a figure without statistics. */
    record Named(Figure figure, @Nullable Statistic statistic) {}

    /** Called by the service loader. */
    public FigureCatalogue() {}

    private static List<Figure> load() {
        List<Figure> all = new ArrayList<>();
        ServiceLoader.load(FigureSet.class, FigureCatalogue.class.getClassLoader())
                .forEach(set -> all.addAll(set.figures()));
        return List.copyOf(all);
    }

    private static Map<String, Named> byName() {
        Map<String, Named> names = new LinkedHashMap<>();
        for (Figure figure : ALL) {
            if (figure.isLatency()) {
                for (Statistic statistic : Statistic.values()) {
                    names.put(figure.id() + "." + statistic.text(), new Named(figure, statistic));
                }
            } else if (names.put(figure.id(), new Named(figure, null)) != null) {
                throw new IllegalStateException("declared twice: " + figure.id());
            }
        }
        return names;
    }

    /** All figures, one set after the other, in the order of their declaration. */
    public static List<Figure> all() {
        return ALL;
    }

    public static List<Figure> charted() {
        return ALL.stream().filter(Figure::isCharted).toList();
    }

    /** Columns for tables of these trials; service time is included only if no trial has a response time. */
    public static List<Figure.Column> columns(List<TrialResult> trials) {
        boolean response = trials.stream()
                .anyMatch(t -> t.produce() != null && t.produce().times().responseTime() != null);
        return ALL.stream()
                .filter(f -> !response || !f.id().equals("produce.service"))
                .flatMap(f -> f.columns().stream())
                .toList();
    }

    /** The distributions, each with a value for every {@link Statistic}. */
    public static List<Figure> latencies() {
        return ALL.stream().filter(Figure::isLatency).toList();
    }

    public static List<Figure> ofBrokers() {
        return ofEach(ObservedFigures.BROKER);
    }

    /** Figures for the columns of tables of third-party groups. */
    public static List<Figure> ofGroups() {
        return ofEach(GroupsFold.GROUP);
    }

    public static List<Figure> ofTopics() {
        return ofEach(ObservedFigures.TOPIC);
    }

    private static List<Figure> ofEach(String what) {
        return ALL.stream()
                .filter(f -> f.brokerRank() >= 0 && what.equals(f.ofEach()))
                .toList();
    }

    @Override
    public List<CheckableFigure> checkable() {
        List<CheckableFigure> checkable = new ArrayList<>();
        BY_NAME.forEach((name, named) -> checkable.add(new CheckableFigure(
                name,
                named.figure().dimensions(),
                named.figure().perSecond(),
                named.figure().isObserved() || named.figure().id().equals(TrialFigures.PROBE),
                named.statistic() == null ? null : named.statistic().text())));
        return checkable;
    }

    static Named named(String name) {
        Named named = BY_NAME.get(name);
        if (named == null) {
            throw new IllegalArgumentException("no such figure: " + name);
        }
        return named;
    }

    /** The statistic at the end of a figure's name; null if the name has none. */
    public static @Nullable Statistic statistic(String name) {
        return named(name).statistic();
    }

    /** The figure with this name, if it is observed for brokers, hosts, groups, topics or the cluster. */
    public static Optional<Figure> observed(String name) {
        return Optional.ofNullable(BY_NAME.get(name)).map(Named::figure).filter(Figure::isObserved);
    }

    /** A figure of a trial by its name, in the dimension's own unit; empty if the trial does not have it. */
    public static OptionalDouble value(TrialResult trial, String name, Dimension dimension) {
        Named named = named(name);
        Number value = named.figure().ofTrial(trial, named.statistic(), dimension);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value.doubleValue());
    }

    /** A figure of a trial in the dimension that tables show; null if the trial does not have it. */
    public static @Nullable Double value(TrialResult trial, String name) {
        OptionalDouble value = value(trial, name, named(name).figure().shownDimension());
        return value.isPresent() ? value.getAsDouble() : null;
    }

    /** A figure of a second in the dimension that charts show; null if the second does not have it. */
    public static @Nullable Double ofSecond(Sums sums, String name) {
        Named named = named(name);
        return named.figure().ofSecond(sums, named.statistic(), named.figure().shownDimension());
    }

    /**
     * The figures of a second by name, in the dimension that charts show; throughputs also in bytes per second, with
     * the suffix {@code .bytes}. Figures of producers or consumers are absent if these were not counted. Observed
     * figures are always absent.
     */
    public static Map<String, Double> ofSecond(Sums sums) {
        Map<String, Double> all = new TreeMap<>();
        BY_NAME.forEach((name, named) -> {
            Figure figure = named.figure();
            String family = name.substring(0, name.indexOf('.') + 1);
            boolean counted = !COUNTED.containsKey(family) || sums.counts().has(COUNTED.get(family));
            if (figure.isObserved()
                    || !counted
                    || !(named.statistic() == null || STREAMED.contains(named.statistic()))) {
                return;
            }
            Dimension shown = figure.shownDimension();
            put(all, name, figure.ofSecond(sums, named.statistic(), shown));
            if (shown == Dimension.RECORDS_PER_SECOND && figure.dimensions().contains(Dimension.BYTES_PER_SECOND)) {
                put(all, name + ".bytes", figure.ofSecond(sums, null, Dimension.BYTES_PER_SECOND));
            }
        });
        return all;
    }

    private static void put(Map<String, Double> all, String name, @Nullable Double value) {
        if (value != null && Double.isFinite(value)) {
            all.put(name, value);
        }
    }

    /** The figures of a trial that results contain under their ids. */
    static Map<String, Double> stored(Sums window) {
        Map<String, Double> stored = new TreeMap<>();
        ALL.stream().filter(f -> f.isStored() && !f.isLatency()).forEach(f -> {
            Double value = f.ofSecond(window, null, f.dimensions().iterator().next());
            if (value != null) {
                stored.put(f.id(), value);
            }
        });
        return stored;
    }

    /** The distributions of a trial that results contain under their ids. */
    static Map<String, TrialResult.Latency> distributions(Sums window) {
        Map<String, TrialResult.Latency> stored = new TreeMap<>();
        latencies().stream().filter(Figure::isStored).forEach(figure -> {
            Latencies latencies = figure.latencies(window);
            if (latencies != null && !latencies.isEmpty()) {
                stored.put(figure.id(), TrialResult.Latency.of(latencies));
            }
        });
        return stored;
    }
}
