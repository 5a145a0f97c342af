package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.Progress;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The diagnosis names conversion by brokers, for a topic's format or for old consumers, and no longer names it without
 * conversion.
 */
@Tag("nightly")
@Timeout(300)
class ConversionTruthTest {
    private static final String YAML = """
            lab: {brokers: 1, kafkaVersion: %s}
            topics: [{name: t, partitions: 1, config: {%s}}]
            producers: [{topic: t, engine: %s, record: {size: 100}, config: {%s}}]
            warmup: 3s
            duration: 8s
            faults: [{at: 0s, exec: 'echo $PLIMSOLL_BROKER_PORT > %s', on: 1}]
            """;
    private static final int READERS = 3;

    @TempDir
    Path out;

    private TrialResult run(String version, String topic, String engine, String producers) {
        String yaml = YAML.formatted(version, topic, engine, producers, out.resolve("port"));
        Run.Finished finished = new Run(
                        Runs.request(ScenarioReader.read(yaml, "test.yaml", List.of(), 1), out.resolve("runs"))
                                .with(draft -> draft.allowExec = true),
                        Progress.NONE)
                .execute();
        assertThat(finished.failure()).isNull();
        return finished.result().trials().get(0);
    }

    private static Suspect first(TrialResult trial) {
        return trial.judgement().limits().causes().stream()
                .filter(s -> !s.limit().key().equals("diagnose.cause.fault"))
                .findFirst()
                .orElseThrow();
    }

    private static double broker(TrialResult trial, String figure) {
        return ((Number) trial.observed().brokers().get(0).get(figure)).doubleValue();
    }

    /** With the raw engine, which leaves the broker nearly two full cores, so that the broker's work is the limit. */
    @Test
    void namesMessageFormatThatLimitsThroughput() {
        String producers = "enable.idempotence: false, batch.size: 262144";
        TrialResult old = run("2.8.2", "message.format.version: 0.10.2", "raw", producers);
        assertThat(first(old).limit().key()).isEqualTo("diagnose.cause.format");
        assertThat(broker(old, "conversions")).isCloseTo(broker(old, "messagesIn"), withPercentage(5));
        TrialResult present = run("2.8.2", "retention.ms: 3600000", "raw", producers);
        assertThat(first(present).limit().key()).isNotEqualTo("diagnose.cause.format");
        assertThat(broker(present, "conversions")).isZero();
        assertThat(present.produce().volume().recordsPerSecond())
                .isGreaterThan(1.2 * old.produce().volume().recordsPerSecond());
    }

    @Test
    void namesOldConsumersThatLimitThroughput() throws Exception {
        String producers = "compression.type: lz4";
        AtomicLong bytes = new AtomicLong();
        List<Thread> readers = IntStream.range(0, READERS)
                .mapToObj(i -> new Thread(() -> readAsOfOld(bytes)))
                .toList();
        readers.forEach(Thread::start);
        TrialResult converted = run("3.9.1", "retention.ms: 3600000", "client", producers);
        for (Thread reader : readers) {
            reader.interrupt();
            reader.join();
        }
        assertThat(bytes.get()).isPositive();
        assertThat(first(converted).limit().key()).isEqualTo("diagnose.cause.downConversion");
        Files.delete(out.resolve("port"));
        TrialResult alone = run("3.9.1", "retention.ms: 3600000", "client", producers);
        assertThat(broker(alone, "fetchConversions")).isZero();
        assertThat(alone.produce().volume().recordsPerSecond())
                .isGreaterThan(1.2 * converted.produce().volume().recordsPerSecond());
    }

    /** Fetches from the beginning repeatedly with version 2 of the request, until its broker ends. */
    private void readAsOfOld(AtomicLong bytes) {
        Path port = out.resolve("port");
        byte[] client = "old".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer request = ByteBuffer.allocate(128).putInt(0);
        request.putShort((short) 1)
                .putShort((short) 2)
                .putInt(7)
                .putShort((short) client.length)
                .put(client);
        request.putInt(-1).putInt(100).putInt(1).putInt(1).putShort((short) 1).put((byte) 't');
        request.putInt(1).putInt(0).putLong(0).putInt(1 << 20);
        request.putInt(0, request.position() - Integer.BYTES);
        try {
            while (!Files.exists(port) || Files.size(port) < 2) {
                Thread.sleep(100);
            }
            int at = Integer.parseInt(Files.readString(port).strip());
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at);
                    DataInputStream in = new DataInputStream(socket.getInputStream())) {
                DataOutputStream sent = new DataOutputStream(socket.getOutputStream());
                while (!Thread.currentThread().isInterrupted()) {
                    sent.write(request.array(), 0, request.position());
                    int length = in.readInt();
                    in.skipNBytes(length);
                    bytes.addAndGet(length);
                }
            }
        } catch (IOException | InterruptedException e) {
            // The broker, or the test, has ended.
        }
    }
}
