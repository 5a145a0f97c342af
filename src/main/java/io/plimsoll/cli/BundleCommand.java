package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.bundle.BundleRow;
import io.plimsoll.bundle.BundleRow.Condition;
import io.plimsoll.bundle.BundleWriter;
import io.plimsoll.bundle.Gallery;
import io.plimsoll.bundle.UnpackedBundle;
import io.plimsoll.report.Mark;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll bundle}: packs runs into one file for publication. */
@Command(name = "bundle", subcommands = BundleCommand.CheckBundle.class)
final class BundleCommand extends PlimsollCommand {
    @Parameters(arity = "0..*", paramLabel = "RUN", descriptionKey = "argument.bundle.runs")
    List<Path> runs = new ArrayList<>();

    @Option(
            names = {"--out", "-o"},
            paramLabel = "FILE")
    Path out;

    @Option(names = "--system", paramLabel = "NAME")
    String system;

    @Option(names = "--kafka", paramLabel = "VERSION")
    String kafka;

    @Option(names = "--notes", paramLabel = "TEXT")
    String notes;

    @Option(names = "--anonymous")
    boolean anonymous;

    @Option(names = "--no-logs")
    boolean noLogs;

    @Override
    Exit perform() {
        require(!runs.isEmpty(), "cli.missing", "RUN");
        Path first = runs.get(0).toAbsolutePath().normalize().getFileName();
        Path file = out == null ? Path.of(first + BundleWriter.SUFFIX) : out;
        try {
            new BundleWriter(system, kafka, notes, anonymous, !noLogs).write(runs, file);
        } catch (IOException e) {
            throw OutputOptions.cannotWrite(file, e);
        }
        say("cli.bundle.written", runs.size());
        out().println(file);
        return Exit.PASSED;
    }

    /** {@code plimsoll bundle check}: checks whether a bundle is unchanged and which of its trials can be published. */
    @Command(name = "check")
    static final class CheckBundle extends PlimsollCommand {
        @Parameters(paramLabel = "FILE", descriptionKey = "argument.bundle.file")
        Path file;

        @Override
        Exit perform() {
            List<BundleRow> rows;
            try (UnpackedBundle bundle = UnpackedBundle.open(file)) {
                rows = BundleRow.of(bundle);
            }
            Map<String, List<BundleRow>> runs =
                    rows.stream().collect(Collectors.groupingBy(BundleRow::run, TreeMap::new, Collectors.toList()));
            runs.forEach((run, trials) -> {
                out().println(run);
                trials.forEach(this::show);
            });
            long refused = rows.stream().filter(row -> !row.publishable()).count();
            print("cli.bundle.checked", rows.size() - refused, rows.size());
            print("cli.bundle.hashes");
            if (rows.stream().anyMatch(BundleRow::contradicts)) {
                return Exit.USAGE;
            }
            boolean all = !runs.isEmpty() && runs.values().stream().allMatch(CheckBundle::answered);
            return all ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
        }

        /** A search tries loads that fail, so it needs only one publishable trial. */
        private static boolean answered(List<BundleRow> trials) {
            return trials.get(0).search()
                    ? trials.stream().anyMatch(BundleRow::publishable)
                    : trials.stream().allMatch(BundleRow::publishable);
        }

        private void show(BundleRow row) {
            Sentence figures = Sentence.of(
                    "cli.bundle.row",
                    row.trial(),
                    row.recordsPerSecond() == null ? "–" : Units.rate(row.recordsPerSecond()),
                    row.p50() == null ? "–" : Units.micros(row.p50()),
                    row.p99() == null ? "–" : Units.micros(row.p99()));
            printLine("  " + Mark.of(row.publishable()).before(figures.in(language()), look()));
            for (Condition condition : row.conditions()) {
                Sentence said = Sentence.of("text.at", Sentence.of("cli.bundle." + condition.name()), condition.said());
                printLine("      " + Mark.of(condition.holds()).before(said.in(language()), look()));
            }
        }
    }

    /** {@code plimsoll gallery}: turns bundles into a static site. */
    @Command(name = "gallery")
    static final class GalleryCommand extends PlimsollCommand {
        @Parameters(paramLabel = "DIR", descriptionKey = "argument.gallery.directory")
        Path directory;

        @Option(
                names = {"--out", "-o"},
                paramLabel = "SITE")
        Path out = Path.of("gallery");

        @Override
        Exit perform() throws IOException {
            Exit.USAGE.when(!Files.isDirectory(directory), "cli.gallery.noDirectory", directory);
            List<Path> bundles = Gallery.in(directory);
            Exit.USAGE.when(bundles.isEmpty(), "cli.gallery.noBundles", directory, BundleWriter.SUFFIX);
            Gallery gallery;
            try {
                gallery = Gallery.write(bundles, out, language());
            } catch (IOException e) {
                throw OutputOptions.cannotWrite(out, e);
            }
            gallery.damaged().forEach(d -> say(d.reason()));
            long refused = gallery.rows().stream().filter(r -> !r.publishable()).count();
            say("cli.gallery.written", bundles.size(), gallery.rows().size() - refused, refused);
            out().println(out.resolve(Gallery.INDEX));
            return Exit.PASSED;
        }
    }
}
