package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of a run contains library messages without secrets. */
class RunLogTest {
    private static final Logger LOG = LoggerFactory.getLogger("org.apache.kafka.common.RunLogTest");
    private static final Logger OWN = LoggerFactory.getLogger(RunLogTest.class);

    @TempDir
    Path directory;

    @Test
    void logsWarningsOnlyDuringTheRun() throws IOException {
        Path file = directory.resolve("plimsoll.log");
        try (RunLog log = new RunLog(file)) {
            LOG.info("sasl.jaas.config = what clients print at this level");
            LOG.warn("a broker went away");
        }
        LOG.warn("after the run");
        assertThat(Files.readString(file))
                .contains(" WARN  RunLogTest ", "a broker went away")
                .doesNotContain("jaas", "after the run");
    }

    /** Two runs in one JVM, and one log that ends first; threads of other tests may write to both. */
    @Test
    void logsOwnDecisionsWithoutClientDetailsOrSecrets() throws IOException {
        Path file = directory.resolve("plimsoll.log");
        Path other = directory.resolve("other.log");
        RunLog first = new RunLog(other);
        try (RunLog log = new RunLog(file)) {
            first.close();
            OWN.debug("phase of the trial");
            OWN.trace("each record");
            LoggerFactory.getLogger("org.apache.kafka.clients.NetworkClient").info("Node 1 disconnected.");
            LoggerFactory.getLogger("org.apache.kafka.clients.producer.ProducerConfig")
                    .info("ProducerConfig values");
            OWN.debug("token from https://me:{}@issuer.example", "hunter2");
        }
        OWN.debug("after the run");
        assertThat(Files.readString(file))
                .contains(" DEBUG RunLogTest ", "phase of the trial")
                .doesNotContain("each record", "disconnected", "ProducerConfig values", "hunter2", "after the run");
        assertThat(Files.exists(other) ? Files.readString(other) : "").doesNotContain("phase of the trial");
    }

    /** A broker that is down for a day does not create a log that fills the disk. */
    @Test
    void limitsItsSize() throws IOException {
        Path file = directory.resolve("plimsoll.log");
        try (RunLog log = new RunLog(file)) {
            for (int i = 0; i < 12_000; i++) {
                LOG.warn("batch {} is sent again", i);
            }
        }
        try (Stream<String> lines = Files.lines(file)) {
            assertThat(lines.filter(line -> line.contains("is sent again"))).hasSizeBetween(5_000, 10_500);
        }
    }
}
