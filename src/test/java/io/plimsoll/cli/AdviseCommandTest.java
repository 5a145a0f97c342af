package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guards that a run with a planted limit gets advice with a command that can be typed as printed. */
class AdviseCommandTest {
    @TempDir
    Path directory;

    /** Recorded on an idle host, because a host saturated by other programs is a limit too. */
    @Test
    void advisesAsyncInsteadOfSyncSends() throws Exception {
        Path file = Files.writeString(directory.resolve("s.yaml"), """
                name: s
                topics: [{name: s}]
                producers: [{topic: s, send: sync, record: {size: 100}, config: {linger.ms: 0}}]
                duration: 4s
                warmup: 1s
                """);
        Path result = directory.resolve("result.json");
        try (InputStream in = new GZIPInputStream(getClass().getResourceAsStream("/runs/sync.result.json.gz"))) {
            Files.copy(in, result);
        }
        InProcess advised = InProcess.run("advise", result.toString());
        assertThat(advised.exit()).isEqualTo(Exit.PASSED.code());
        assertThat(advised.out()).contains("producers.send  sync → async").contains("producers.threads  1 → 2");
        String command = Pattern.compile("--ab '(producers.send=[^']*)'")
                .matcher(advised.out())
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        InProcess dry = InProcess.run(
                "run",
                file.toString(),
                "--bootstrap-server",
                SharedLab.oneBroker().bootstrapServers(),
                "--ab",
                command,
                "--dry-run");
        assertThat(dry.exit()).as(dry.err()).isZero();
        assertThat(dry.out()).contains("A send=sync").contains("B send=async");
        assertThat(InProcess.run(Language.ZH, "advise", result.toString()).out())
                .contains("建议尝试", "producers.send  sync → async")
                .containsPattern(Said.zh("diagnose.advice.send"));
    }

    @Test
    void refusesDirectoryWithoutRun() {
        InProcess advised = InProcess.run("advise", directory.toString());
        assertThat(advised.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(InProcess.run("advise").err()).contains("RUN");
    }
}
