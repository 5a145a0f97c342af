package io.plimsoll.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.testing.RecordedRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unpacking a bundle stops at a size, not at the size that its archive declares, and leaves nothing behind. */
class UnpackedBundleTest {
    @TempDir
    Path temp;

    @Test
    void unpackingStopsAtSizeLimit() throws IOException {
        RecordedRuns.open("quick", temp.resolve("run")).close();
        Path file = temp.resolve("quick.plimsoll.zip");
        new BundleWriter(null, null, null, false, true).write(List.of(temp.resolve("run")), file);
        long unpacked = Files.size(temp.resolve("run/timeline.jsonl")) + 10_000;
        Path directory;
        try (UnpackedBundle bundle = UnpackedBundle.open(file, unpacked)) {
            directory = bundle.runs().get(0);
            assertThat(directory.resolve("timeline.jsonl")).hasSameBinaryContentAs(temp.resolve("run/timeline.jsonl"));
        }
        assertThat(directory).doesNotExist();
        assertThatThrownBy(() -> UnpackedBundle.open(file, unpacked / 2))
                .isInstanceOfSatisfying(PlimsollException.class, e -> {
                    assertThat(e.exit()).isEqualTo(Exit.USAGE);
                    assertThat(e.sentence().arguments().get(1).toString()).contains("MB");
                });
    }

    @Test
    void failedWriteLeavesNoTemporaryFile() throws IOException {
        Path run = temp.resolve("run");
        RecordedRuns.open("quick", run).close();
        Path taken = temp.resolve("taken.plimsoll.zip");
        Files.createDirectories(taken.resolve("not-empty"));
        BundleWriter writer = new BundleWriter(null, null, null, false, true);
        assertThatThrownBy(() -> writer.write(List.of(run), taken)).isInstanceOf(IOException.class);
        try (Stream<Path> files = Files.list(temp)) {
            assertThat(files).containsExactlyInAnyOrder(run, taken);
        }
    }
}
