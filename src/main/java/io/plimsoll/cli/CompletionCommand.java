package io.plimsoll.cli;

import io.plimsoll.Exit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** Prints the completion script of a shell, from the declarations of commands and options. */
@Command(name = "completion")
final class CompletionCommand extends PlimsollCommand {
    private static final String NAME = "plimsoll";

    @Parameters(paramLabel = "bash|zsh|fish", descriptionKey = "argument.completion.shell")
    Shell shell;

    enum Shell {
        BASH,
        ZSH,
        FISH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    Exit perform() {
        CommandLine program = Main.commandLine(language());
        Map<String, CommandSpec> commands = new LinkedHashMap<>();
        collect(NAME, program, commands);
        out().print(
                        switch (shell) {
                            case BASH -> AutoComplete.bash(NAME, program);
                            case ZSH -> zsh(commands);
                            case FISH -> fish(commands);
                        });
        out().flush();
        return Exit.PASSED;
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

    /** The first sentence of a description on one line, without characters that are special to a shell. */
    private static String brief(String[] description) {
        String first = description.length == 0
                ? ""
                : description[0]
                        .replace("%n", " ")
                        .replace("%%", "%")
                        .replaceAll("\\s+", " ")
                        .strip();
        return first.replaceFirst("(\\.( .*)?|。.*)$", "")
                .replaceAll("(?<=\\w)'(?=\\w)", "\u2019")
                .replaceAll("['\"`\\\\$]", "");
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
            String line = "complete -c %1$s -n '__%1$s_%%s %2$s' %%s -d '%%s'%%n".formatted(NAME, name);
            below(command)
                    .forEach(each -> text.append(line.formatted(
                            "is",
                            "-f -a " + each.name(),
                            brief(each.usageMessage().description()))));
            options(command).forEach(option -> {
                String names = Stream.of(option.names())
                        .map(word -> word.startsWith("--") ? "-l " + word.substring(2) : "-s " + word.substring(1))
                        .collect(Collectors.joining(" "));
                String valued = option.arity().max() > 0 ? " -r" : "";
                text.append(line.formatted("at", names + valued, brief(option.description())));
            });
        });
        return text.toString();
    }

    private static String zsh(Map<String, CommandSpec> commands) {
        StringBuilder text = new StringBuilder("""
                #compdef %1$s
                _%1$s() {
                  local -a at words_below
                  local word
                  at=(%1$s)
                  for word in ${words[2,CURRENT-1]}; do
                    case "$at $word" in
                """.formatted(NAME));
        commands.keySet().stream()
                .filter(name -> name.contains(" "))
                .forEach(name -> text.append("      '").append(name).append("') at+=($word) ;;\n"));
        text.append("    esac\n  done\n  case \"$at\" in\n");
        commands.forEach((name, command) -> text.append(Stream.concat(
                        below(command).stream()
                                .map(each -> described(
                                        each.name(), each.usageMessage().description())),
                        options(command).stream().flatMap(option -> Arrays.stream(option.names())
                                .map(word -> described(word, option.description()))))
                .collect(Collectors.joining(" ", "    '" + name + "') words_below=(", ") ;;\n"))));
        // When sourced, the script registers itself; as a file in fpath, it is the body of the function.
        return text + """
                  esac
                  _describe -o '%1$s' words_below || _files
                }
                if [ "$funcstack[1]" = _%1$s ]; then _%1$s "$@"; else compdef _%1$s %1$s; fi
                """.formatted(NAME);
    }

    private static String described(String word, String[] description) {
        return "'" + word + ":" + brief(description).replace(":", "\\:") + "'";
    }
}
