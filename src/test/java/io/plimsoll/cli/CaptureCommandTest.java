package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mistakes in a capture request are reported before any request to a cluster. */
class CaptureCommandTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--max-rate 1000/s | --max-rate: expected bytes per second such as 1MB/s, found '1000/s'",
                "--max-rate fast | --max-rate: ",
                "--last yesterday | --last: ",
                "--for 5 | --for: ",
                "--registry registry:8081 | --registry: ",
                "--registry-property a=b | --registry-property",
                "--compress-time 0.5 | --compress-time: expected 1 or more, found '0.5'",
            })
    void reportsInvalidOptions(String options, String message) {
        InProcess run = InProcess.run(("capture --topics t --bootstrap-server localhost:1 " + options).split("\\s+"));
        assertThat(run.err()).contains(message);
        assertThat(run.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(run.out()).isEmpty();
    }
}
