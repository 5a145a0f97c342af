package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.text.Language;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Completion knows every command and option that is not hidden, as the program itself declares them. */
class CompletionCommandTest {
    @TempDir
    Path directory;

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        Path script = Files.writeString(directory.resolve("plimsoll"), print("bash"));
        assertThat(completed(script, "la")).isEqualTo("lag lab");
        assertThat(completed(script, "run --dry")).isEqualTo("--dry-run");
        assertThat(completed(script, "completion f")).isEqualTo("fish");
    }

    private static String completed(Path script, String typed) throws Exception {
        String words = "plimsoll " + typed;
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + script + "; COMP_WORDS=(" + words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                                + " _complete_plimsoll; echo ${COMPREPLY[@]}")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    @Test
    void zshAndFishKnowEveryCommandAndOption() {
        String zsh = print("zsh");
        String fish = print("fish");
        Main.commandLine(Language.EN).getSubcommands().forEach((name, command) -> {
            if (command.getCommandSpec().usageMessage().hidden()) {
                return;
            }
            String about = name + ":";
            assertThat(zsh).contains("'" + about).contains("'plimsoll " + name + "') words_below=(");
            assertThat(fish).contains("complete -c plimsoll -n '__plimsoll_is plimsoll' -f -a " + name + " -d '");
            command.getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .map(CommandLine.Model.OptionSpec::longestName)
                    .forEach(option -> {
                        assertThat(zsh).contains("'" + option + ":");
                        assertThat(fish)
                                .containsPattern(
                                        "'__plimsoll_at plimsoll " + name + "' .*-l " + option.substring(2) + " ");
                    });
        });
        assertThat(fish.lines().filter(line -> line.startsWith("complete")))
                .allMatch(line -> line.chars().filter(c -> c == '\'').count() == 4);
    }

    private static String print(String shell) {
        InProcess run = InProcess.run("completion", shell);
        assertThat(run.exit()).isZero();
        return run.out();
    }
}
