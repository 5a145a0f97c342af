package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A watch with a failed part ends as a whole, so that its supervisor restarts it. */
class WatchCommandTest {
    @TempDir
    Path directory;

    /** The threads of one command alone: a thread belongs to the group of the thread that creates it. */
    private static Thread find(ThreadGroup group, String name) throws InterruptedException {
        while (true) {
            Thread[] threads = new Thread[200];
            int count = group.enumerate(threads);
            Optional<Thread> found = Arrays.stream(threads, 0, count)
                    .filter(thread -> thread.getName().equals(name))
                    .findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void refusesUnacknowledgedRecords() throws Exception {
        Path scenario = Files.writeString(
                directory.resolve("f.yaml"),
                "topics: [{name: t}]\nproducers: [{topic: t, rate: 1/s, config: {acks: 0}}]\n");
        String[] cluster = {"watch", "--bootstrap-server", "127.0.0.1:1"};
        for (String[] more : new String[][] {{scenario.toString()}, {"--command-property", "acks=0"}}) {
            String[] words = Stream.of(cluster, more).flatMap(Arrays::stream).toArray(String[]::new);
            InProcess refused = InProcess.run(words);
            assertThat(refused.err()).containsPattern(Said.en("watch.noAcks"));
            assertThat(refused.exit()).isEqualTo(Exit.USAGE.code());
        }
    }

    @ParameterizedTest
    @Timeout(120)
    @ValueSource(strings = {"send", "read", "look", "commit", "links"})
    void failedThreadEndsWatchWithMessage(String part) throws Exception {
        Lab lab = SharedLab.foreign();
        String words = "watch --topic halved-" + UUID.randomUUID() + " --state " + directory.resolve("state")
                + " --bootstrap-server " + lab.bootstrapServers();
        ThreadGroup group = new ThreadGroup("halved");
        CompletableFuture<InProcess> command = new CompletableFuture<>();
        new Thread(group, () -> command.complete(InProcess.run(words.split(" ")))).start();
        Thread failing = find(group, "plimsoll-watch-" + part);
        // As the JVM does when a thread ends on an error.
        failing.getUncaughtExceptionHandler().uncaughtException(failing, new AssertionError("planted"));

        InProcess ended = command.get();
        assertThat(ended.exit()).isEqualTo(Exit.INTERNAL.code());
        assertThat(ended.err()).containsOnlyOnce("plimsoll-watch-" + part).contains("planted");
    }
}
