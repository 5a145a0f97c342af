package io.plimsoll.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code packaging/site/stage}: each page has a group in the navigation, links resolve, and earlier addresses redirect. */
class SiteTest {
    @TempDir
    Path directory;

    @Test
    void stagesAllPagesAndRedirects() throws Exception {
        Files.createDirectories(directory.resolve("reports/en"));
        Files.createDirectories(directory.resolve("reports/zh"));
        File said = directory.resolve("said").toFile();
        Process stage;
        try {
            stage = new ProcessBuilder(
                            "python3", "packaging/site/stage", ".", directory.toString(), directory + "/reports")
                    .redirectErrorStream(true)
                    .redirectOutput(said)
                    .start();
        } catch (IOException e) {
            Assumptions.abort("skipped: " + e.getMessage());
            return;
        }
        try {
            assertThat(stage.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            stage.destroy();
        }
        assertThat(stage.exitValue()).as(Files.readString(said.toPath())).isZero();
        assertThat(directory.resolve("source-en/index.md")).exists();
        assertThat(directory.resolve("mkdocs-zh.yml")).content().contains("reference/scenario.md", "example.md");
        Matcher moved = Pattern.compile("\"([^\"]+)\": \"([^\"]+)\"")
                .matcher(Files.readString(Path.of("packaging/site/moved.json")));
        int redirects = 0;
        while (moved.find()) {
            redirects++;
            assertThat(directory.resolve("source-zh").resolve(moved.group(1)))
                    .content()
                    .contains("href=\"" + "../".repeat(moved.group(1).split("/").length - 1) + moved.group(2) + "\"");
        }
        assertThat(redirects).isGreaterThan(20);
    }
}
