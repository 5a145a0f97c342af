import java.io.IOException;
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
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Makes what a terminal knows of an installed program, of the declarations of its commands: completion for bash, zsh and fish,
 * and manual pages. Arguments: a directory that is there, the version, and the time of the pages in seconds since 1970.
 */
final class Terminal {
    private static final String NAME = "plimsoll";

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        CommandLine program = program();
        Map<String, CommandSpec> commands = new LinkedHashMap<>();
        collect(NAME, program, commands);
        write(directory.resolve(NAME + ".bash"), AutoComplete.bash(NAME, program));
        write(directory.resolve(NAME + ".fish"), fish(commands));
        write(directory.resolve("_" + NAME), zsh(commands));
        String date = Instant.ofEpochSecond(Long.parseLong(args[2])).atZone(ZoneOffset.UTC).toLocalDate().toString();
        for (Map.Entry<String, CommandSpec> command : commands.entrySet()) {
            String page = command.getKey().replace(' ', '-');
            write(directory.resolve(page + ".1"), man(command.getKey(), command.getValue(), date, args[1]));
        }
    }

    /** The command line that the program itself reads; its maker is not public. */
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

    /** The first sentence, as one line without what a shell or roff would take for its own. */
    private static String brief(String[] description) {
        String first = description.length == 0 ? "" : plain(description[0]).replaceAll("\\s+", " ").strip();
        int end = first.indexOf(". ");
        String sentence = end < 0 ? first.replaceFirst("\\.$", "") : first.substring(0, end);
        return sentence.replaceAll("(?<=\\w)'(?=\\w)", "\u2019").replaceAll("['\"`\\\\$]", "");
    }

    private static String fish(Map<String, CommandSpec> commands) {
        StringBuilder text = new StringBuilder("""
                function __%1$s_is
                    set -l words (commandline -opc | string match -v -- '-*')
                    test "$words" = "$argv"
                end
                function __%1$s_at
                    set -l words (commandline -opc | string match -v -- '-*')
                    set -l depth (count $argv)
                    test (count $words) -ge $depth; and test "$words[1..$depth]" = "$argv"
                end
                """.formatted(NAME));
        commands.forEach((name, command) -> {
            String here = "complete -c " + NAME + " -n '__" + NAME + "_";
            String at = here + "at " + name + "'";
            below(command).forEach(each -> text.append(here).append("is ").append(name).append("' -f -a ").append(each.name()).append(" -d '")
                    .append(brief(each.usageMessage().description())).append("'\n"));
            for (OptionSpec option : options(command)) {
                text.append(at);
                for (String word : option.names()) {
                    text.append(word.startsWith("--") ? " -l " + word.substring(2)
                            : word.length() == 2 ? " -s " + word.substring(1) : " -o " + word.substring(1));
                }
                text.append(option.arity().max() > 0 ? " -r" : "").append(" -d '")
                        .append(brief(option.description())).append("'\n");
            }
        });
        return text.toString();
    }

    private static String zsh(Map<String, CommandSpec> commands) {
        StringBuilder text = new StringBuilder("#compdef " + NAME + "\n_" + NAME + "() {\n"
                + "  local -a at words_below\n  local word\n  at=(" + NAME + ")\n"
                + "  for word in ${words[2,CURRENT-1]}; do\n    case \"$at $word\" in\n");
        commands.keySet().stream().filter(name -> name.contains(" "))
                .forEach(name -> text.append("      '").append(name).append("') at+=($word) ;;\n"));
        text.append("    esac\n  done\n  case \"$at\" in\n");
        commands.forEach((name, command) -> text.append("    '").append(name).append("') words_below=(")
                .append(Stream.concat(
                                below(command).stream().map(each ->
                                        described(each.name(), each.usageMessage().description())),
                                options(command).stream().flatMap(option -> Arrays.stream(option.names())
                                        .map(word -> described(word, option.description()))))
                        .collect(Collectors.joining(" ")))
                .append(") ;;\n"));
        return text.append("  esac\n  _describe -o 'plimsoll' words_below || _files\n}\n"
                + "_" + NAME + " \"$@\"\n").toString();
    }

    private static String described(String word, String[] description) {
        return "'" + word + ":" + brief(description).replace(":", "\\:") + "'";
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

    /** As picocli prints it. */
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
