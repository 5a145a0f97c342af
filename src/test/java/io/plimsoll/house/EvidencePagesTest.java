package io.plimsoll.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Documents quote only numbers of {@code bench/results}: {@code bench/evidence --check} finds a page that differs
 * from its data, a result that is not sound, and a quoted number that no linked row holds.
 */
class EvidencePagesTest {
    @TempDir
    Path directory;

    private String check(Path home) throws IOException, InterruptedException {
        return said("bench/evidence", "--check", "--home", home.toString());
    }

    private String said(String... command) throws IOException, InterruptedException {
        Path said = directory.resolve("said");
        Process process;
        try {
            process = new ProcessBuilder(Stream.concat(Stream.of("python3"), Stream.of(command))
                            .toList())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
        } catch (IOException e) {
            Assumptions.abort("skipped: " + e.getMessage());
            return "";
        }
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroy();
        }
        boolean silent = Files.size(said) == 0 || command[0].endsWith("all");
        assertThat(process.exitValue()).isEqualTo(silent ? 0 : 1);
        return Files.readString(said);
    }

    @Test
    void documentsMatchResults() throws Exception {
        assertThat(check(Path.of("."))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "docs/evidence/performance.md; 1.28 (1.15 to; 1.38 (1.15 to; performance.md differs from its data",
                "docs/zh/evidence/performance.md; 1.28（1.15 到; 1.38（1.15 到; zh/evidence/performance.md differs from its data",
                "bench/results/client-engine.json; \"median\": 1.28; \"median\": 1.38; performance.md differs from its data",
                "bench/results/client-engine.json; \"missed\"; \"met\"; client-consume-cpu is said to be met",
                "bench/results/client-engine.json; \"low\": 1.15, \"high\": 1.45; \"n\": 1; client-produce-throughput has neither",
                "bench/results/client-engine.json; bench/client-engine --sizes; bench/other --sizes; the command is not",
                "bench/results/broker-kill-20.json; \"sha256\": \"; \"sha256\": \"0; do not have this hash",
                "bench/lib/words.zh.properties; performance.claim.start-help=; performance.claim.start-hell=; differ in keys",
                "bench/lib/words.en.properties; CPU, memory and; CPU in 7 s and; make it a claim",
                "docs/guides/upgrade-kafka.md; [2.6 to 2.8; [1.6 to 2.8; upgrade-kafka.md: 1.6 is in none of the linked rows",
                "docs/zh/guides/upgrade-kafka.md; [2.6 到 2.8; [2.6 到 3.8; upgrade-kafka.md: 3.8 is in none of the linked rows",
                "docs/start/install.md; #start-help; #start-hell; no row start-hell",
                "README.md; ## Five recipes; On 2 shared vCPU it starts in 5 s.; no link to a row of docs/evidence"
            })
    void detectsEveryChange(String file, String old, String changed, String finding) throws Exception {
        Path home = copy(directory.resolve("home"));
        Path of = home.resolve(file);
        assertThat(of).content().contains(old);
        Files.writeString(of, Files.readString(of).replace(old, changed));
        assertThat(check(home)).contains(finding);
    }

    @Test
    void detectsResultWithoutCommand() throws Exception {
        Path home = copy(directory.resolve("home"));
        Files.delete(home.resolve("bench/start-up"));
        assertThat(check(home)).contains("start-up.json").contains("no command bench/start-up");
    }

    /** Except blind limits and moments, where only the first execution counts. */
    @Test
    void allResultsCanBeRemeasured() throws Exception {
        String plan = said("bench/all", "--stale");
        try (Stream<Path> results = Files.list(Path.of("bench/results"))) {
            assertThat(results.map(file -> file.getFileName().toString())
                            .filter(file -> file.matches("(?!blind-).*\\.json"))
                            .map(file -> "bench/" + file.replace(".json", "")))
                    .hasSizeGreaterThan(20)
                    .allMatch(plan::contains);
        }
    }

    private static Path copy(Path home) throws IOException {
        for (String root : List.of("README.md", "README.zh.md", "docs", "bench")) {
            try (Stream<Path> files = Files.walk(Path.of(root))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path to = home.resolve(file);
                    Files.createDirectories(to.getParent());
                    Files.copy(file, to);
                }
            }
        }
        return home;
    }
}
