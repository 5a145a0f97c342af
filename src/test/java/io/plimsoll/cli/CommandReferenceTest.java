package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.testing.ReferencePage;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Guards that docs/reference/commands.md and exit-codes.md match the help; {@code -Dplimsoll.write=true} writes them.
 */
class CommandReferenceTest {
    /** Options of every command; the page lists them once. */
    private static final List<String> COMMON =
            List.of("--help", "--version", "--debug", "--classpath", "--lang", "--plain");

    private static CommandLine commandLine(Language language) {
        return Main.commandLine(language).setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void commandPageMatchesHelp(Language language) throws IOException {
        CommandLine plimsoll = commandLine(language);
        ReferencePage page = new ReferencePage("commands", language, "Commands", "命令");
        page.paragraph(
                "In a clone of the repository, type `./plimsoll` instead of `plimsoll`. `plimsoll COMMAND --help` prints the entry of"
                        + " a command.",
                "在克隆下来的仓库目录中，用 `./plimsoll` 代替 `plimsoll`。`plimsoll COMMAND --help` 打印一条命令的说明。");
        page.table("Command|Purpose", "命令|用途");
        visible(plimsoll)
                .forEach(command -> page.row(
                        "[`" + name(command) + "`](#plimsoll-" + name(command) + ")",
                        description(command).get(0)));
        page.heading(2, "options-of-every-command", "Options of every command", "所有命令共有的选项");
        page.table("Option|Meaning", "选项|含义");
        plimsoll.getSubcommands().get("run").getCommandSpec().options().stream()
                .filter(CommandReferenceTest::isCommon)
                .forEach(option -> page.row(names(option), text(option)));
        visible(plimsoll).forEach(command -> command(page, command, 2));
        page.assertCurrent();
    }

    private static List<CommandLine> visible(CommandLine of) {
        return of.getSubcommands().values().stream()
                .distinct()
                .filter(command -> !command.getCommandSpec().usageMessage().hidden())
                .toList();
    }

    private static String name(CommandLine command) {
        return command.getCommandSpec().name();
    }

    private static boolean isCommon(OptionSpec option) {
        return COMMON.contains(option.longestName());
    }

    private static void command(ReferencePage page, CommandLine command, int level) {
        String name = "plimsoll " + command.getCommandSpec().qualifiedName().replaceFirst("^\\S+ ?", "");
        page.heading(level, "", name, name);
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        description(command).forEach(page::paragraph);
        page.paragraph(page.say("**Usage:** ", "**用法：**")
                + escaped(command.getHelp()
                        .synopsis(0)
                        .replaceAll("\\s*\\n\\s*", " ")
                        .strip()));
        examples(page, command);
        arguments(page, command);
        Map<String, String> codes = usage.exitCodeList();
        if (!codes.isEmpty()) {
            page.table("Exit code|Meaning", "退出码|含义");
            codes.forEach((code, meaning) -> page.row(code.strip(), formatted(meaning)));
        }
        footer(page, usage);
        visible(command).forEach(below -> command(page, below, 3));
    }

    /** The examples in the help: each has a line with its purpose, followed by commands. */
    private static void examples(ReferencePage page, CommandLine command) {
        ResourceBundle words = command.getCommandSpec().resourceBundle();
        String key = command.getCommandSpec().qualifiedName(".") + ".usage.example.";
        StringBuilder examples = new StringBuilder();
        for (int i = 0; words.containsKey(key + i); i++) {
            List<String> lines = words.getString(key + i).lines().toList();
            examples.append("# ").append(lines.get(0).replaceFirst("[:：]$", "")).append('\n');
            lines.stream().skip(1).forEach(line -> examples.append(line).append('\n'));
        }
        if (examples.length() > 0) {
            page.block(examples.toString());
        }
    }

    private static void arguments(ReferencePage page, CommandLine command) {
        List<PositionalParamSpec> parameters = command.getCommandSpec().positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .toList();
        if (!parameters.isEmpty()) {
            page.table("Argument|Meaning", "参数|含义");
            parameters.forEach(parameter -> page.row(ReferencePage.code(parameter.paramLabel()), text(parameter)));
        }
        List<OptionSpec> options = command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden() && !isCommon(option))
                .toList();
        if (!options.isEmpty()) {
            page.table("Option|Meaning", "选项|含义");
            options.forEach(option -> page.row(names(option), text(option)));
        }
    }

    /** Commands in the footer, such as examples, as blocks; the rest as lists and paragraphs. */
    private static void footer(ReferencePage page, UsageMessageSpec usage) {
        List<String> lines = Stream.of(usage.footer())
                .flatMap(line -> formatted(line).lines())
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        String heading = formatted(usage.footerHeading()).strip();
        if (!heading.isEmpty()) {
            page.paragraph("**" + heading.replaceFirst("[:：]$", "") + "**");
        }
        List<String> commands =
                lines.stream().filter(CommandReferenceTest::isCommand).toList();
        List<String> items =
                lines.stream().filter(line -> line.startsWith("- ")).toList();
        if (!commands.isEmpty()) {
            page.block(String.join("\n", commands));
        }
        if (!items.isEmpty()) {
            page.items(items.stream().map(item -> escaped(item.substring(2))).toList());
        }
        lines.stream()
                .filter(line -> !isCommand(line) && !line.startsWith("- "))
                .forEach(line -> page.paragraph(escaped(line)));
    }

    private static boolean isCommand(String line) {
        return line.matches("(\\S+ \\| |[A-Z_]+=\\S+ )?plimsoll .*");
    }

    private static List<String> description(CommandLine command) {
        return Stream.of(command.getCommandSpec().usageMessage().description())
                .map(line -> escaped(formatted(line)))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static String names(OptionSpec option) {
        String names = Arrays.stream(option.names())
                .map(name -> option.negatable() ? name.replaceFirst("^--", "--[no-]") : name)
                .collect(Collectors.joining(", "));
        String label = option.arity().max() == 0 ? "" : option.paramLabel();
        boolean optional = option.arity().min() == 0 && !label.isEmpty();
        return ReferencePage.code(names + (label.isEmpty() ? "" : optional ? "[=" + label + "]" : " " + label));
    }

    private static String text(ArgSpec argument) {
        return escaped(Stream.of(argument.description())
                .map(CommandReferenceTest::formatted)
                .collect(Collectors.joining(" ")));
    }

    private static String formatted(String line) {
        return line.replace("%n", "\n").replace("%%", "%").strip();
    }

    /** Text of the help, which is not Markdown: characters with a meaning in Markdown are escaped. */
    private static String escaped(String line) {
        return line.replace("*", "\\*").replace("<", "\\<").replace("_", "\\_").replace("[", "\\[");
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void exitCodePageIsCurrent(Language language) throws IOException {
        CommandLine plimsoll = commandLine(language);
        ReferencePage page = new ReferencePage("exit-codes", language, "Exit codes", "退出码");
        page.paragraph("Scripts can rely on these numbers: they never change their meaning.", "脚本可以依赖这些数字：其含义不会改变。");
        page.table("Exit code|Meaning", "退出码|含义");
        for (Exit exit : Exit.values()) {
            page.row(String.valueOf(exit.code()), meaning(page, exit));
        }
        page.paragraph(
                "If several apply, 4 wins over 3. After Ctrl-C the report contains everything measured so far.",
                "同时符合多个时，4 优先于 3。按 Ctrl-C 之后，报告包含到那时为止的全部测量结果。");
        page.heading(2, "by-command", "By command", "按命令");
        Map<String, CommandLine> listed = new LinkedHashMap<>();
        withSubcommands(plimsoll)
                .filter(command ->
                        !command.getCommandSpec().usageMessage().exitCodeList().isEmpty())
                .forEach(command -> listed.put(command.getCommandSpec().qualifiedName(), command));
        listed.forEach((name, command) -> {
            page.heading(3, "", name, name);
            page.table("Exit code|Meaning", "退出码|含义");
            command.getCommandSpec()
                    .usageMessage()
                    .exitCodeList()
                    .forEach((code, meaning) -> page.row(code.strip(), formatted(meaning)));
        });
        page.heading(3, "other-commands", "Other commands", "其他命令");
        page.table("Command|Exit code|Meaning", "命令|退出码|含义")
                .row(
                        "`capture --check`",
                        "3",
                        page.say(
                                "A figure of the replay deviates from the captured load by more than its bound.",
                                "重放的某项指标与采集到的负载相差超过界限。"))
                .row(
                        page.say("performance tools", "性能工具"),
                        "3",
                        page.say("Records failed or are missing.", "有记录失败或缺失。"))
                .row("`verify`, `watch`", "5", page.say("The audit could not read the topics.", "审计无法读取主题。"))
                .row("`lab status`", "6", page.say("No broker is running.", "没有 broker 在运行。"));
        page.assertCurrent();
    }

    private static Stream<CommandLine> withSubcommands(CommandLine command) {
        return Stream.concat(
                Stream.of(command), visible(command).stream().flatMap(CommandReferenceTest::withSubcommands));
    }

    private static String meaning(ReferencePage page, Exit exit) {
        return switch (exit) {
            case PASSED -> page.say("Passed.", "通过。");
            case INTERNAL -> page.say("A program error, or a full disk.", "程序出错，或磁盘已满。");
            case USAGE -> page.say("An error in the command or the scenario. No load was run.", "命令或场景有错误。没有发压。");
            case CHECK_FAILED -> page.say("A check failed.", "有检查未通过。");
            case AUDIT_FAILED ->
                page.say(
                        "Acknowledged records are lost or damaged, or a guarantee is violated.",
                        "已确认的记录丢失或损坏，或有保证被违反。");
            case INVALID_MEASUREMENT ->
                page.say(
                        "Invalid or undecided: the load generator or another program was the bottleneck, clients or a fault failed, the"
                                + " audit could not finish, or there is too little data to decide.",
                        "无效或无法判定：瓶颈是负载发生器或其他程序，客户端或故障注入失败，审计未能完成，或数据不足以判定。");
            case CLUSTER ->
                page.say("The cluster is unreachable, or refuses authentication or authorization.", "集群无法连接，或拒绝认证或授权。");
            case REGRESSION ->
                page.say(
                        "A figure is worse by more than the tolerance, at the 95 % confidence level.",
                        "某项指标变差超过容差（95 % 置信水平）。");
            case INTERRUPTED -> page.say("Interrupted.", "被中断。");
        };
    }

    @Test
    void commandsAreListedOnce() {
        List<String> names = new ArrayList<>();
        visible(commandLine(Language.EN)).forEach(command -> names.add(name(command)));
        assertThat(names).contains("run", "ceiling", "lab", "omb").doesNotHaveDuplicates();
    }
}
