package io.plimsoll.report;

import io.plimsoll.Exit;
import io.plimsoll.measure.SlowBatch;
import io.plimsoll.report.RunTables.Of;
import io.plimsoll.report.Table.Column;
import io.plimsoll.result.IncidentWords;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.result.SlowMoment.Cause;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import io.plimsoll.watch.WatchStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shows the slow moments of trials: time, latency, stage, place and cause. */
public final class SlowText {
    /** Maximum number of moments shown in full if no time or record selects them. */
    private static final int MOST_IN_FULL = 5;
    /** Maximum difference in seconds between a requested time and a moment that it selects. */
    private static final double NEAR = 0.05;

    /** The slowest moments of a trial, one sentence each. */
    static List<Sentence> worst(TrialResult trial, int most) {
        return trial.detail().slowMoments().stream()
                .limit(most)
                .map(m -> sentence(m, null))
                .toList();
    }

    private static Sentence sentence(SlowMoment m, @Nullable Instant since) {
        return Sentence.of(
                "report.slowMoment",
                since == null ? period(m) : Sentence.of("watch.slowPeriod", begin(m, since), period(m)),
                Units.count(m.records()),
                Units.micros(m.worstMicros()),
                stage(m),
                where(m),
                because(m));
    }

    static Sentence because(SlowMoment m) {
        return m.causes().isEmpty() ? causes(m) : Sentence.of("report.slowBecause", causes(m));
    }

    private static Object period(SlowMoment m) {
        return String.format(Locale.ROOT, "%.2f–%.2f s", m.fromSeconds(), m.toSeconds());
    }

    private static String begin(SlowMoment m, Instant since) {
        return WatchText.TIME.format(WatchStatus.Slow.of(m, since).from());
    }

    /** The name of the slowest stage; a stage of a later version has no name here. */
    static Sentence stage(SlowMoment m) {
        boolean known = Stream.of(SlowBatch.Stage.values())
                .anyMatch(stage -> stage.word().equals(m.stage()));
        return known ? Sentence.of("report.slowStage." + m.stage()) : Sentence.verbatim(m.stage());
    }

    static Object where(SlowMoment m) {
        return m.brokers().isEmpty() ? m.partitions() : Sentence.of("report.slowBrokers", m.brokers());
    }

    private static Sentence causes(SlowMoment m) {
        return m.causes().isEmpty()
                ? Sentence.of("report.slowUnexplained")
                : IncidentWords.of(m.causes().get(0));
    }

    /** All slow moments with their probable causes. */
    static Table<?> table(List<TrialResult> trials) {
        List<Of<SlowMoment>> rows = Of.each(trials, t -> t.detail().slowMoments().stream());
        return Table.of(
                rows,
                trials.size() == 1 ? null : Column.text("trial", Of::name),
                Column.text("slowPeriod", m -> period(m.one())),
                Column.number("records", m -> Table.count(m.one().records())),
                Column.number("worstResp", m -> Table.micros(m.one().worstMicros())),
                Column.text("slowStage", m -> stage(m.one())),
                Column.text("slowPlace", m -> where(m.one())),
                Column.text("slowCause", m -> causes(m.one())));
    }

    /**
     * The slow moments in full.
     *
     * @param trial name of the trial; null for all trials
     * @param at only moments around this time, in seconds of the trial; null for all
     * @param record only the moment with this record, such as {@code orders-3:18204}; null for all
     * @throws io.plimsoll.PlimsollException ({@code USAGE}) if the named trial does not exist
     */
    public static String explained(
            RunResult result, @Nullable String trial, @Nullable Double at, @Nullable String record, Look look) {
        List<TrialResult> trials = result.trials().stream()
                .filter(t -> trial == null || t.name().equals(trial))
                .toList();
        Exit.USAGE.when(trials.isEmpty() && trial != null, "report.explain.noTrial", trial);
        Document document = new Document();
        if (trials.isEmpty()) {
            document.add(Sentence.NONE, Sentence.NONE, blocks(List.of(), at, record, null));
        }
        for (TrialResult t : trials) {
            List<Block> blocks = new ArrayList<>(blocks(t.detail().slowMoments(), at, record, null));
            List<String> more = moreSources(result, t);
            if (!more.isEmpty()) {
                blocks.add(Block.remarks(Mark.NONE, List.of(Sentence.of("report.explain.sources", Sentence.or(more)))));
            }
            document.add(Sentence.verbatim(t.name()), Sentence.NONE, blocks);
        }
        return TerminalText.of(document, look);
    }

    /** Command-line options for unused data sources, which could explain the moments without a cause. */
    private static List<String> moreSources(RunResult result, TrialResult trial) {
        RunResult.Cluster cluster = result.cluster();
        if (cluster == null
                || trial.detail().slowMoments().stream()
                        .noneMatch(m -> m.causes().isEmpty())) {
            return List.of();
        }
        if (cluster.lab()) {
            boolean requests =
                    result.head().command().stream().anyMatch(word -> word.matches("(?i)(--observe=)?requests"));
            return requests ? List.of() : List.of("--observe requests");
        }
        String used = trial.observed().brokers().stream()
                .map(b -> String.valueOf(b.get("sources")))
                .collect(Collectors.joining());
        return Stream.of("jmx --jmx", "prometheus --metrics-endpoint", "agent --observer")
                .map(source -> source.split(" "))
                .filter(source -> !used.contains(source[0]))
                .map(source -> source[1])
                .toList();
    }

    /** The slow moments of a watch in full, see {@link #explained(RunResult, String, Double, String, Look)}. */
    public static String explained(WatchStatus watch, @Nullable Double at, @Nullable String record, Look look) {
        List<SlowMoment> moments = Objects.requireNonNullElse(watch.slowMoments(), List.of());
        Sentence topic = Sentence.verbatim(watch.place().topic());
        Document document = new Document();
        document.add(topic, Sentence.NONE, blocks(moments, at, record, watch.since()));
        return TerminalText.of(document, look);
    }

    /** @param since start of a watch; null in a trial */
    private static List<Block> blocks(
            List<SlowMoment> all, @Nullable Double at, @Nullable String record, @Nullable Instant since) {
        List<SlowMoment> moments = all.stream()
                .filter(m -> at == null || (m.fromSeconds() - NEAR <= at && at <= m.toSeconds() + NEAR))
                .filter(m -> record == null || m.worst().stream().anyMatch(b -> holds(b, record)))
                .toList();
        if (moments.isEmpty()) {
            Sentence none = Sentence.of(since == null ? "report.explain.none" : "watch.noneSlow");
            return List.of(Block.remarks(Mark.NONE, List.of(none)));
        }
        int shown = at == null && record == null ? MOST_IN_FULL : moments.size();
        List<SlowMoment> worst = moments.stream()
                .sorted(Comparator.comparingLong(SlowMoment::worstMicros).reversed())
                .toList();
        List<Block> blocks = new ArrayList<>();
        worst.stream().limit(shown).forEach(m -> blocks.addAll(inFull(m, since)));
        if (worst.size() > shown) {
            String next = Units.micros(worst.get(shown).worstMicros());
            blocks.add(
                    Block.remarks(Mark.NONE, List.of(Sentence.of("report.explain.more", worst.size() - shown, next))));
        }
        return blocks;
    }

    private static boolean holds(SlowBatch batch, String record) {
        int colon = record.lastIndexOf(':');
        long offset = Long.parseLong(record.substring(colon + 1));
        return batch.partition().equals(record.substring(0, colon))
                && batch.offset() <= offset
                && offset < batch.offset() + batch.records();
    }

    /** One moment in full: the stages of its slowest records, and every candidate with its confidence. */
    private static List<Block> inFull(SlowMoment m, @Nullable Instant since) {
        return List.of(
                Block.remarks(Mark.POINT, List.of(sentence(m, since))),
                Block.rows(stages(m.worst())),
                Block.rows(Table.of(
                        m.causes(),
                        Column.text("slowCause", IncidentWords::of),
                        Column.number("at", (Cause c) -> seconds(c.fromSeconds())),
                        Column.number("confidence", Units::percent, Cause::confidence))));
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.3f s", seconds);
    }

    private static Table<SlowBatch> stages(List<SlowBatch> worst) {
        Stream<Column<SlowBatch>> first = Stream.of(
                Column.text("partition", SlowBatch::partition),
                Column.number("offset", b -> b.offset() < 0 ? null : Table.count(b.offset())),
                Column.number("at", b -> seconds(b.fromNanos() / 1e9)),
                Column.number("worstResp", Units::micros, b -> b.nanos() / 1e3));
        Stream<Column<SlowBatch>> each = Stream.of(SlowBatch.Stage.values())
                .filter(stage -> worst.stream().anyMatch(b -> b.stages().containsKey(stage)))
                .map(stage -> Column.number(
                        "slowStage" + stage.word().substring(0, 1).toUpperCase(Locale.ROOT)
                                + stage.word().substring(1),
                        Units::micros,
                        b -> micros(b, stage)));
        return new Table<>(Stream.concat(first, each).filter(Objects::nonNull).toList(), worst);
    }

    private static @Nullable Double micros(SlowBatch batch, SlowBatch.Stage stage) {
        Long nanos = batch.stages().get(stage);
        return nanos == null ? null : nanos / 1e3;
    }
}
