package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The host command describes and measures this machine. */
class HostCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... args) {
        CommandLine commandLine = Main.commandLine(Language.EN, args);
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @Test
    void printsOnlyInventoryWithoutMeasuring(@TempDir Path directory) {
        assertThat(execute("host", "--no-measure", "--dir", directory.toString()))
                .isZero();
        assertThat(out.toString())
                .startsWith("Host ")
                .contains("\n  CPU  ", "\n  Directory     " + directory + ": ")
                .doesNotContain("Measured");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void measuresByDefaultAndShowsEachResult(@TempDir Path directory) throws IOException {
        assertThat(execute("host", "--dir", directory.toString(), "--size", "16MiB", "--seconds", "0.01"))
                .isZero();
        assertThat(out.toString())
                .contains("Measured (MB = 10^6 bytes)", "\n  fsync p50  ", "\n  direct write  ", "\n  CRC32C  ");
        try (var left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void printsJson(@TempDir Path directory) throws IOException {
        assertThat(execute("host", "--json", "--dir", directory.toString(), "--size", "16MiB", "--seconds", "0.01"))
                .isZero();
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.path("schema").asText()).isEqualTo("plimsoll.host/1");
        assertThat(json.path("host").path("fileSystem").path("directory").asText())
                .isEqualTo(directory.toString());
        JsonNode crc = json.path("measurements")
                .valueStream()
                .filter(m -> m.path("name").asText().equals("cpu.crc32c"))
                .findFirst()
                .orElseThrow();
        assertThat(crc.path("value").asDouble()).isPositive();
        assertThat(crc.path("unit").asText()).isEqualTo("MB/s");
        assertThat(crc.path("how").asText()).isNotBlank();
    }

    @Test
    void missingDirectoryGivesOneSentenceAndExitCode2(@TempDir Path directory) {
        Path missing = directory.resolve("missing");
        assertThat(execute("host", "--dir", missing.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("plimsoll: "
                        + Sentence.of("observe.noDirectory", missing).english());
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void insufficientSpaceGivesOneSentenceAndExitCode1(@TempDir Path directory) {
        assertThat(execute("host", "--dir", directory.toString(), "--size", "1000000TiB"))
                .isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).containsPattern(Said.en("observe.notEnoughDisk", null, directory));
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--size, huge, expected an amount of data",
        "--size, 5 apples, expected an amount of data",
        "--size, 1KiB, too small",
        "--seconds, 0, above 0 and at most 60",
        "--seconds, NaN, above 0 and at most 60",
        "--seconds, 3600, above 0 and at most 60"
    })
    void refusesInvalidValues(String option, String value, String message) {
        assertThat(execute("host", option, value)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 4096",
        "512MiB, 536870912",
        "1GiB, 1073741824",
        "1gb, 1000000000",
        "1.5 KiB, 1536",
        "2TiB, 2199023255552"
    })
    void readsSizes(String text, long bytes) {
        assertThat(Quantities.bytes(text)).isEqualTo(bytes);
    }
}
