package io.plimsoll.result;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Observation;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One figure, declared once: checks, tables, charts, the JSON Schema and the documents are derived from these
 * declarations, see {@link FigureCatalogue}. A figure is complete when it is added to the catalogue, and does not
 * change after that.
 *
 * <p>Its texts are in {@code sentences/figure.*.properties}, under the figure's id with {@code _} for each dot: {@code
 * figure.meaning.} for its meaning, {@code figure.label.} for its name, and {@code figure.column.} for a column with
 * another name.
 */
public final class Figure {
    private final String id;
    private final Set<Dimension> dimensions;
    private BiFunction<TrialResult, Dimension, Number> ofTrial = (trial, dimension) -> null;
    private @Nullable BiFunction<Sums, Dimension, Double> ofSecond;
    private @Nullable Function<TrialResult, Latency> latencyOfTrial;
    private @Nullable Function<Sums, Latencies> latenciesOfSecond;
    private Shown shown = (second, statistic, dimension) -> null;
    private @Nullable Function<Sums, Long> growing;
    private @Nullable Observed observed;
    /** Factor to convert from the unit of results to the unit of checks. */
    private double factor = 1;
    /** Whether the lowest value of several brokers applies, as for idle times, instead of the highest. */
    private boolean lowest;

    private int brokerRank = -1;
    private boolean stored;
    boolean mayBeMissing;
    private @Nullable ChartLine line;
    private final List<Column> columns = new ArrayList<>();
    private Function<TrialResult, Double> hiding = trial -> null;
    private boolean betweenClocks;
    private Function<TrialResult, Long> unended = trial -> null;

    /** Reads a figure that the seconds of a result contain even if no check needs it; null if the second lacks it. */
    interface Shown {
        @Nullable
        Number in(TrialResult.Second second, @Nullable Statistic statistic, Dimension dimension);
    }

    /** The prefix of the names of the objects for which a figure is observed, and the figure's metric. */
    private record Observed(String of, ObservedMetric metric) {
        boolean isOfBrokerHost() {
            return ObservedMetric.BROKER_HOST.contains(metric);
        }
    }

    private Figure(String id, Set<Dimension> dimensions) {
        this.id = id;
        this.dimensions = dimensions;
    }

    /** Creates a figure with one value; {@code others} are further dimensions that a limit can have. */
    public static Figure of(String id, Dimension dimension, Dimension... others) {
        return new Figure(id, Collections.unmodifiableSet(EnumSet.of(dimension, others)));
    }

    /** Creates a distribution, with a value for each {@link Statistic}; {@code ofTrial} returns null if the trial has none. */
    static Figure latency(
            String id, Function<TrialResult, Latency> ofTrial, @Nullable Function<Sums, Latencies> ofSecond) {
        Figure figure = of(id, Dimension.MICROSECONDS);
        figure.latencyOfTrial = ofTrial;
        figure.latenciesOfSecond = ofSecond;
        return figure;
    }

    /** Creates a distribution per second and for the measured window, stored in {@code distributions} of a trial. */
    public static Figure distribution(String id, Function<Sums, Latencies> made) {
        Figure figure = latency(id, trial -> trial.detail().distributions().get(id), made);
        figure.stored = true;
        return figure;
    }

    /** Sets how the figure is read from a result; the function returns null if the trial has no such figure. */
    Figure read(Function<TrialResult, Number> where) {
        return read((trial, dimension) -> where.apply(trial));
    }

    Figure read(BiFunction<TrialResult, Dimension, Number> where) {
        ofTrial = where;
        return this;
    }

    /** Sets how the value of a second is derived; the function returns null if the second has no value. */
    Figure each(Function<Sums, Double> made) {
        return each((sums, dimension) -> made.apply(sums));
    }

    Figure each(BiFunction<Sums, Dimension, Double> made) {
        ofSecond = made;
        return this;
    }

    /** Declares that every second of a result contains the figure, and how to read it. */
    Figure shown(Shown where) {
        shown = where;
        return this;
    }

    /** Sets how the value is derived from counts, per second and for {@code figures} of a trial. */
    public Figure counted(Function<Sums, Double> made) {
        stored = true;
        return each(made).read(trial -> trial.detail().figures().get(id));
    }

    /** Declares a count that only grows during a trial, so that a check of it can fail before the end. */
    public Figure grows(Function<Sums, Long> count) {
        growing = count;
        return this;
    }

    /**
     * Declares a value observed for brokers, hosts, groups or topics. Of several values, the highest is closest to its
     * limit.
     */
    Figure seen(String what, ObservedMetric metric) {
        Observed seen = new Observed(what, metric);
        observed = seen;
        if (dimensions.contains(Dimension.MICROSECONDS)) {
            factor = metric.key().endsWith("Ms") ? 1e3 : 1e6;
        }
        mayBeMissing = true;
        return read(trial -> worstOf(trial, seen));
    }

    /** Declares that, of several observed values, the lowest is closest to its limit. */
    Figure lowest() {
        lowest = true;
        return this;
    }

    /** Adds a column to the table of brokers, third-party groups or topics, with a rank as in {@link #column(int)}. */
    Figure ofEach(int rank) {
        brokerRank = rank;
        return this;
    }

    /**
     * Declares that a second can lack a value, for example because its source was not queried. Checks do not count such
     * seconds.
     */
    Figure mayBeMissing() {
        mayBeMissing = true;
        return this;
    }

    /**
     * Adds a line to a chart of the page; the chart can consist of this line only. Without a color ({@code c0} to
     * {@code c7}), the chart has one line per broker.
     */
    public Figure chart(String chart, @Nullable String color) {
        line = new ChartLine(chart, color, "solid", false);
        return this;
    }

    Figure dashed() {
        line = new ChartLine(line().chart(), line().color(), "dashed", line().quiet());
        return this;
    }

    /** Shows the line in its chart only if it is ever above 0. */
    Figure ifAny() {
        line = new ChartLine(line().chart(), line().color(), line().style(), true);
        return this;
    }

    /** Adds a column to the tables of trials. Narrow tables omit the highest rank first, and rank 0 never. */
    public Figure column(int rank) {
        return column(rank, shownDimension());
    }

    Figure column(int rank, Dimension dimension) {
        columns.add(new Column(this, null, dimension, rank));
        return this;
    }

    /** Adds a column to the tables of trials, with one statistic of a distribution. */
    public Figure column(int rank, Statistic statistic) {
        columns.add(new Column(this, statistic, Dimension.MICROSECONDS, rank));
        return this;
    }

    /** Replaces a second's values below the clock error between workers with an upper limit: twice the error. */
    Figure betweenClocks() {
        betweenClocks = true;
        return this;
    }

    /** Hides values below this clock error, in microseconds. */
    Figure hiddenBelow(Function<TrialResult, Double> errorMicros) {
        hiding = errorMicros;
        return this;
    }

    /**
     * Sets the number of samples that had not ended at the trial's end; null if none. They count with their waiting
     * time, which is a lower bound.
     */
    Figure withUnended(Function<TrialResult, Long> samples) {
        unended = samples;
        return this;
    }

    /** Whether a statistic is only a lower bound, because too many samples had not ended. */
    boolean isAtLeast(TrialResult trial, @Nullable Statistic statistic) {
        Latency latency = latency(trial);
        Long samples = unended.apply(trial);
        return statistic != null
                && latency != null
                && samples != null
                && !statistic.isCertain(latency.count(), samples);
    }

    /** A column for a figure, or for a statistic of it, in tables of trials. Narrow tables omit the highest rank first. */
    public record Column(Figure figure, @Nullable Statistic statistic, Dimension dimension, int rank) {
        /** A name that is unique among columns. */
        public String key() {
            return figure.id + (statistic == null ? " " + dimension : "." + statistic.text());
        }

        public String label(Language language) {
            Sentence own = Sentence.term("figure.column.", key());
            return own.isVerbatim() ? figure.label(language) : own.in(language);
        }

        /** Whether a trial has a value, or would have a value with more samples. */
        public boolean isIn(TrialResult trial) {
            return statistic == null ? value(trial) != null : figure.latency(trial) != null;
        }

        /** The value of a trial; null if unknown, or below the clock error. */
        public @Nullable Number value(TrialResult trial) {
            return statistic == null ? figure.ofTrial.apply(trial, dimension) : statistic.of(figure.latency(trial));
        }

        /** The number without the unit, which is in the column name; byte rates are in MB/s. Null without a value. */
        public @Nullable String shown(TrialResult trial) {
            Number value = value(trial);
            if (value == null) {
                Double error = statistic == null ? null : figure.hidingBelow(trial, statistic);
                return error == null ? null : "< " + Units.micros(error);
            }
            return switch (dimension) {
                case RECORDS_PER_SECOND -> Units.rate(value.doubleValue());
                case BYTES_PER_SECOND -> Units.megabytes(value.doubleValue());
                default -> Units.figure(value.doubleValue(), Units.of(dimension));
            };
        }
    }

    public String id() {
        return id;
    }

    /** The dimensions that a limit can have. */
    public Set<Dimension> dimensions() {
        return dimensions;
    }

    /** The display name; the id if it has none. */
    public String label(Language language) {
        return Sentence.term("figure.label.", id).in(language);
    }

    /** The meaning of the figure in documents, without a period at the end. */
    public String meaning(Language language) {
        return Sentence.term("figure.meaning.", id).in(language);
    }

    /** Whether the figure has a value for each {@link Statistic}. */
    public boolean isLatency() {
        return latencyOfTrial != null;
    }

    boolean perSecond() {
        return ofSecond != null || latenciesOfSecond != null || (observed != null && observed.metric.second() != null);
    }

    /** Whether results contain the figure in {@code figures} or {@code distributions} of a trial. */
    boolean isStored() {
        return stored;
    }

    boolean isCharted() {
        return line != null;
    }

    /** The line of the figure in its chart; only valid if {@link #isCharted()}. */
    public ChartLine line() {
        return Objects.requireNonNull(line, id);
    }

    /** The dimension that tables and charts show: records rather than bytes. */
    public Dimension shownDimension() {
        return dimensions.contains(Dimension.RECORDS_PER_SECOND)
                ? Dimension.RECORDS_PER_SECOND
                : dimensions.iterator().next();
    }

    /** The columns of the figure in tables of trials; empty if none. */
    public List<Column> columns() {
        return columns;
    }

    /** Whether the figure is observed for brokers, hosts, groups, topics or the cluster. */
    boolean isObserved() {
        return observed != null;
    }

    /** The path of an observed figure in results, such as {@code broker.host.cpu}. */
    String observedKey() {
        Observed figure = Objects.requireNonNull(observed, id);
        return figure.of.strip() + "." + (figure.isOfBrokerHost() ? "host." : "") + figure.metric.key();
    }

    /** The rank, as in {@link Column#rank()}; negative if no table of brokers or groups shows the figure. */
    public int brokerRank() {
        return brokerRank;
    }

    /** The value of one broker or group in results, in the figure's dimension; null if not reported. */
    public @Nullable Double ofBroker(Map<String, Object> broker) {
        return observed == null ? null : of(observed, broker);
    }

    private @Nullable Double of(Observed figure, Map<String, Object> object) {
        Object place = figure.isOfBrokerHost() ? object.get("host") : object;
        Object value = place instanceof Map<?, ?> figures ? figures.get(figure.metric.key()) : null;
        return value instanceof Number n ? Double.valueOf(n.doubleValue() * factor) : null;
    }

    private @Nullable Double worstOf(TrialResult trial, Observed figure) {
        List<Map<String, Object>> all =
                switch (figure.of) {
                    case "host" -> List.of(trial.observed().host());
                    case "cluster" -> List.of(trial.observed().cluster());
                    case ObservedFigures.TOPIC -> trial.observed().topics();
                    case GroupsFold.GROUP -> trial.observed().groups();
                    default -> trial.observed().brokers();
                };
        return all.stream()
                .map(object -> of(figure, object))
                .filter(Objects::nonNull)
                .reduce(this::worse)
                .orElse(null);
    }

    /** The one of two values that is closer to its limit. */
    double worse(double one, double other) {
        return lowest ? Math.min(one, other) : Math.max(one, other);
    }

    /** Whether a chart shows a line of the figure for each broker. */
    public boolean isOfBrokers() {
        return observed != null && observed.of.equals(ObservedFigures.BROKER);
    }

    /** Prefix of columns that a chart shows as separate lines, such as {@code topic }; null for a single column. */
    public @Nullable String ofEach() {
        List<String> several = List.of(ObservedFigures.BROKER, GroupsFold.GROUP, ObservedFigures.TOPIC);
        return observed != null && several.contains(observed.of) ? observed.of : null;
    }

    /** The column of a time series that an observation belongs to; null if the observation does not contain this figure. */
    public @Nullable String seriesOf(Observation o) {
        String each = ofEach();
        if (each != null) {
            return o.what().startsWith(each) ? o.what() + id.substring(id.indexOf('.')) : null;
        }
        return observed != null && o.what().equals(observed.of) ? id : null;
    }

    /** The value in the observations of a second; empty if none. */
    public OptionalDouble seenIn(Observation o) {
        Double value = observed != null && o.what().startsWith(observed.of) && observed.metric.second() != null
                ? observed.metric.second().apply(o)
                : null;
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value * factor);
    }

    /** @return null if the trial has no such figure; the upper limit for values below the clock error */
    @Nullable
    Number ofTrial(TrialResult trial, @Nullable Statistic statistic, Dimension dimension) {
        if (statistic == null) {
            return ofTrial.apply(trial, dimension);
        }
        Double error = hidingBelow(trial, statistic);
        return error == null ? statistic.of(latency(trial)) : Long.valueOf(Math.round(2 * error));
    }

    /** The complete distribution; null if the trial has none. */
    public @Nullable Latency latency(TrialResult trial) {
        return latencyOfTrial == null ? null : latencyOfTrial.apply(trial);
    }

    /** The complete distribution of an interval; null if the figure has none. */
    @Nullable
    Latencies latencies(Sums sums) {
        return latenciesOfSecond == null ? null : latenciesOfSecond.apply(sums);
    }

    /** The clock error that hides a statistic; null if the statistic is present or has too few samples. */
    public @Nullable Double hidingBelow(TrialResult trial, Statistic statistic) {
        Latency latency = latency(trial);
        boolean missing = latency != null && statistic.of(latency) == null && statistic.isKnown(latency.count());
        return missing ? hiding.apply(trial) : null;
    }

    /** @return null if seconds contain the figure only for a check that needs it, or if this second lacks it */
    @Nullable
    Number shown(TrialResult.Second second, @Nullable Statistic statistic, Dimension dimension) {
        return shown.in(second, statistic, dimension);
    }

    /** @return null if this interval has no such figure */
    public @Nullable Double ofSecond(Sums sums, @Nullable Statistic statistic, @Nullable Dimension dimension) {
        if (statistic != null) {
            Latencies latencies = latencies(sums);
            Double of = latencies == null ? null : statistic.of(latencies);
            Double error = betweenClocks ? sums.clockErrorMicros() : null;
            return of == null || error == null || of >= error ? of : Double.valueOf(2 * error);
        }
        Double value = ofSecond == null ? null : ofSecond.apply(sums, dimension);
        return value == null || value.isNaN() ? null : value;
    }

    /** Whether the value of an interval is a number of events, which grows with the interval's length. */
    public boolean countsEvents() {
        return growing != null;
    }

    /**
     * The growth of a count, or the maximum, in these sums; null for a figure that cannot fail a check before the end
     * of a trial.
     */
    @Nullable
    Long grownBy(Sums sums, @Nullable Statistic statistic) {
        if (growing != null) {
            return growing.apply(sums);
        }
        Double most = statistic == Statistic.MAX ? ofSecond(sums, statistic, null) : null;
        return most == null ? null : Long.valueOf(most.longValue());
    }
}
