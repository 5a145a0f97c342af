package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Cold starts read from disk and not from the page cache, verified with the kernel. */
class ColdLogsTest {
    private static final int BYTES = 8 << 20;

    /** In the build directory: an in-memory file system cannot be evicted. */
    @TempDir(factory = InTarget.class)
    Path directory;

    static final class InTarget implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Path.of("target"), "cold");
        }
    }

    private static long inMemory(Path file) throws IOException, InterruptedException {
        Process fincore =
                new ProcessBuilder("sh", "-c", "fincore --bytes --noheadings --output RES \"$0\"", "" + file).start();
        String out = new String(fincore.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        Assumptions.assumeThat(fincore.waitFor()).as("fincore").isZero();
        return Long.parseLong(out);
    }

    @Test
    void evictsFilesAndKeepsTheirContents() throws IOException, InterruptedException {
        Path file = directory.resolve("00000000000000000000.log");
        byte[] bytes = new byte[BYTES];
        bytes[BYTES - 1] = 7;
        Files.write(file, bytes);
        assertThat(inMemory(file)).isGreaterThanOrEqualTo(BYTES);
        assertThat(ColdLogs.write(file)).isEqualTo(BYTES);
        assertThat(ColdLogs.forget(List.of(file))).isEqualTo(inMemory(file)).isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }

    @Test
    void failsIfFileCannotBeEvicted() {
        assertThatThrownBy(() -> ColdLogs.forget(List.of(directory.resolve("gone.log"))))
                .isInstanceOf(IOException.class);
    }
}
