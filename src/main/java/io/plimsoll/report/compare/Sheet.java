package io.plimsoll.report.compare;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSetter;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Figures;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.stats.RatioInterval;
import io.plimsoll.stats.RoundDesign;
import io.plimsoll.stats.RoundDesign.Contrast;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of Kafka releases or clusters: a set of scenarios runs on each side, in several rounds. Stored as
 * {@value #NAME} beside its runs, so that an interrupted sheet can continue.
 *
 * @param sides in the order of comparison: each is compared with the one before it
 * @param scenarios names or files, as given
 * @param only names of the trials to run; empty for all
 * @param scale factor of durations and numbers of records
 * @param runs complete runs
 * @param rows the findings; empty before the first complete round
 */
@JsonPropertyOrder("schema")
public record Sheet(
        String schema,
        List<Side> sides,
        List<String> scenarios,
        @JsonSetter(nulls = AS_EMPTY) List<String> only,
        double scale,
        List<Done> runs,
        List<Row> rows) {
    public static final String NAME = "sheet.json";
    private static final String SCHEMA = "plimsoll.sheet/1";

    /** Maximum expected share of false findings among the reported differences. */
    public static final double FALSE_DISCOVERIES = 0.05;

    /**
     * A cell without a significant difference is undecided if its smallest detectable relative difference exceeds this
     * value.
     */
    public static final double MOST_TELLING = 0.25;

    /**
     * A release or a cluster.
     *
     * @param release Kafka release of the lab's brokers; null for a cluster
     * @param cluster address or file of client properties; null for a release
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Side(
            String name, @Nullable String release, @Nullable String cluster) {}

    /** @param path path of the run, relative to the directory of the sheet */
    public record Done(int round, String scenario, String side, String path) {}

    /**
     * A figure of one trial on all sides.
     *
     * @param about description of the scenario, by language
     * @param unit as in {@link io.plimsoll.result.CheckResult}
     * @param cells one per side
     */
    public record Row(
            String scenario, Map<String, String> about, String trial, String figure, String unit, List<Cell> cells) {}

    /**
     * @param value geometric mean over the rounds; null if not measured
     * @param rounds number of valid measurements
     * @param invalid number of measurements that do not describe the brokers and are omitted
     * @param change ratio to the previous side; null without a comparison
     * @param p see {@link Contrast}; null without a comparison
     * @param detectable smallest difference that would be detected with a probability of 90 %; null without a
     *     comparison
     */
    public record Cell(
            @Nullable Double value,
            int rounds,
            int invalid,
            @Nullable RatioInterval change,
            @Nullable Double p,
            @Nullable Double detectable,
            Outcome outcome) {}

    public Sheet(List<Side> sides, List<String> scenarios, List<String> only, double scale) {
        this(SCHEMA, sides, scenarios, only, scale, List.of(), List.of());
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the directory has no readable sheet */
    public static Sheet read(Path directory) {
        Path file = directory.resolve(NAME);
        Sheet sheet = ComparedRun.saved(file, Sheet.class, NAME);
        Exit.USAGE.when(!SCHEMA.equals(sheet.schema()), "report.notComparable", file, "schema", NAME);
        return sheet;
    }

    /** This sheet with one more run. */
    public Sheet with(Done run) {
        List<Done> all = new ArrayList<>(runs);
        all.add(run);
        return new Sheet(schema, sides, scenarios, only, scale, List.copyOf(all), rows);
    }

    /** Whether the run is complete. */
    public boolean has(int round, String scenario, Side side) {
        return runs.stream()
                .anyMatch(r -> r.round() == round
                        && r.scenario().equals(scenario)
                        && r.side().equals(side.name()));
    }

    /** Whether a round is complete: each side with a run of the scenario in any round also has one in this round. */
    private boolean isWhole(int round, String scenario) {
        return sides.stream()
                .filter(side -> IntStream.range(0, rounds()).anyMatch(other -> has(other, scenario, side)))
                .allMatch(side -> has(round, scenario, side));
    }

    /** Number of rounds with at least one run, including an interrupted round. */
    public int rounds() {
        return runs.stream().mapToInt(Done::round).max().orElse(-1) + 1;
    }

    /** A trial with its figures, and its results by side and round. */
    private record Measured(
            String scenario,
            Map<String, String> about,
            String trial,
            List<String> figures,
            @Nullable TrialResult[][] results) {}

    /** This sheet with the findings of its runs, read from the directory. */
    public Sheet judged(Path directory) {
        Map<String, Measured> trials = new LinkedHashMap<>();
        List<String> names = sides.stream().map(Side::name).toList();
        for (Done run : runs) {
            if (run.round() == rounds() - 1 && !isWhole(run.round(), run.scenario())) {
                continue;
            }
            Path file = directory.resolve(run.path()).resolve(RunDirectory.RESULT);
            RunResult result = ComparedRun.saved(file, RunResult.class, NAME);
            Plan plan = plan(directory.resolve(run.path()));
            boolean named = plan.trials().stream()
                    .anyMatch(t -> !t.scenario().get(Scenario.COMPARE).isEmpty());
            for (Plan.Trial trial : plan.trials()) {
                Scenario scenario = trial.scenario();
                Measured measured = trials.computeIfAbsent(
                        run.scenario() + "\n" + trial.name(),
                        key -> new Measured(
                                plan.name(),
                                Map.of("en", scenario.about(), "zh", scenario.get(Scenario.ABOUT_ZH)),
                                trial.name(),
                                named ? scenario.get(Scenario.COMPARE) : Comparer.USUAL,
                                new @Nullable TrialResult[names.size()][rounds()]));
                result.trials().stream()
                        .filter(t -> t.name().equals(trial.name()))
                        .forEach(t -> measured.results()[names.indexOf(run.side())][run.round()] = t);
            }
        }
        List<Row> found = trials.values().stream()
                .flatMap(m -> m.figures().stream().map(figure -> row(m, figure)))
                .filter(row -> row.cells().stream().anyMatch(c -> c.value() != null))
                .toList();
        judge(found);
        return new Sheet(schema, sides, scenarios, only, scale, runs, found);
    }

    private static Row row(Measured measured, String figure) {
        Dimension dimension = dimension(figure);
        @Nullable TrialResult[][] results = measured.results();
        double[][] values = new double[results.length][];
        int[] invalid = new int[results.length];
        for (int side = 0; side < results.length; side++) {
            values[side] = new double[results[side].length];
            for (int round = 0; round < results[side].length; round++) {
                TrialResult trial = results[side][round];
                boolean valid = trial != null
                        && trial.course().complete()
                        && Invalidity.of(trial).isEmpty();
                invalid[side] += trial != null && !valid ? 1 : 0;
                values[side][round] =
                        valid ? FigureCatalogue.value(trial, figure, dimension).orElse(Double.NaN) : Double.NaN;
            }
        }
        return new Row(
                measured.scenario(),
                measured.about(),
                measured.trial(),
                figure,
                Units.of(dimension),
                cells(values, invalid));
    }

    private static List<Cell> cells(double[][] values, int[] invalid) {
        int[] known = IntStream.range(0, values.length)
                .filter(side -> count(values[side]) > 0)
                .toArray();
        Optional<RoundDesign> design = RoundDesign.of(dense(values, known));
        List<Cell> cells = new ArrayList<>();
        for (int side = 0; side < values.length; side++) {
            int at = Arrays.binarySearch(known, side);
            boolean comparable = design.isPresent() && at > 0 && known[at - 1] == side - 1;
            Contrast contrast = comparable ? design.get().contrast(at - 1, at) : null;
            RatioInterval change = contrast == null ? null : contrast.interval();
            cells.add(new Cell(
                    mean(values[side]),
                    count(values[side]),
                    invalid[side],
                    change,
                    contrast == null ? null : contrast.p(),
                    change == null ? null : change.detectable(),
                    Outcome.UNKNOWN));
        }
        return cells;
    }

    /** The values of the sides that have any, for rounds in which at least one of these sides has a value. */
    private static double[][] dense(double[][] values, int[] known) {
        int[] rounds = IntStream.range(0, values.length == 0 ? 0 : values[0].length)
                .filter(round -> Arrays.stream(known).anyMatch(side -> !Double.isNaN(values[side][round])))
                .toArray();
        double[][] dense = new double[known.length][rounds.length];
        for (int i = 0; i < known.length; i++) {
            for (int j = 0; j < rounds.length; j++) {
                dense[i][j] = values[known[i]][rounds[j]];
            }
        }
        return dense;
    }

    /** Decides on all comparisons of a side together, to limit false findings. */
    private static void judge(List<Row> rows) {
        int sides = rows.isEmpty() ? 0 : rows.get(0).cells().size();
        for (int side = 1; side < sides; side++) {
            int at = side;
            List<Row> compared =
                    rows.stream().filter(r -> r.cells().get(at).p() != null).toList();
            double[] p =
                    compared.stream().mapToDouble(r -> r.cells().get(at).p()).toArray();
            boolean[] found = RoundDesign.discoveries(p, FALSE_DISCOVERIES);
            for (int i = 0; i < found.length; i++) {
                Row row = compared.get(i);
                Cell cell = row.cells().get(at);
                // A contrast with a p value also has an interval.
                RatioInterval change = Objects.requireNonNull(cell.change());
                row.cells().set(at, judged(cell, change, found[i], row.figure()));
            }
        }
    }

    private static Cell judged(Cell cell, RatioInterval change, boolean found, String figure) {
        Outcome outcome = change.detectable() > MOST_TELLING ? Outcome.UNKNOWN : Outcome.NO_DIFFERENCE;
        // A difference below the resolution of the figures does not count.
        if (found && change.differs()) {
            boolean more = change.ratio() > 1;
            outcome = Figures.moreIsBetter(figure)
                    .map(better -> better == more ? Outcome.BETTER : Outcome.WORSE)
                    .orElse(Outcome.UNKNOWN);
        }
        return new Cell(cell.value(), cell.rounds(), cell.invalid(), change, cell.p(), cell.detectable(), outcome);
    }

    /** The dimension in which runs are compared. */
    static Dimension dimension(String figure) {
        Set<Dimension> dimensions = Figures.dimensions(figure);
        return dimensions.contains(Dimension.BYTES_PER_SECOND)
                ? Dimension.BYTES_PER_SECOND
                : dimensions.iterator().next();
    }

    private static int count(double[] values) {
        return (int) Arrays.stream(values).filter(v -> !Double.isNaN(v)).count();
    }

    private static @Nullable Double mean(double[] values) {
        OptionalDouble mean = Arrays.stream(values)
                .filter(v -> !Double.isNaN(v))
                .map(Math::log)
                .average();
        return mean.isPresent() ? Math.exp(mean.getAsDouble()) : null;
    }

    private static Plan plan(Path run) {
        Path file = run.resolve(RunDirectory.SCENARIO);
        try {
            return ScenarioReader.stored(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "report.notComparable", file, e.getMessage(), NAME);
        }
    }
}
