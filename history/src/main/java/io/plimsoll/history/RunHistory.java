package io.plimsoll.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Generator;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.Json;
import io.plimsoll.result.Outcome;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunFacts;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * The runs of one directory, with an index of their figures in an SQLite file beside them. Opening updates the index,
 * and rebuilds a missing or outdated one; the run directories are authoritative. Not thread-safe; two processes can
 * open the same index.
 */
final class RunHistory implements AutoCloseable {
    static final String INDEX = ".plimsoll-history.db";
    private static final int VERSION = 4;
    /** Maximum wait for another process that updates the index. */
    private static final int PATIENCE_MILLIS = 120_000;

    /** Figure: lower bound of a ceiling in bytes/s, stored as a trial named after the ceiling's parameters. */
    static final String CEILING = "ceiling";
    /** CPU time of the load generator per record in microseconds, a measure of the host's speed. */
    static final String GENERATOR_CPU = "generator.cpuMicrosPerRecord";
    /** Records/s of the null broker before the first trial, another measure of the host's speed. */
    static final String SELF_WARMUP = "host.selfWarmup";

    /** Figure of a trial or ceiling without a valid measurement: invalid, incomplete, or not found. */
    static final String NO_MEASURE = "none";

    private final Path directory;
    private final Connection index;
    private final Map<String, Long> series = new HashMap<>();

    private RunHistory(Path directory, Connection index) {
        this.directory = directory;
        this.index = index;
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the directory is missing or the index is unusable */
    static RunHistory open(Path directory, boolean rebuild) {
        Exit.USAGE.when(!Files.isDirectory(directory), "history.noDirectory", directory);
        Path file = directory.resolve(INDEX);
        try {
            if (rebuild) {
                Files.deleteIfExists(file);
            }
            // In a read-only directory, or if another user owns the index, it is in memory. The path is a URI, so that no character of it is parsed
            // as an option.
            boolean stored = Files.isWritable(directory) && (Files.notExists(file) || Files.isWritable(file));
            String place = stored ? file.toUri().toString() : ":memory:";
            SQLiteConfig config = new SQLiteConfig();
            config.setBusyTimeout(PATIENCE_MILLIS);
            // Detecting and adding new runs must be one exclusive transaction.
            config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
            if (stored) {
                // An empty file is a valid database. SQLite would create a file that every user can read.
                PrivateFiles.file(file);
            }
            Connection index = DriverManager.getConnection("jdbc:sqlite:" + place, config.toProperties());
            RunHistory history = new RunHistory(directory, index);
            history.bringUpToDate();
            return history;
        } catch (SQLException | IOException e) {
            throw Exit.USAGE.because(e, "history.unusable", file, e.getMessage());
        }
    }

    private void bringUpToDate() throws SQLException, IOException {
        try {
            index.setAutoCommit(false);
            prepare();
            refresh();
            index.commit();
            index.setAutoCommit(true);
        } catch (SQLException | IOException | RuntimeException e) {
            // Closing rolls the transaction back.
            close();
            throw e;
        }
    }

    private void prepare() throws SQLException {
        try (Statement sql = index.createStatement()) {
            boolean current;
            try (ResultSet version = sql.executeQuery("PRAGMA user_version")) {
                current = version.getInt(1) == VERSION;
            }
            if (!current) {
                sql.execute("DROP TABLE IF EXISTS run");
                sql.execute("DROP TABLE IF EXISTS series");
                sql.execute("DROP TABLE IF EXISTS figure");
                sql.execute("CREATE TABLE run (id INTEGER PRIMARY KEY, directory TEXT UNIQUE, stamp TEXT, name TEXT,"
                        + " started INTEGER, outcome TEXT, verdict TEXT, facts TEXT)");
                sql.execute(
                        "CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT, trial TEXT, UNIQUE (name, trial))");
                sql.execute("CREATE TABLE figure (series INTEGER, run INTEGER, value REAL,"
                        + " PRIMARY KEY (series, run)) WITHOUT ROWID");
                sql.execute("PRAGMA user_version = " + VERSION);
            }
        }
    }

    private void refresh() throws SQLException, IOException {
        Map<String, String> there = stamps();
        Map<String, String> known = new HashMap<>();
        query("SELECT directory, stamp FROM run", row -> known.put(row.getString(1), row.getString(2)));
        boolean forgotten = false;
        for (Map.Entry<String, String> run : known.entrySet()) {
            if (!run.getValue().equals(there.get(run.getKey()))) {
                update("DELETE FROM run WHERE directory = ?", run.getKey());
                forgotten = true;
            }
        }
        if (forgotten) {
            // One statement for all runs. A statement per run would need an index by run, which would double the size
            // of the file.
            update("DELETE FROM figure WHERE run NOT IN (SELECT id FROM run)");
        }
        for (Map.Entry<String, String> run : there.entrySet()) {
            if (!run.getValue().equals(known.get(run.getKey()))) {
                add(run.getKey(), run.getValue());
            }
        }
    }

    /** A stamp for each run with a result; the stamp changes with the result. */
    private Map<String, String> stamps() throws IOException {
        Map<String, String> stamps = new LinkedHashMap<>();
        try (Stream<Path> all = Files.list(directory)) {
            for (Path run : all.sorted().toList()) {
                Path result = run.resolve(RunDirectory.RESULT);
                if (Files.isRegularFile(result)) {
                    stamps.put(
                            run.getFileName().toString(),
                            Files.getLastModifiedTime(result).toMillis() + " " + Files.size(result));
                }
            }
        }
        return stamps;
    }

    private void update(String statement, @Nullable Object... values) throws SQLException {
        try (PreparedStatement sql = bound(statement, values)) {
            sql.executeUpdate();
        }
    }

    private PreparedStatement bound(String statement, Object... values) throws SQLException {
        PreparedStatement sql = index.prepareStatement(statement);
        for (int i = 0; i < values.length; i++) {
            sql.setObject(i + 1, values[i]);
        }
        return sql;
    }

    private void add(String run, String stamp) throws SQLException {
        RunResult result;
        try {
            result = read(directory.resolve(run).resolve(RunDirectory.RESULT));
        } catch (IOException e) {
            // The update is retried at the next start; the history works without it.
            return;
        }
        if (result == null) {
            // An unreadable result is stored as empty, so that it is not read each time.
            update("INSERT INTO run (directory, stamp) VALUES (?, ?)", run, stamp);
            return;
        }
        RunResult.Verdict verdict = result.verdict();
        Instant started = result.head().startedAt();
        update(
                "INSERT INTO run (directory, stamp, name, started, outcome, verdict, facts) VALUES (?, ?, ?, ?, ?, ?, ?)",
                run,
                stamp,
                result.head().name(),
                started == null ? null : started.toEpochMilli(),
                verdict == null ? null : result.head().outcome().name(),
                verdict == null ? null : Json.line(verdict.sentence()),
                Json.line(facts(result)));
        long id = query("SELECT last_insert_rowid()", row -> row.getLong(1)).get(0);
        try (PreparedStatement sql = index.prepareStatement("INSERT OR REPLACE INTO figure VALUES (?, ?, ?)")) {
            for (Value value : figures(result)) {
                sql.setLong(1, series(value.figure(), value.trial()));
                sql.setLong(2, id);
                sql.setDouble(3, value.value());
                sql.addBatch();
            }
            sql.executeBatch();
        }
    }

    private long series(String figure, String trial) throws SQLException {
        String name = figure + '\n' + trial;
        Long known = series.get(name);
        if (known == null) {
            update("INSERT OR IGNORE INTO series (name, trial) VALUES (?, ?)", figure, trial);
            known = query("SELECT id FROM series WHERE name = ? AND trial = ?", row -> row.getLong(1), figure, trial)
                    .get(0);
            series.put(name, known);
        }
        return known;
    }

    private static @Nullable RunResult read(Path file) throws IOException {
        try {
            InputFile.requireAtMost(file, InputFile.SAVED);
            RunResult result = Json.MAPPER.readValue(file.toFile(), RunResult.class);
            boolean whole = result != null
                    && RunResult.SCHEMA.equals(result.head().schema())
                    && result.trials().stream().noneMatch(trial -> trial.name() == null);
            return whole ? result : null;
        } catch (com.fasterxml.jackson.core.JsonProcessingException | PlimsollException e) {
            return null;
        }
    }

    List<HistoryRun> runs() {
        return query(
                "SELECT id, directory, name, started, outcome, verdict FROM run WHERE name IS NOT NULL ORDER BY started",
                row -> run(row));
    }

    private HistoryRun run(ResultSet row) throws SQLException {
        long started = row.getLong(4);
        boolean timed = !row.wasNull();
        String outcome = row.getString(5);
        return new HistoryRun(
                directory.resolve(row.getString(2)),
                row.getLong(1),
                row.getString(3),
                timed ? Instant.ofEpochMilli(started) : Instant.EPOCH,
                outcome == null ? null : Outcome.valueOf(outcome),
                row.getString(6));
    }

    Map<String, Map<Long, Double>> values(String figure) {
        Map<String, Map<Long, Double>> byTrial = new LinkedHashMap<>();
        query(
                "SELECT trial, run, value FROM series JOIN figure ON series = id WHERE name = ? ORDER BY trial, run",
                row -> byTrial.computeIfAbsent(row.getString(1), t -> new HashMap<>())
                        .put(row.getLong(2), row.getDouble(3)),
                figure);
        return byTrial;
    }

    List<String> figures() {
        return query(
                "SELECT DISTINCT name FROM series WHERE id IN (SELECT series FROM figure)", row -> row.getString(1));
    }

    Map<String, String> facts(long run) {
        return query("SELECT facts FROM run WHERE id = ?", row -> facts(row.getString(1)), run)
                .get(0);
    }

    private interface Reading<T> {
        T of(ResultSet row) throws SQLException;
    }

    private <T> List<T> query(String select, Reading<T> reading, Object... values) {
        List<T> all = new ArrayList<>();
        try (PreparedStatement sql = bound(select, values);
                ResultSet rows = sql.executeQuery()) {
            while (rows.next()) {
                all.add(reading.of(rows));
            }
            return all;
        } catch (SQLException e) {
            throw Exit.USAGE.because(e, "history.unusable", directory.resolve(INDEX), e.getMessage());
        }
    }

    private static Map<String, String> facts(String json) {
        try {
            return Json.MAPPER.readValue(json, new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            return Map.of();
        }
    }

    /** A figure of a run or of a trial; the trial is empty for the whole run. */
    private record Value(String trial, String figure, double value) {}

    private static List<Value> figures(RunResult result) {
        List<Value> values = new ArrayList<>();
        for (TrialResult trial : result.trials()) {
            if (!trial.course().complete() || Invalidity.of(trial).isPresent()) {
                values.add(new Value(trial.name(), NO_MEASURE, 1));
                continue;
            }
            for (String figure : Figures.ALL.keySet()) {
                OptionalDouble value = FigureCatalogue.value(trial, figure, History.dimension(figure));
                if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
                    values.add(new Value(trial.name(), figure, value.getAsDouble()));
                }
            }
            Generator generator =
                    trial.observed() == null ? null : trial.observed().generator();
            Double cpu = generator == null ? null : generator.cpu().cpuMicrosPerRecord();
            if (cpu != null) {
                values.add(new Value(trial.name(), GENERATOR_CPU, cpu));
            }
        }
        for (Ceiling ceiling : result.ceilings()) {
            Ceiling.Bound bound = ceiling.found().decisive();
            Double lower = bound == null ? null : bound.lowerBytesPerSecond();
            String cell = String.join(" ", ceiling.parameters().values());
            values.add(
                    lower != null && ceiling.course().answered()
                            ? new Value(cell, CEILING, lower)
                            : new Value(cell, NO_MEASURE, 1));
        }
        List<SelfWarmup> warmed =
                result.environment() == null ? List.of() : result.environment().selfWarmups();
        double rate = warmed.stream()
                .filter(w -> w.seconds() > 0)
                .mapToDouble(w -> w.records() / w.seconds())
                .sum();
        if (rate > 0) {
            values.add(new Value("", SELF_WARMUP, rate));
        }
        return values;
    }

    /** Facts of a run that can explain a shift, by name. */
    private static Map<String, String> facts(RunResult result) {
        Map<String, String> facts = new TreeMap<>();
        RunFacts.tool(result).forEach((k, v) -> facts.put("tool." + k, v));
        RunFacts.cluster(result).forEach((k, v) -> facts.put("cluster." + k, v));
        RunFacts.host(result).forEach((k, v) -> facts.put("host." + k, v));
        RunFacts.scenario(result).forEach((k, v) -> facts.put("scenario." + k, v));
        double scale = result.head().scale();
        if (scale > 0 && scale != 1) {
            facts.put("--scale", String.valueOf(scale));
        }
        // Without facts such as names and free disk space, which change from run to run and explain no shift.
        facts.keySet().removeIf(k -> RunFacts.CHANCE.contains(k.substring(k.indexOf('.') + 1)));
        facts.values().removeIf(Objects::isNull);
        return facts;
    }

    @Override
    public void close() {
        try {
            index.close();
        } catch (SQLException e) {
            // All required data is already committed.
        }
    }
}
