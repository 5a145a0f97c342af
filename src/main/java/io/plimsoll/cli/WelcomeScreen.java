package io.plimsoll.cli;

import io.plimsoll.InputFile;
import io.plimsoll.PlimsollException;
import io.plimsoll.Typed;
import io.plimsoll.lab.Lab;
import io.plimsoll.report.Look;
import io.plimsoll.report.Text;
import io.plimsoll.report.html.HtmlReport.Entry;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.text.Sentence;
import io.plimsoll.web.RunsPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The welcome screen: shows the lab, runs and scenarios of a directory, and suggests commands. */
record WelcomeScreen(Path directory, PrintWriter out, Look look) {
    private static final String RUNS = "runs";
    private static final int MOST_SCENARIOS = 3;

    void show() {
        say("cli.here.head");
        out.println();
        lab();
        boolean ran = runs();
        scenarios();
        if (!ran) {
            type("cli.here.look", "run");
        }
        type("cli.here.new", "new");
        type("cli.here.yours", "run --bootstrap-server HOST:PORT --dry-run");
        type("cli.here.all", "--help");
        out.flush();
    }

    private void say(String key, Object... arguments) {
        Text.wrap(Sentence.of(key, arguments).in(look.language()), look.width()).forEach(out::println);
    }

    private void type(String key, String command, Object... arguments) {
        say(key, arguments);
        out.println("  " + Typed.program() + " " + command);
    }

    private void lab() {
        try {
            Lab lab = Lab.open(directory.resolve(LabCommand.Place.DEFAULT));
            if (lab.isRunning()) {
                say("cli.here.lab", lab.brokers().size());
                out.println("  " + LabCommand.runOn(lab));
            } else {
                say("cli.labRests", "", lab.brokers().size());
            }
        } catch (PlimsollException e) {
            // No lab exists here, or another version created it; lab commands report that.
        }
    }

    private boolean runs() {
        try {
            Path runs = directory.resolve(RUNS);
            List<String> names = RunsPage.names(runs);
            if (names.isEmpty()) {
                return false;
            }
            Entry newest = RunsPage.entry(runs, names.get(0));
            Sentence verdict = newest.sentence() == null ? Sentence.of("cli.here.noResult") : newest.sentence();
            say("cli.here.runs", names.size(), verdict);
            type("cli.here.report", Text.quote(List.of("report", RUNS + "/" + names.get(0))));
            if (newest.sentence() != null) {
                again(runs.resolve(names.get(0)).resolve(RunDirectory.RESULT));
            }
            type("cli.here.ui", "ui " + RUNS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Suggests the stored command if it names a cluster and contains no redacted secret. */
    private void again(Path result) throws IOException {
        List<String> words = new ArrayList<>();
        Json.MAPPER.readTree(result.toFile()).path("command").forEach(word -> words.add(word.asText()));
        String command = Text.quote(words.subList(Math.min(1, words.size()), words.size()));
        if (command.contains("--bootstrap-server") && !command.contains("(redacted)")) {
            type("cli.here.again", command);
        }
    }

    private void scenarios() {
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> file.toString().matches(".*\\.ya?ml") && isScenario(file))
                    .sorted()
                    .limit(MOST_SCENARIOS)
                    .forEach(file -> type("cli.here.scenario", Text.quote(List.of("run", file.toString())), file));
        } catch (IOException e) {
            // The directory is unreadable: suggest nothing.
        }
    }

    private static boolean isScenario(Path file) {
        try {
            return Files.isRegularFile(file)
                    && InputFile.text(file, InputFile.WRITTEN)
                            .lines()
                            .anyMatch(line -> line.matches("topics: *([\\[#].*)?"));
        } catch (IOException | PlimsollException e) {
            return false;
        }
    }
}
