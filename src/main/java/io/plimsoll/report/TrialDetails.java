package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Backlog;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Generator;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.ProducerShare;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Everything about one trial, for a terminal. */
final class TrialDetails {
    private static final int LABEL = 12;
    private static final int MOST_PRODUCERS = 12;

    private TrialDetails() {}

    static List<String> of(TrialResult trial, int width, Ansi ansi) {
        List<String> lines = new ArrayList<>();
        Text.wrap(Text.printable(heading(trial).english()), width).forEach(lines::add);
        lines.add("");
        table(flowTable(trial), width, ansi, lines);
        List<TrialColumns.Distribution> latencies = TrialColumns.latencies(trial);
        if (!latencies.isEmpty()) {
            table(new Table<>(TrialColumns.latencyColumns(""), latencies), width, ansi, lines);
        }
        for (String[] fact : facts(trial)) {
            List<String> text = Text.wrap(Text.printable(fact[1]), width - LABEL);
            for (int i = 0; i < text.size(); i++) {
                lines.add(Text.left(i == 0 ? fact[0] : "", LABEL) + text.get(i));
            }
        }
        lines.add("");
        return lines;
    }

    private static <T> void table(Table<T> table, int width, Ansi ansi, List<String> lines) {
        List<String> rows = table.lines(width);
        lines.add(ansi.dim(rows.get(0)));
        lines.addAll(rows.subList(1, rows.size()));
        lines.add("");
    }

    static Sentence heading(TrialResult trial) {
        List<String> parameters = trial.detail().parameters().entrySet().stream()
                .map(e -> TrialColumns.shortName(
                                e.getKey(), trial.detail().parameters().keySet()) + "=" + e.getValue())
                .filter(p -> !trial.name().contains(p))
                .toList();
        String name = trial.name() + (parameters.isEmpty() ? "" : " (" + String.join(", ", parameters) + ")");
        List<Sentence> parts = new ArrayList<>();
        String measured = Units.duration(trial.course().measuredSeconds());
        Double warmup = trial.course().warmupSeconds();
        parts.add(
                warmup != null && warmup > 0
                        ? Sentence.of("report.measuredAfter", measured, Units.duration(warmup))
                        : Sentence.of("report.measured", measured));
        if (trial.course().steady() != null) {
            parts.add(Sentence.of(trial.course().steady() ? "report.steady" : "report.notSteady"));
        }
        return Sentence.of("report.heading", name, parts);
    }

    private record Flow(
            String name, Object offered, String records, String perSecond, String megabytes, String errors) {}

    private static Table<Flow> flowTable(TrialResult trial) {
        List<Flow> flows = new ArrayList<>();
        Produce p = trial.produce();
        if (p != null) {
            flows.add(new Flow(
                    "produced",
                    TrialColumns.offered(trial),
                    Units.count(p.volume().records()),
                    TrialColumns.atLeast(trial, Units.rate(p.volume().recordsPerSecond())),
                    Units.megabytes(p.volume().bytesPerSecond()),
                    TrialColumns.count(p.errors())));
        }
        Consume c = trial.consume();
        if (c != null) {
            flows.add(new Flow(
                    "consumed",
                    "",
                    Units.count(c.volume().records()),
                    Units.rate(c.volume().recordsPerSecond()),
                    Units.megabytes(c.volume().bytesPerSecond()),
                    TrialColumns.count(c.errors())));
        }
        return new Table<>(
                List.of(
                        Column.named(Text.left("", LABEL - 3), false, 0, Flow::name),
                        Column.number("report.label.offeredPerSecond", p == null ? 9 : 1, Flow::offered),
                        Column.number("report.label.recordsPerSecond", Flow::perSecond),
                        Column.number("report.label.megabytes", Flow::megabytes),
                        Column.number("report.label.records", 2, Flow::records),
                        Column.number("report.label.errors", Flow::errors)),
                flows);
    }

    private static List<String[]> facts(TrialResult trial) {
        List<String[]> facts = new ArrayList<>();
        if (trial.produce() != null && trial.produce().wire().requests() != null) {
            facts.add(new String[] {"batches", batches(trial.produce()).english()});
            producers(trial.produce()).ifPresent(text -> facts.add(new String[] {"producers", text}));
            waits(trial.produce()).ifPresent(text -> facts.add(new String[] {"waits", text}));
        }
        if (trial.consume() != null) {
            backlog(trial.consume().reading().backlog()).ifPresent(text -> facts.add(new String[] {"backlog", text}));
            trial.consume().groups().forEach(g -> facts.add(new String[] {"group", group(g)}));
        }
        if (trial.observed().generator() != null) {
            facts.add(new String[] {
                "generator", generator(trial.observed().generator()).english()
            });
        }
        return facts;
    }

    /** Their own rates, if there are several and few enough to be read. */
    static Optional<String> producers(Produce p) {
        List<ProducerShare> shares = p.sources().producers();
        if (shares.size() < 2 || shares.size() > MOST_PRODUCERS) {
            return Optional.empty();
        }
        return Optional.of(shares.stream()
                .map(s -> s.name() + " " + Units.rate(s.recordsPerSecond()) + "/s")
                .collect(Collectors.joining(", ")));
    }

    /** Of synchronous sends. */
    static Optional<String> waits(Produce p) {
        long over50 = p.events().getOrDefault("waitedOver50ms", 0L);
        long timedOut = p.events().getOrDefault("waitTimedOut", 0L);
        if (over50 + timedOut == 0) {
            return Optional.empty();
        }
        return Optional.of(Units.count(over50) + " over 50 ms, "
                + Units.count(p.events().getOrDefault("waitedOver100ms", 0L)) + " of them over 100 ms, "
                + Units.count(timedOut) + " given up, " + Units.count(p.errors().total()) + " records failed");
    }

    static Optional<String> backlog(Backlog b) {
        if (b == null) {
            return Optional.empty();
        }
        String p99 = b.responseP99Before() == null || b.responseP99During() == null
                ? ""
                : "; response p99 " + Units.micros(b.responseP99Before()) + " before, "
                        + Units.micros(b.responseP99During()) + " meanwhile";
        return Optional.of(Units.count(b.records()) + " records, "
                + (b.drained() ? "worked off in " : "not worked off in ") + Units.duration(b.drainSeconds()) + " at "
                + Units.rate(b.recordsPerSecond()) + " records/s (" + Units.byteRate(b.bytesPerSecond()) + ")" + p99);
    }

    static Sentence batches(Produce p) {
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("report.requests", Units.rate(p.wire().requestsPerSecond())));
        if (p.wire().recordsPerBatch() != null) {
            parts.add(Sentence.of(
                    "report.batch",
                    Units.rate(p.wire().recordsPerBatch()),
                    Units.bytes(p.wire().bytesPerBatch())));
        }
        if (p.wire().compressionRatio() != null && p.wire().compressionRatio() < 0.995) {
            parts.add(Sentence.of("report.compressed", Units.percent(p.wire().compressionRatio())));
        }
        if (p.waits().bufferWaitSeconds() >= 0.05) {
            parts.add(Sentence.of("report.waited", Units.duration(p.waits().bufferWaitSeconds())));
        }
        if (p.waits().throttledSeconds() >= 0.05) {
            parts.add(Sentence.of("report.throttled", Units.duration(p.waits().throttledSeconds())));
        }
        if (p.wire().retries() > 0) {
            parts.add(Sentence.of("report.sentAgain", Units.count(p.wire().retries())));
        }
        return Sentence.of("report.parts", parts);
    }

    private static String group(Group g) {
        String lag = g.lagAtEnd() == null ? "lag unknown" : "lag " + Units.count(g.lagAtEnd()) + " at the end";
        return g.id() + ": " + g.members() + (g.members() == 1 ? " member, " : " members, ") + lag + ", "
                + Units.count(g.commits()) + " commits, " + Units.count(g.rebalances()) + " rebalances";
    }

    static Sentence generator(Generator g) {
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("report.cores", Units.decimals(g.cpu().cpuCores(), 2)));
        if (g.cpu().cpuMicrosPerRecord() != null) {
            double micros = g.cpu().cpuMicrosPerRecord();
            parts.add(Sentence.of("report.cpuARecord", Units.decimals(micros, micros < 99.95 ? 1 : 0) + " µs"));
        }
        if (g.cpu().busiestThread() != null) {
            parts.add(Sentence.of(
                    "report.busiestThread",
                    g.cpu().busiestThread().name(),
                    Units.percent(g.cpu().busiestThread().share())));
        }
        if (g.wakeUps().ticks() > 0) {
            parts.add(Sentence.of(
                    "report.wakeUpsLate",
                    Units.percent((double) g.wakeUps().lateTicks() / g.wakeUps().ticks())));
        }
        return Sentence.of("report.parts", parts);
    }
}
