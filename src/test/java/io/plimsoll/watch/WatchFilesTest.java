package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.cluster.SpreadTopic;
import io.plimsoll.text.Sentence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guards which files of a watch's directory are optional, and which are required. */
class WatchFilesTest {
    @TempDir
    Path directory;

    private final List<Sentence> problems = new ArrayList<>();

    /** As left by a full disk, a power failure, or a user. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{\"schema\":", "\0\0\0\0", "[]"})
    void reportsUnreadableFilesAndSkipsOptionalOnes(String text) throws Exception {
        Files.writeString(directory.resolve("audit.json"), text);
        Files.writeString(directory.resolve("latencies.json"), text);
        Files.writeString(directory.resolve("accounts.json"), text);
        try (WatchFiles files = new WatchFiles(directory, problems::add)) {
            assertThat(files.audited()).isEqualTo(WatchFiles.Audited.NONE);
            assertThat(files.latest()).isEqualTo(WatchFiles.Latest.NONE);
            assertThat(problems)
                    .extracting(Sentence::english)
                    .satisfiesExactly(
                            audit -> assertThat(audit).contains("audit.json"),
                            latencies -> assertThat(latencies).contains("latencies.json"));
            assertThatThrownBy(files::accounts).hasMessageContaining("accounts.json");
        }
    }

    @Test
    void readsBackSavedState() {
        WatchFiles.Audited audited = new WatchFiles.Audited(
                WatchStatus.SCHEMA,
                UUID.randomUUID(),
                "AAAAAAAAAAAAAAAAAAAAAQ",
                new SpreadTopic.ProvidedBrokers("AAAAAAAAAAAAAAAAAAAAAQ", Set.of(1, 2)),
                Map.of(0, new WatchedPartitions.Saved(7, new PartitionAudit(5).save())),
                List.of());
        try (WatchFiles files = new WatchFiles(directory, problems::add)) {
            files.write(audited);
            assertThat(files.audited()).isEqualTo(audited);
            // A shorter text that replaces a longer one.
            files.write(WatchFiles.Audited.NONE);
            assertThat(files.audited()).isEqualTo(WatchFiles.Audited.NONE);
        }
        assertThat(problems).isEmpty();
    }
}
