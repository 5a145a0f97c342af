package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plimsoll drop-in}: creates links with the names of other tools, and translates their commands. */
@Command(
        name = "drop-in",
        synopsisSubcommandLabel = "install|remove",
        subcommands = {DropInCommand.Install.class, DropInCommand.Remove.class})
final class DropInCommand extends PlimsollCommand.Group {
    private static final String KCAT = "k(afka)?cat";
    /** In a replacement: the value with its escapes resolved. */
    private static final String UNESCAPED = "{\\}";

    private static final Map<String, List<Row>> TABLE = table();

    /**
     * A flag of a tool; the first row of a tool has the command instead of a flag.
     * @param begins prefix of the flag's value; null for a flag without a value
     */
    private record Row(String flag, @Nullable String begins, List<String> words) {
        static Row of(String line) {
            List<String> words = List.of(line.strip().split("\\s+"));
            String[] flag = words.get(0).split("=", 2);
            return new Row(flag[0], flag.length == 1 ? null : flag[1], words.subList(1, words.size()));
        }
    }

    private static Map<String, List<Row>> table() {
        Map<String, List<Row>> table = new LinkedHashMap<>();
        List<Row> rows = new ArrayList<>();
        for (String line : InputFile.resource(DropInCommand.class, "/io/plimsoll/drop-ins.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList()) {
            if (!line.startsWith(" ")) {
                rows = new ArrayList<>();
                table.put(Row.of(line).flag(), rows);
            }
            rows.add(Row.of(line));
        }
        return table;
    }

    /** The name of a tool in the table: the typed name without directory and {@code .sh}. */
    private static String tool(String typed) {
        return typed.substring(typed.lastIndexOf('/') + 1).replaceFirst("\\.sh$", "");
    }

    private static boolean isTool(String typed) {
        return TABLE.containsKey(tool(typed)) && !typed.contains("kcat-");
    }

    /** Adds the tools with these names, or all tools if no names are given. */
    static void addTo(CommandLine commandLine, String... typed) {
        Stream<String> names = typed.length == 0 ? TABLE.keySet().stream() : Stream.of(typed);
        names.filter(DropInCommand::isTool)
                .distinct()
                .forEach(name -> commandLine.addSubcommand(
                        name,
                        new CommandLine(new Tool())
                                .setUnmatchedOptionsArePositionalParams(true)
                                .setStopAtPositional(true)));
    }

    /** The command of another tool. */
    @Command(hidden = true)
    static final class Tool implements Callable<Integer> {
        @Spec
        CommandSpec spec;

        @Parameters(descriptionKey = "argument.drop-in.words")
        List<String> words = new ArrayList<>();

        @Override
        public Integer call() {
            List<String> typed = Arguments.given(spec);
            int at = typed.indexOf(spec.name());
            List<String> all = new ArrayList<>(typed.subList(0, at));
            all.addAll(translate(spec.name(), typed.subList(at + 1, typed.size())));
            String[] words = all.toArray(String[]::new);
            return Main.commandLine(((Main) spec.root().userObject()).language(), words)
                    .setOut(spec.commandLine().getOut())
                    .setErr(spec.commandLine().getErr())
                    .execute(words);
        }
    }

    /**
     * Translates the command into a Plimsoll command.
     * @throws io.plimsoll.PlimsollException {@link Exit#USAGE} with the command to type instead
     */
    static List<String> translate(String name, List<String> typed) {
        String tool = tool(name);
        if (tool.matches(KCAT)) {
            tool = typed.contains("-P") ? "kcat-P" : typed.contains("-C") ? "kcat-C" : tool;
        }
        List<Row> rows = Objects.requireNonNull(TABLE.get(tool), tool);
        Translation to = new Translation(rows.get(0));
        List<String> left = new ArrayList<>(typed);
        for (int i = 0; i < left.size(); i++) {
            String word = left.get(i);
            int split = word.startsWith("--") ? word.indexOf('=') : word.matches("-[A-Za-z].+") ? 2 : -1;
            String flag = split < 0 || known(rows, word) ? word : word.substring(0, split);
            if (!known(rows, flag)) {
                to.words.add(word);
                continue;
            }
            boolean takes = rows.stream().anyMatch(row -> row.flag.equals(flag) && row.begins != null);
            String value = !takes
                    ? ""
                    : !flag.equals(word)
                            ? word.substring(word.startsWith("--") ? split + 1 : split)
                            : i + 1 < left.size() ? left.get(++i) : "";
            rows.stream()
                    .skip(1)
                    .filter(row -> row.flag.equals(flag) && (row.begins == null || value.startsWith(row.begins)))
                    .findFirst()
                    .ifPresent(
                            row -> to.add(row, word, row.begins == null ? "" : value.substring(row.begins.length())));
            if (!takes && split == 2 && !flag.equals(word)) {
                left.add(i + 1, "-" + word.substring(2)); // The other flags of a group, such as -qe.
            }
        }
        return to.end(tool);
    }

    private static boolean known(List<Row> rows, String flag) {
        return rows.stream().skip(1).anyMatch(row -> row.flag.equals(flag));
    }

    /** The words of the translated command, collected in order. */
    private static final class Translation {
        final List<String> words = new ArrayList<>();
        private final List<String> verbs = new ArrayList<>();
        private final TreeSet<String> fields = new TreeSet<>();
        private String separator = "\t";

        Translation(Row command) {
            add(command, command.flag, "");
            verbs.addAll(words);
            words.clear();
        }

        void add(Row row, String typed, String value) {
            for (String word : row.words) {
                String filled = word.contains(UNESCAPED)
                        ? word.replace(UNESCAPED, unescaped(value))
                        : word.replace("{}", value);
                if (word.startsWith("!")) {
                    throw Exit.USAGE.because("cli.dropIn." + word.substring(1), typed);
                } else if (word.startsWith("+")) {
                    verbs.add(word.substring(1));
                } else if (word.startsWith("%=")) {
                    separator = filled.substring(2);
                } else if (word.matches("%([0-9-].*|key)")) {
                    fields.add(filled);
                } else {
                    words.add(filled);
                }
            }
        }

        private static String unescaped(String value) {
            try {
                return ConsumeCommand.unescaped(value);
            } catch (IllegalArgumentException e) {
                throw Exit.USAGE.because("cli.notAFormat", value);
            }
        }

        List<String> end(String tool) {
            if (fields.remove("%key")) {
                words.addAll(List.of("--key-separator", separator));
            } else if (!fields.isEmpty()) {
                if (!fields.remove("%-")) {
                    fields.add("%9%v");
                }
                String format = String.join(
                        separator, fields.stream().map(f -> f.substring(2)).toList());
                words.addAll(List.of("--format", format + "\n"));
            } else if (tool.equals("kcat-C") && !words.contains("--offset") && !words.contains("--group")) {
                words.add("--from-beginning");
            }
            return Stream.concat(verbs.stream(), words.stream()).toList();
        }
    }

    /** Commands that manage the links in a directory. */
    abstract static class OnLinks extends PlimsollCommand {
        @Parameters(paramLabel = "DIR", descriptionKey = "argument.drop-in.directory")
        Path directory;

        abstract void apply(Path link, Path launcher, boolean own) throws IOException;

        @Override
        Exit perform() throws IOException {
            Path home = Path.of(System.getProperty("plimsoll.home", "")).toAbsolutePath();
            Path launcher = Stream.of("plimsoll", "bin/plimsoll")
                    .map(home::resolve)
                    .filter(Files::isExecutable)
                    .filter(Files::isRegularFile)
                    .findFirst()
                    .orElseThrow(() -> Exit.USAGE.because("cli.dropIn.noLauncher", home));
            // A link with the name of kafka-run-class.sh would hide all other classes of Kafka.
            List<Path> links = TABLE.keySet().stream()
                    .filter(name -> isTool(name) && !name.endsWith("class"))
                    .map(name -> directory.resolve(name.startsWith("kafka-") ? name + ".sh" : name))
                    .toList();
            for (Path link : links) {
                boolean there = Files.exists(link, LinkOption.NOFOLLOW_LINKS);
                Exit.USAGE.when(there && !isOwn(link, launcher), "cli.dropIn.foreign", link);
            }
            for (Path link : links) {
                apply(link, launcher, isOwn(link, launcher));
            }
            return Exit.PASSED;
        }

        private static boolean isOwn(Path link, Path launcher) throws IOException {
            return Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(launcher);
        }
    }

    @Command(name = "install")
    static final class Install extends OnLinks {
        @Override
        void apply(Path link, Path launcher, boolean own) throws IOException {
            Files.createDirectories(directory);
            if (!own) {
                Files.createSymbolicLink(link, launcher);
            }
            out().println(link);
        }
    }

    @Command(name = "remove")
    static final class Remove extends OnLinks {
        @Override
        void apply(Path link, Path launcher, boolean own) throws IOException {
            if (own) {
                Files.delete(link);
                out().println(link);
            }
        }
    }
}
