package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Odd inputs are answered with a sentence at once, and secrets in them are not shown. */
class OddInputsTest {
    @TempDir
    Path directory;

    private Path pipe() throws Exception {
        Path pipe = directory.resolve("s.yaml");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
    }

    @Test
    void reportsPipeWithoutWriter() throws Exception {
        InProcess run = InProcess.run("run", pipe().toString(), "--dry-run");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).containsPattern(Said.en("text.pipeSilent"));
    }

    @Test
    void readsPipeWithWriter() throws Exception {
        Path pipe = pipe();
        Thread writing = new Thread(() -> {
            try {
                Files.writeString(
                        pipe, "name: s\ntopics: [{name: t}]\nproducers: [{topic: t, rate: 10/s}]\nduration: 1s\n");
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        writing.start();
        InProcess run = InProcess.run("run", pipe.toString(), "--dry-run");
        writing.join();
        assertThat(run.exit()).as(run.err()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.x.ScramLoginModule required username=\"u\" password=\"plantQ!7 zz\" oops",
                "org.x.ScramLoginModule required password plantQ!7 zz;",
                "org.x.ScramLoginModule plantQ!7 zz;",
                "org.x.ScramLoginModule required plantQ!7zz=\"u\" plantQ!8zz",
                "plantQ!7zz",
                "org.x.ScramLoginModule required username=\"u\" password=plantQ!7zz;"
            })
    void doesNotQuoteMalformedLogin(String jaas) throws Exception {
        Path properties = Files.writeString(
                directory.resolve("c.properties"), "security.protocol=SASL_PLAINTEXT\nsasl.jaas.config=" + jaas + "\n");
        InProcess list = InProcess.run(
                "topic",
                "list",
                "--bootstrap-server",
                SharedLab.oneBroker().bootstrapServers(),
                "--command-config",
                properties.toString());
        assertThat(list.exit()).isEqualTo(2);
        assertThat(list.err()).doesNotContain("plantQ", "7 zz", "7zz", "8zz");
    }

    /** A mistake in an option is reported before any connection attempt. */
    @Test
    void checksPatternsBeforeConnecting() {
        for (String[] command : new String[][] {
            {"capture", "--topics", "orders(", "--bootstrap-server", "127.0.0.1:1"},
            {"consumer-perf-test", "--include", "orders(", "--num-records", "1", "--bootstrap-server", "127.0.0.1:1"}
        }) {
            InProcess run = InProcess.run(command);
            assertThat(run.exit()).isEqualTo(2);
            assertThat(run.err()).contains("orders(");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1s", "900ms"})
    void parsesFleetTimeout(String time) {
        InProcess status = InProcess.run(
                "fleet",
                "status",
                "--fleet",
                "127.0.0.1:1",
                "--token",
                directory.resolve("none").toString(),
                "--fleet-timeout",
                time);
        assertThat(status.err()).doesNotContain("--fleet-timeout");
        assertThat(InProcess.run("fleet", "status", "--fleet-timeout", "soon").err())
                .contains("--fleet-timeout");
    }
}
