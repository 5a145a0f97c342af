package io.plimsoll.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clean-up after a killed JVM. */
class LastWillTest {

    @Test
    void endsOnlyProcessesUsingDirectory(@TempDir Path directory) throws IOException, InterruptedException {
        Path ours = Files.createDirectory(directory.resolve("ours"));
        Path others = Files.createDirectory(directory.resolve("ours-not"));
        Process meant = sleeping(ours);
        Process other = sleeping(others);
        try {
            LastWill will = LastWill.of(ours);
            assertThat(meant.isAlive()).isTrue();
            will.close();
            assertThat(meant.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(other.isAlive()).isTrue();
            assertThat(directory).isDirectoryNotContaining(ours::equals);
        } finally {
            meant.destroyForcibly();
            other.destroyForcibly();
        }
    }

    private static Process sleeping(Path temporary) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sleep", "120");
        builder.environment().put("TMPDIR", temporary.toString());
        return builder.start();
    }
}
