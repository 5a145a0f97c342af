package io.plimsoll.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code deploy/check}; skipped with a reason if its tools are missing. */
class DeployTest {
    private static final int SKIPPED = 77;

    @TempDir
    Path directory;

    /** An image without a module would lack its commands, and its commit would look modified. */
    @Test
    void imageContextHasAllModules() throws IOException {
        List<String> context = Files.readAllLines(Path.of(".dockerignore"));
        Pattern source = Pattern.compile("<source>(\\w+)/src/main/java</source>");
        assertThat(source.matcher(Files.readString(Path.of("pom.xml")))
                        .results()
                        .map(found -> found.group(1)))
                .contains("fleet", "omb")
                .filteredOn(module -> !module.equals("junit"))
                .allSatisfy(module -> assertThat(context).contains("!" + module));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deploy/Dockerfile",
                "docs/guides/from-laptop-to-pods.md",
                "docs/zh/guides/from-laptop-to-pods.md"
            })
    void releaseSetsImageTagsToVersionOfChart(String file) throws IOException {
        Matcher chart = Pattern.compile("appVersion: \"(.+)\"")
                .matcher(Files.readString(Path.of("deploy/helm/plimsoll/Chart.yaml")));
        assertThat(chart.find()).isTrue();
        assertThat(Pattern.compile("plimsoll:([0-9][0-9.]*)")
                        .matcher(Files.readString(Path.of(file)))
                        .results()
                        .map(found -> found.group(1)))
                .isNotEmpty()
                .containsOnly(chart.group(1));
        assertThat(Files.readString(Path.of("bin/release"))).contains(" " + file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"chart", "unit", "image", "rules"})
    void deploymentFilesAreValid(String what) throws Exception {
        File said = directory.resolve("said").toFile();
        Process check = new ProcessBuilder("bash", "deploy/check", what)
                .redirectErrorStream(true)
                .redirectOutput(said)
                .start();
        try {
            assertThat(check.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            check.destroy();
        }
        Assumptions.assumeFalse(check.exitValue() == SKIPPED, Files.readString(said.toPath()));
        assertThat(check.exitValue()).as(Files.readString(said.toPath())).isZero();
    }
}
