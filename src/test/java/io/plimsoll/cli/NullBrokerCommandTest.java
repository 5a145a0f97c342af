package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.text.Language;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The null-broker command serves real clients with the configured behavior. */
class NullBrokerCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String arguments) {
        CommandLine commandLine = Main.commandLine(Language.EN, "null-broker");
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(("null-broker --port 0 " + arguments).split(" "));
    }

    @Test
    void printsAddressAndReceivedRecords() {
        int exit = run("--duration 1ms --delay 5ms --capacity 50k/s --stall 1s/5s --error-rate 1% --records 1M");
        assertThat(err.toString()).isEmpty();
        assertThat(exit).isEqualTo(Exit.PASSED.code());
        assertThat(out.toString())
                .containsPattern("null broker listens on 127\\.0\\.0\\.1:[1-9][0-9]+")
                .contains("received 0 records (0 bytes)");
    }

    @ParameterizedTest
    @CsvSource({
        "--stall 5s, such as 1s/5s",
        "--stall 5s/1s, shorter than its period",
        "--capacity 5MB/s, such as 50000/s",
        "--delay 5, needs a unit",
        "--error-rate 2, from 0 to 1",
        "--partitions 0, partitions must be",
        "--duration soon, --duration",
    })
    void refusesInvalidOptionsByName(String arguments, String message) {
        assertThat(run(arguments)).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString()).contains(message);
    }
}
