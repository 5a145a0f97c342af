package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cli.InProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group catches up from the remote tier of a lab, and the brokers' figures prove that it did so exclusively. */
@Tag("nightly")
class TieredTest {
    @TempDir
    Path out;

    private InProcess run(String... more) {
        String[] words = {
            "run", "tiered-catch-up", "--trial", "members=6", "--scale", "0.5", "--out", out.toString(), "--quiet"
        };
        String[] all = java.util.Arrays.copyOf(words, words.length + more.length);
        System.arraycopy(more, 0, all, words.length, more.length);
        return InProcess.run(all);
    }

    @Test
    void readsFromRemoteTier() {
        InProcess run = run();
        assertThat(run.out()).contains("✓ broker.remoteFetch > 0MB/s", "✓ cluster.remoteRecords > 0", "0 lost");
    }

    /** Otherwise the checks would always hold. */
    @Test
    void readsNothingRemoteWithoutTiering() {
        InProcess run = run("--set", "topics[0].config.remote.storage.enable=false");
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.out()).contains("✗ broker.remoteFetch > 0MB/s", "✗ cluster.remoteRecords > 0");
    }
}
