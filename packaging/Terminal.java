import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Generates shell completion (bash, zsh and fish) and manual pages from the declarations of the commands. Arguments:
 * an existing directory, the version, and the time of the pages in seconds since 1970.
 */
final class Terminal {
    private static final String NAME = "plimsoll";

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        CommandLine program = program();
        Map<String, CommandSpec> commands = new LinkedHashMap<>();
        collect(NAME, program, commands);
        write(directory.resolve(NAME + ".bash"), completion("bash"));
        write(directory.resolve(NAME + ".fish"), completion("fish"));
        write(directory.resolve("_" + NAME), completion("zsh"));
        String date = Instant.ofEpochSecond(Long.parseLong(args[2])).atZone(ZoneOffset.UTC).toLocalDate().toString();
        for (Map.Entry<String, CommandSpec> command : commands.entrySet()) {
            String page = command.getKey().replace(' ', '-');
            write(directory.resolve(page + ".1"), man(command.getKey(), command.getValue(), date, args[1]));
        }
    }

    private static String completion(String shell) throws ReflectiveOperationException {
        StringWriter text = new StringWriter();
        if (program().setOut(new PrintWriter(text)).execute("completion", shell) != 0) {
            throw new IllegalStateException("no completion for " + shell);
        }
        return text.toString();
    }

    /** The command line of the program itself; its factory method is not public. */
    private static CommandLine program() throws ReflectiveOperationException {
        Class<?> language = Class.forName("io.plimsoll.text.Language");
        Method maker = Class.forName("io.plimsoll.cli.Main").getDeclaredMethod("commandLine", language, String[].class);
        maker.setAccessible(true);
        return (CommandLine) maker.invoke(null, language.getField("EN").get(null), new String[0]);
    }

    private static void collect(String name, CommandLine command, Map<String, CommandSpec> all) {
        if (!command.getCommandSpec().usageMessage().hidden()) {
            all.put(name, command.getCommandSpec());
            command.getSubcommands().forEach((word, below) -> collect(name + " " + word, below, all));
        }
    }

    private static List<CommandSpec> below(CommandSpec command) {
        return command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(spec -> !spec.usageMessage().hidden())
                .toList();
    }

    private static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream().filter(option -> !option.hidden()).toList();
    }

    /** The first sentence as one line, without special characters of a shell or roff. */
    private static String brief(String[] description) {
        String first = description.length == 0 ? "" : plain(description[0]).replaceAll("\\s+", " ").strip();
        int end = first.indexOf(". ");
        String sentence = end < 0 ? first.replaceFirst("\\.$", "") : first.substring(0, end);
        return sentence.replaceAll("(?<=\\w)'(?=\\w)", "\u2019").replaceAll("['\"`\\\\$]", "");
    }

    private static String man(String name, CommandSpec command, String date, String version) {
        List<String> lines = new ArrayList<>();
        lines.add(".TH \"" + name.replace(' ', '-').toUpperCase(java.util.Locale.ROOT) + "\" 1 " + date + " \"Plimsoll "
                + version + "\" \"Plimsoll\"");
        lines.add(".SH NAME\n" + roff(name.replace(' ', '-')) + " \\- " + roff(brief(command.usageMessage().description())));
        CommandLine.Help help = command.commandLine().getHelp();
        lines.add(".SH SYNOPSIS\n.nf\n" + roff(help.synopsis(0).strip()) + "\n.fi");
        lines.add(".SH DESCRIPTION");
        Arrays.stream(command.usageMessage().description()).forEach(each -> lines.add(".PP\n" + roff(plain(each))));
        if (!below(command).isEmpty()) {
            lines.add(".SH COMMANDS");
            below(command).forEach(each -> lines.add(".TP\n\\fB" + roff(each.name()) + "\\fR\n"
                    + roff(brief(each.usageMessage().description()))));
        }
        lines.add(".SH OPTIONS");
        command.positionalParameters().forEach(each -> lines.add(".TP\n\\fI" + roff(each.paramLabel()) + "\\fR\n"
                + roff(told(each.description()))));
        options(command).forEach(option -> lines.add(".TP\n\\fB" + roff(String.join(", ", option.names()))
                + (option.arity().max() > 0 ? "\\fR=\\fI" + roff(option.paramLabel()) : "") + "\\fR\n"
                + roff(told(option.description()))));
        String footer = Stream.of(command.usageMessage().footer()).map(Terminal::plain).collect(Collectors.joining("\n"));
        if (!footer.isBlank()) {
            lines.add(".SH NOTES\n.nf\n" + roff(footer.strip()) + "\n.fi");
        }
        command.usageMessage().exitCodeList().forEach((code, means) -> {
            if (lines.stream().noneMatch(".SH EXIT STATUS"::equals)) {
                lines.add(".SH EXIT STATUS");
            }
            lines.add(".TP\n" + code.strip() + "\n" + roff(means));
        });
        return String.join("\n", lines) + "\n";
    }

    /** Replaces format specifiers, as picocli does. */
    private static String plain(String text) {
        return text.replace("%n", "\n").replace("%%", "%");
    }

    private static String told(String[] description) {
        return Arrays.stream(description).map(Terminal::plain).collect(Collectors.joining(" "));
    }

    private static String roff(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
    }
}
