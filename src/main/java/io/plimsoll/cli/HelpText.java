package io.plimsoll.cli;

import io.plimsoll.report.Text;
import java.util.Arrays;
import java.util.List;
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

/**
 * Breaks help into lines: not within a name such as {@code security.protocol}, where picocli would, and with items
 * of a list below it set in.
 */
final class HelpText {
    private static final Pattern WITHIN_NAME = Pattern.compile("(?<=\\S|^| )[.,](?=[\\p{Alnum}_/])");
    /** Letters of no language stand for '.' and ',' within names while lines are broken. */
    private static final char DOT = '\uE000';

    private static final char COMMA = '\uE001';
    private static final Pattern ITEM = Pattern.compile(" *- ");

    private HelpText() {}

    static void apply(CommandLine commandLine) {
        commandLine.setHelpFactory(Unbroken::new);
        sections(commandLine);
    }

    private static void sections(CommandLine commandLine) {
        for (String section :
                List.of(UsageMessageSpec.SECTION_KEY_OPTION_LIST, UsageMessageSpec.SECTION_KEY_PARAMETER_LIST)) {
            IHelpSectionRenderer usual = commandLine.getHelpSectionMap().get(section);
            commandLine
                    .getHelpSectionMap()
                    .put(section, help -> usual.render(help).replace(DOT, '.').replace(COMMA, ','));
        }
        commandLine.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, HelpText::footer);
        commandLine.getSubcommands().values().forEach(HelpText::sections);
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

    /** Options that a command has inherited and that do not suit it: still understood, to be refused with the reason. */
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
