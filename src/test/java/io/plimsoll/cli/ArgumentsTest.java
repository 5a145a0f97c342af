package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.text.Language;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The stored form of a command line hides the same secrets as its scenario. */
class ArgumentsTest {
    private static List<String> typed(String... words) {
        CommandLine line = Main.commandLine(Language.EN, words);
        return Arguments.typed(line.parseArgs(words).subcommand().commandSpec());
    }

    @Test
    void redactsShellCommands() {
        assertThat(typed("ceiling", "--exec", "stop --pin 4711", "load.yaml", "--undo=start 4711"))
                .containsExactly("plimsoll", "ceiling", "--exec", "(redacted)", "load.yaml", "--undo=(redacted)");
        assertThat(typed("ceiling", "--group", "g", "--replicas", "1,2", "--scale-with", "scale 4711 {n}"))
                .containsExactly(
                        "plimsoll", "ceiling", "--group", "g", "--replicas", "1,2", "--scale-with", "(redacted)");
    }

    @Test
    void redactsMatrixValuesLikeSetValues() {
        assertThat(typed("ceiling", "--matrix", "producers.config.my.plugin=[4711,4712]"))
                .noneMatch(word -> word.contains("471"));
        assertThat(typed("ceiling", "--matrix=producers.config.acks=[1,all]"))
                .containsExactly("plimsoll", "ceiling", "--matrix=producers.config.acks=[1,all]");
    }
}
