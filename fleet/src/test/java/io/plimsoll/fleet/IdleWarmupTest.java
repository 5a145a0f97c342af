package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.SelfWarmup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent warms up its own code while it waits, and gives that up for a run. */
class IdleWarmupTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path locks;

    private final List<String> said = new CopyOnWriteArrayList<>();

    private IdleWarmup of(Duration limit) {
        return new IdleWarmup(limit, 1, locks);
    }

    @Test
    void producesAndReadsRecords() throws InterruptedException {
        IdleWarmup warmup = of(LIMIT);
        warmup.begin("a", sentence -> said.add(sentence.key()));
        warmup.awaitEnd();
        SelfWarmup done = warmup.done().orElseThrow();
        assertThat(done.worker()).isEqualTo("a");
        assertThat(done.records()).isPositive();
        assertThat(done.without()).isEmpty();
        assertThat(said).containsExactly("fleet.warm");
        assertThat(locks).isDirectoryContaining(file -> file.toString().endsWith(".lock"));
    }

    @Test
    void isNotWarmIfStopped() throws InterruptedException {
        IdleWarmup warmup = of(LIMIT);
        warmup.begin("a", sentence -> said.add(sentence.key()));
        warmup.stop();
        warmup.awaitEnd();
        assertThat(warmup.done()).isEmpty();
        assertThat(said).isEmpty();
    }

    /** No record is possible within a nanosecond, as on a host that is too busy. */
    @Test
    void reportsIncompleteWarmup() throws InterruptedException {
        IdleWarmup warmup = of(Duration.ofNanos(1));
        warmup.begin("a", sentence -> said.add(sentence.key()));
        warmup.awaitEnd();
        assertThat(warmup.done()).isEmpty();
        assertThat(said).containsExactly("fleet.cold");
    }

    @Test
    void doesNothingUnlessAsked() throws InterruptedException {
        IdleWarmup warmup = of(Duration.ZERO);
        warmup.begin("a", sentence -> said.add(sentence.key()));
        warmup.awaitEnd();
        assertThat(locks).isEmptyDirectory();
        assertThat(warmup.done()).isEmpty();
    }

    /** Of a directory that cannot hold its lock. */
    @Test
    void warmsUpEvenWithoutLock() throws Exception {
        IdleWarmup warmup = new IdleWarmup(LIMIT, 1, Files.createFile(locks.resolve("file")));
        warmup.begin("a", sentence -> said.add(sentence.key()));
        warmup.awaitEnd();
        assertThat(warmup.done()).isPresent();
    }
}
