package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Typed;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.report.Text;
import io.plimsoll.run.NewScenario;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll new}: writes a scenario from five answers, given as options or typed on the terminal. */
@Command(name = "new")
final class NewCommand extends PlimsollCommand {
    private static final String LAB = "lab";
    private static final String NONE = "-";
    /** Replication factor if the number of brokers is unknown. */
    private static final int USUAL_COPIES = 3;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE.yaml",
            defaultValue = "my-load.yaml",
            descriptionKey = "argument.new.file")
    String file;

    @Option(names = "--what", paramLabel = "produce|consume|end-to-end")
    String what;

    @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT[,...]")
    String servers;

    @Option(names = "--command-config", paramLabel = "FILE")
    String config;

    @Option(names = "--rate", paramLabel = "RATE|unlimited|ceiling")
    String rate;

    @Option(names = "--size", paramLabel = "SIZE")
    String size;

    @Option(names = "--duration", paramLabel = "TIME")
    String duration;

    @Option(names = "--replication", paramLabel = "N")
    Integer replication;

    @Option(names = "--yes")
    boolean yes;

    /** Reads the answers; empty without a terminal, where defaults apply. */
    Optional<BufferedReader> answers = Asking.answers();

    @Override
    Exit perform() throws IOException {
        expect(replication == null || replication > 0, "--replication", replication, "cli.a.positive");
        require(config == null || servers != null, "cli.needs", "--command-config", "--bootstrap-server");
        Path target = Path.of(file.matches(".*\\.ya?ml") ? file : file + ".yaml");
        // Fail before the first question.
        boolean place = Files.isDirectory(target.toAbsolutePath().resolveSibling(""));
        Exit.USAGE.when(!place, "cli.cannotWrite", target, Sentence.of("cli.noSuchDirectory"));
        if (Files.exists(target) && !yes) {
            Exit.USAGE.when(answers.isEmpty(), "cli.new.exists", target);
            Sentence overwrite = Sentence.of("cli.new.overwrite", target, Sentence.of("cli.goOn"));
            Exit.USAGE.when(!Asking.isYes(language(), line(overwrite)), "cli.notGranted");
        }
        NewScenario scenario = scenario();
        String command = command(scenario, target);
        String text = scenario.text(target.getFileName().toString(), command, language());
        // Write only a scenario that can run.
        ScenarioReader.read(text, target.toString(), List.of(), 1);
        replace(target, text);
        print("cli.new.written", target);
        out().println("  " + command);
        return Exit.PASSED;
    }

    private NewScenario scenario() throws IOException {
        String about = NewScenario.what(answer("--what", what, "cli.new.what", "end-to-end", NewScenario::what));
        servers = answer("--bootstrap-server", servers, "cli.new.where", LAB, text -> cluster(text, NONE));
        boolean lab = servers.equals(LAB);
        config =
                lab ? NONE : answer("--command-config", config, "cli.new.config", NONE, text -> cluster(servers, text));
        int copies = copies(lab);
        String pace = answer("--rate", rate, "cli.new.rate", "5000/s", text -> NewScenario.checkPace(text, about));
        String bytes = answer("--size", size, "cli.new.size", "1KB", NewScenario::checkSize);
        String length = pace.equals(NewScenario.CEILING)
                ? answer("--duration", duration, "cli.new.atMost", "10m", Quantities::duration)
                : answer("--duration", duration, "cli.new.duration", "30s", Quantities::duration);
        return new NewScenario(about, pace, bytes, length, copies, lab);
    }

    /** The value of an option, otherwise a valid answer from the terminal; the default without a terminal. */
    private String answer(String option, @Nullable String given, String question, String usual, Consumer<String> check)
            throws IOException {
        boolean fixed = given != null || answers.isEmpty();
        while (true) {
            String typed = fixed ? given : line(Sentence.of("cli.new.usual", Sentence.of(question), usual));
            String text = typed == null || typed.isBlank() ? usual : typed.strip();
            try {
                check.accept(text);
                return text;
            } catch (InvalidValueException e) {
                require(!fixed, "text.at", option, e.sentence());
                say(e.sentence());
            }
        }
    }

    private String line(Sentence question) throws IOException {
        err().print(question.in(language()) + " ");
        err().flush();
        String line = answers.orElseThrow().readLine();
        if (line == null) {
            // End of input: complete the line of the question.
            err().println();
            throw Exit.USAGE.because("cli.new.ended");
        }
        return line;
    }

    /** The connection settings, not yet tested; empty for a lab. */
    private static Optional<ClusterConnection> cluster(String servers, String config) {
        try {
            Path properties = config.equals(NONE) ? null : Path.of(config);
            return servers.equals(LAB)
                    ? Optional.empty()
                    : Optional.of(ClusterConnection.of(servers, properties, List.of()));
        } catch (PlimsollException e) {
            throw new InvalidValueException(e.sentence());
        }
    }

    private int copies(boolean lab) {
        if (replication != null || lab) {
            return replication == null ? 1 : replication;
        }
        try {
            ClusterConnection cluster = cluster(servers, config).orElseThrow();
            return Math.min(USUAL_COPIES, cluster.check().brokers().size());
        } catch (PlimsollException e) {
            if (e.exit() != Exit.CLUSTER) {
                throw e;
            }
            say(e.sentence());
            say("cli.new.assumed", USUAL_COPIES);
            return USUAL_COPIES;
        }
    }

    private String command(NewScenario scenario, Path target) {
        List<String> words = new ArrayList<>();
        words.add(Typed.program());
        words.add(scenario.isSearch() ? "ceiling" : "run");
        words.add(target.toString());
        if (scenario.isSearch()) {
            words.addAll(List.of("--max-duration", scenario.length()));
        }
        if (!scenario.lab()) {
            words.addAll(List.of("--bootstrap-server", servers));
            if (!config.equals(NONE)) {
                words.addAll(List.of("--command-config", config));
            }
        }
        return Text.quote(words);
    }
}
