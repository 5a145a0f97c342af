package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Typed;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.report.PlanText;
import io.plimsoll.report.Text;
import io.plimsoll.run.NewScenario;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.ScenarioKeys;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll scenarios}: lists and explains scenarios; and commands that write scenario files. */
@Command(name = "scenarios")
final class ScenariosCommand extends PlimsollCommand {
    private static final String INDENT = "    ";
    private static final int WIDEST = 110;

    @Parameters(arity = "0..1", paramLabel = "NAME", descriptionKey = "argument.scenarios.name")
    String name;

    @Option(names = "--keys")
    boolean keys;

    @Option(names = "--limits")
    boolean limits;

    @Override
    Exit perform() {
        int width = Math.min(WIDEST, look().width()) - INDENT.length();
        if (limits) {
            Diagnosis.rules().forEach(rule -> out().println(
                            String.join("\n" + INDENT, Text.wrap(plain(rule.in(language())), width))));
        } else if (keys) {
            tellKeys(language(), width);
        } else if (name == null) {
            tellScenarios(width);
        } else {
            out().print(ScenarioSource.builtIn(name));
        }
        return Exit.PASSED;
    }

    private void tellScenarios(int wide) {
        int width = BuiltIns.names().stream().mapToInt(String::length).max().orElse(1);
        for (String each : BuiltIns.names()) {
            Plan plan = ScenarioSource.plan(each, List.of(), 1);
            out().println(Text.left(each, width) + "  " + PlanText.size(plan).in(language()));
            Text.wrap(about(plan), wide).forEach(line -> out().println(INDENT + line));
        }
    }

    private String about(Plan plan) {
        String chinese = plan.trials().get(0).scenario().get(ScenarioKeys.ABOUT_ZH);
        return language() == Language.ZH && !chinese.isEmpty() ? chinese : plan.about();
    }

    /** Explains the keys with this name or path, otherwise those that mention the word; all without a name. */
    private void tellKeys(Language language, int wide) {
        Map<String, Key<?>> all = ScenarioKeys.ALL.byPath();
        List<String> told = of(
                all,
                key -> name == null
                        || name.equals(key.getKey())
                        || name.equals(key.getValue().name()));
        if (told.isEmpty()) {
            String word = name.toLowerCase(Locale.ROOT);
            told = of(all, key -> (key.getKey() + "\n" + key.getValue().about(language))
                    .toLowerCase(Locale.ROOT)
                    .contains(word));
        }
        if (told.isEmpty()) {
            throw Exit.USAGE.because("cli.noSuchKey", name, Suggestions.didYouMean(name, ScenarioKeys.ALL.names()));
        }
        for (String path : told) {
            Key<?> key = all.get(path);
            String fallback = key.defaultText(language);
            out().println(path + plain(fallback.isEmpty() ? "" : " (" + fallback + ")"));
            Text.wrap(plain(key.about(language)), wide).forEach(line -> out().println(INDENT + line));
        }
    }

    private static List<String> of(Map<String, Key<?>> all, Predicate<Map.Entry<String, Key<?>>> which) {
        return all.entrySet().stream().filter(which).map(Map.Entry::getKey).toList();
    }

    /** Removes Markdown markup. */
    private static String plain(String markdown) {
        return markdown.replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1").replace("`", "");
    }

    /** {@code plimsoll new}: writes a scenario from five answers, given as options or on the terminal. */
    @Command(name = "new")
    static final class NewCommand extends PlimsollCommand {
        private static final String LAB = "lab";
        private static final String NONE = "-";
        /** The usual replication, used if the number of brokers is unknown. */
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

        /** Reads the answers; null without a terminal, where defaults apply. */
        BufferedReader answers = Asking.answers();

        @Override
        Exit perform() throws IOException {
            expect(replication == null || replication > 0, "--replication", replication, "cli.a.positive");
            require(config == null || servers != null, "cli.needs", "--command-config", "--bootstrap-server");
            Path target = Path.of(file.matches(".*\\.ya?ml") ? file : file + ".yaml");
            // Checked before the first question.
            boolean place = Files.isDirectory(target.toAbsolutePath().getParent());
            Exit.USAGE.when(!place, "cli.cannotWrite", target, Sentence.of("cli.noSuchDirectory"));
            if (Files.exists(target) && !yes) {
                Exit.USAGE.when(answers == null, "cli.new.exists", target);
                Sentence overwrite = Sentence.of("cli.new.overwrite", target, Sentence.of("cli.goOn"));
                Exit.USAGE.when(!Asking.isYes(language(), line(overwrite)), "cli.notGranted");
            }
            NewScenario scenario = scenario();
            String command = command(scenario, target);
            String text = scenario.text(target.getFileName().toString(), command, language());
            // Only a scenario that can run is written.
            ScenarioReader.read(text, target.toString(), List.of(), 1);
            try {
                Files.writeString(target, text);
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "cli.cannotWrite", target, OutputOptions.reason(e));
            }
            print("cli.new.written", target);
            out().println("  " + command);
            return Exit.PASSED;
        }

        private NewScenario scenario() throws IOException {
            String about = NewScenario.what(answer("--what", what, "cli.new.what", "end-to-end", NewScenario::what));
            servers = answer("--bootstrap-server", servers, "cli.new.where", LAB, text -> cluster(text, NONE));
            boolean lab = servers.equals(LAB);
            config = lab
                    ? NONE
                    : answer("--command-config", config, "cli.new.config", NONE, text -> cluster(servers, text));
            int copies = copies(lab);
            String pace = answer("--rate", rate, "cli.new.rate", "5000/s", text -> NewScenario.checkPace(text, about));
            String bytes = answer("--size", size, "cli.new.size", "1KB", NewScenario::checkSize);
            String length = pace.equals(NewScenario.CEILING)
                    ? answer("--duration", duration, "cli.new.atMost", "10m", Quantities::duration)
                    : answer("--duration", duration, "cli.new.duration", "30s", Quantities::duration);
            return new NewScenario(about, pace, bytes, length, copies, lab);
        }

        /** The value of an option, a valid answer, or without a terminal the default. */
        private String answer(String option, String given, String question, String usual, Consumer<String> check)
                throws IOException {
            boolean told = given != null || answers == null;
            while (true) {
                String typed = told ? given : line(Sentence.of("cli.new.usual", Sentence.of(question), usual));
                String text = typed == null || typed.isBlank() ? usual : typed.strip();
                try {
                    check.accept(text);
                    return text;
                } catch (InvalidValueException e) {
                    require(!told, "text.at", option, e.sentence());
                    say(e.sentence());
                }
            }
        }

        private String line(Sentence question) throws IOException {
            err().print(question.in(language()) + " ");
            err().flush();
            String line = answers.readLine();
            if (line == null) {
                // End of input: complete the line of the question.
                err().println();
                throw Exit.USAGE.because("cli.new.ended");
            }
            return line;
        }

        /** The connection, not yet checked; empty for a lab. */
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

    /** {@code plimsoll upgrade-scenario}: replaces deprecated keys; keeps comments and the order of lines. */
    @Command(name = "upgrade-scenario")
    static final class UpgradeScenarioCommand extends PlimsollCommand {
        @Parameters(paramLabel = "FILE.yaml", descriptionKey = "argument.upgrade-scenario.file")
        Path file;

        @Option(names = "--dry-run")
        boolean dryRun;

        @Override
        Exit perform() {
            String old = ScenarioSource.read(file, "run.aScenario");
            String today = CheckParser.today(old);
            // Read the original first: its mistakes refer to its own lines.
            List.of(old, today).forEach(text -> ScenarioReader.read(text, file.toString(), List.of(), 1));
            int changed = showChanges(old.lines().toList(), today.lines().toList());
            if (changed == 0) {
                print("cli.upgrade.nothing", file);
                return Exit.PASSED;
            }
            try {
                if (!dryRun) {
                    Files.writeString(file, today);
                }
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "cli.cannotWrite", file, OutputOptions.reason(e));
            }
            print(dryRun ? "cli.upgrade.would" : "cli.upgrade.done", changed, file);
            return Exit.PASSED;
        }

        /** A diff for {@code patch}. */
        private int showChanges(List<String> old, List<String> today) {
            int changed = 0;
            for (int i = 0; i < old.size(); i++) {
                if (!old.get(i).equals(today.get(i))) {
                    if (changed++ == 0) {
                        out().println("--- " + file + "\n+++ " + file);
                    }
                    out().println("@@ -" + (i + 1) + " +" + (i + 1) + " @@\n-" + old.get(i) + "\n+" + today.get(i));
                }
            }
            return changed;
        }
    }
}
