package io.plimsoll.cli;

import io.plimsoll.cli.Main.CommandGroup;
import io.plimsoll.report.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.IOptionRenderer;
import picocli.CommandLine.Help.IParameterRenderer;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;

/**
 * Lays out help: commands in groups, only the common options of commands with dozens of options, examples at the end,
 * and no line break within a name such as {@code security.protocol}.
 */
public final class HelpText {
    private static final Pattern WITHIN_NAME = Pattern.compile("(?<=\\S|^| )[.,](?=[\\p{Alnum}_/])");
    /** Private-use characters that replace '.' and ',' in names during line breaking. */
    private static final char DOT = '\uE000';

    private static final char COMMA = '\uE001';
    private static final Pattern ITEM = Pattern.compile(" *- ");
    private static final String EXAMPLES = "examples";

    /** Options that {@code --help} explains for commands with {@code --help-all}; other options are listed by name only. */
    private static final Map<String, String> COMMON = Map.of(
            "run",
            "--bootstrap-server --command-config --set --brokers --trial --ab --fail-on-regression --abort-on-fail "
                    + "--max-rate --yes --dry-run --fleet --out --json --ui",
            "ceiling",
            "--bootstrap-server --command-config --set --slo --by --max-rate --max-duration --width --matrix --group "
                    + "--yes --out --json",
            "capacity",
            "--target --growth --years --headroom --survive --limits --of --format --bootstrap-server --set --max-rate --yes",
            "omb",
            "--drivers --output --bootstrap-server --lab --set --workers --topology --strict --fleet --max-rate --yes "
                    + "--dry-run --out");

    /** The option {@code --help-all}, for commands with more options than fit on a screen. */
    public static final class All {
        @Option(names = "--help-all", usageHelp = true)
        boolean asked;
    }

    static void apply(CommandLine commandLine) {
        commandLine.setHelpFactory(Unbroken::new);
        sections(commandLine);
        commandLine
                .getCommandSpec()
                .usageMessage()
                .sectionKeys(List.of(
                        UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
                        UsageMessageSpec.SECTION_KEY_SYNOPSIS,
                        UsageMessageSpec.SECTION_KEY_DESCRIPTION,
                        UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
                        UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING,
                        UsageMessageSpec.SECTION_KEY_OPTION_LIST));
        Map<String, IHelpSectionRenderer> sections = commandLine.getHelpSectionMap();
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpText::groups);
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING, help -> heading(help, "usage.options"));
        // Each command explains these options; here they would occupy the space of six commands.
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> help.commandSpec().options().stream()
                .filter(option -> !option.hidden())
                .map(HelpText::typed)
                .collect(Collectors.joining(" ", " ", System.lineSeparator())));
    }

    /** The names of an option, such as {@code -h, --help}. */
    private static String typed(OptionSpec option) {
        String names = String.join(", ", option.names());
        return option.arity().max() == 0 ? names : names + "=" + option.paramLabel();
    }

    private static void sections(CommandLine commandLine) {
        Map<String, IHelpSectionRenderer> sections = commandLine.getHelpSectionMap();
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpText::options);
        for (String section :
                List.of(UsageMessageSpec.SECTION_KEY_OPTION_LIST, UsageMessageSpec.SECTION_KEY_PARAMETER_LIST)) {
            sections.computeIfPresent(
                    section,
                    (key, usual) -> help -> usual.render(help).replace(DOT, '.').replace(COMMA, ','));
        }
        sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, HelpText::footer);
        sections.put(EXAMPLES, HelpText::examples);
        // The setter of CommandLine would also change the subcommands.
        UsageMessageSpec usage = commandLine.getCommandSpec().usageMessage();
        List<String> keys = new ArrayList<>(usage.sectionKeys());
        keys.add(EXAMPLES);
        usage.sectionKeys(keys);
        commandLine.getSubcommands().values().forEach(HelpText::sections);
    }

    /** The command groups of {@code plimsoll --help}. */
    private static String groups(Help help) {
        CommandLine main = help.commandSpec().commandLine();
        int column = main.getSubcommands().values().stream()
                        .map(CommandLine::getCommandSpec)
                        .filter(command -> !command.usageMessage().hidden())
                        .mapToInt(command -> command.name().length())
                        .max()
                        .orElse(0)
                + 2;
        List<String> lines = new ArrayList<>();
        for (CommandGroup group : CommandGroup.values()) {
            lines.add(heading(help, group.key()));
            for (Class<? extends PlimsollCommand> command : group.commands) {
                String name = CommandGroup.name(command);
                String[] about = Main.subcommand(main, name)
                        .getCommandSpec()
                        .usageMessage()
                        .description();
                lines.add("  " + help.colorScheme().commandText(name) + " ".repeat(column - name.length())
                        + String.join("", Arrays.asList(about).subList(0, Math.min(1, about.length))));
            }
        }
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    private static String heading(Help help, String key) {
        return help.colorScheme().text("@|bold " + word(help, key) + "|@").toString();
    }

    private static String word(Help help, String key) {
        return help.commandSpec().root().resourceBundle().getString(key);
    }

    private static String options(Help help) {
        CommandSpec command = help.commandSpec();
        OptionSpec all = command.findOption("--help-all");
        if (all == null || Boolean.TRUE.equals(all.getValue())) {
            return help.optionList();
        }
        List<String> explained = List.of((COMMON.get(command.name()) + " --help --help-all").split(" "));
        List<OptionSpec> options =
                command.options().stream().filter(option -> !option.hidden()).toList();
        Predicate<OptionSpec> common = option -> explained.contains(option.longestName());
        String more = options.stream()
                .filter(common.negate())
                .map(OptionSpec::longestName)
                .sorted()
                .collect(Collectors.joining(" "));
        return help.optionListExcludingGroups(options.stream().filter(common).toList())
                + wrapped(
                        word(help, "usage.moreOptions") + " " + more,
                        command.usageMessage().width());
    }

    /** Example command lines, each below its purpose. */
    private static String examples(Help help) {
        ResourceBundle words = help.commandSpec().root().resourceBundle();
        String key = help.commandSpec().qualifiedName(".") + ".usage.example.";
        int width = help.commandSpec().usageMessage().width() - 2;
        StringBuilder text = new StringBuilder();
        for (int i = 0; words.containsKey(key + i); i++) {
            String[] lines = words.getString(key + i).split("\n");
            Text.wrap(lines[0], width - 2)
                    .forEach(line -> text.append("  ").append(line).append(System.lineSeparator()));
            Arrays.stream(lines).skip(1).forEach(line -> text.append("    ")
                    .append(typed(line, width - 4))
                    .append(System.lineSeparator()));
        }
        return text.isEmpty()
                ? ""
                : System.lineSeparator() + word(help, "usage.examples") + System.lineSeparator() + text;
    }

    /** Breaks a command line before options, with the shell's continuation character at the line ends. */
    private static String typed(String line, int width) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (String part : line.split(" (?=--)")) {
            boolean breaks = column > 0 && column + 1 + part.length() > width - 2;
            text.append(column == 0 ? "" : breaks ? " \\" + System.lineSeparator() + "      " : " ")
                    .append(part);
            column = breaks ? part.length() + 2 : column + part.length() + 1;
        }
        return text.toString();
    }

    private static String footer(Help help) {
        UsageMessageSpec usage = help.commandSpec().usageMessage();
        return Arrays.stream(usage.footer())
                .map(line -> wrapped(String.format(line), usage.width()))
                .collect(Collectors.joining());
    }

    private static String wrapped(String line, int width) {
        var item = ITEM.matcher(line);
        int margin = item.lookingAt() ? item.end() : 0;
        String between = System.lineSeparator() + " ".repeat(margin);
        return line.substring(0, margin)
                + String.join(between, Text.wrap(line.substring(margin), width - margin - 1))
                + System.lineSeparator();
    }

    private static final class Unbroken extends Help {
        Unbroken(CommandSpec command, ColorScheme colors) {
            super(command, colors);
        }

        @Override
        public IOptionRenderer createDefaultOptionRenderer() {
            IOptionRenderer usual = super.createDefaultOptionRenderer();
            return (option, label, colors) -> unbroken(usual.render(option, label, colors), colors);
        }

        @Override
        public IParameterRenderer createDefaultParameterRenderer() {
            IParameterRenderer usual = super.createDefaultParameterRenderer();
            return (parameter, label, colors) -> unbroken(usual.render(parameter, label, colors), colors);
        }

        private static Ansi.Text[][] unbroken(Ansi.Text[][] rows, ColorScheme colors) {
            for (Ansi.Text[] row : rows) {
                int last = row.length - 1;
                row[last] = colors.text(WITHIN_NAME
                        .matcher(row[last].plainString())
                        .replaceAll(m -> String.valueOf(m.group().equals(".") ? DOT : COMMA)));
            }
            return rows;
        }
    }

    /** Hides inherited options that the command rejects with a reason. */
    static void hide(CommandLine commandLine, String... names) {
        CommandSpec spec = commandLine.getCommandSpec();
        for (String name : names) {
            OptionSpec option = spec.findOption(name);
            if (option != null) {
                spec.remove(option);
                spec.addOption(OptionSpec.builder(option).hidden(true).build());
            }
        }
    }
}
