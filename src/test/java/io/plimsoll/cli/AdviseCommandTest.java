package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.text.Language;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guards that a run whose limit was planted is told what to try, by a command that can be typed as it stands. */
class AdviseCommandTest {
    @TempDir
    Path directory;

    /** One thread that waits for each record: nothing else can be the limit, however busy the machine is. */
    @Test
    void sendsThatWaitForEachRecordAreAdvisedNotTo() throws Exception {
        String topic = "advise-" + UUID.randomUUID();
        Path file = Files.writeString(directory.resolve("s.yaml"), """
                name: s
                topics: [{name: %s}]
                producers: [{topic: %s, send: sync, record: {size: 100}, config: {linger.ms: 0}}]
                duration: 4s
                warmup: 1s
                """.formatted(topic, topic));
        Path runs = directory.resolve("runs");
        String[] run = {
            "run",
            file.toString(),
            "--out",
            runs.toString(),
            "--quiet",
            "--bootstrap-server",
            SharedLab.oneBroker().bootstrapServers()
        };
        InProcess made = InProcess.run(run);
        assertThat(made.exit()).as(made.err()).isZero();

        InProcess advised = InProcess.run("advise", only(runs).toString());
        assertThat(advised.exit()).isEqualTo(Exit.PASSED.code());
        assertThat(advised.out()).contains("producers.send  sync → async").contains("producers.threads  1 → 2");
        String command = Pattern.compile("--ab '(producers.send=[^']*)'")
                .matcher(advised.out())
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        String[] typed = Stream.concat(Stream.of(run), Stream.of("--ab", command, "--dry-run"))
                .toArray(String[]::new);
        InProcess dry = InProcess.run(typed);
        assertThat(dry.exit()).as(dry.err()).isZero();
        assertThat(dry.out()).contains("A send=sync").contains("B send=async");
        assertThat(InProcess.run(Language.ZH, "advise", only(runs).toString()).out())
                .contains("值得一试", "producers.send  sync → async", "发送不再逐条等待确认");
    }

    private static Path only(Path runs) throws Exception {
        try (Stream<Path> all = Files.list(runs)) {
            return all.toList().get(0);
        }
    }

    @Test
    void whatIsNoRunIsRefused() {
        InProcess advised = InProcess.run("advise", directory.toString());
        assertThat(advised.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(InProcess.run("advise").err()).contains("RUN");
    }
}
