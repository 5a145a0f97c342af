package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.nullbroker.Misbehaving;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerBehaviour;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delays are attributed correctly: stalled senders to the generator, late responses to the cluster. */
class GeneratorTruthTest {
    @TempDir
    Path out;

    /** Delays each sending thread by 5 ms per record, within this process, so that it sends at most 200 records/s. */
    public static final class Stalling implements ProducerInterceptor<byte[], byte[]> {
        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            long until = System.nanoTime() + 5_000_000;
            while (System.nanoTime() < until) {
                LockSupport.parkNanos(until - System.nanoTime());
            }
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    private RunResult run(NullBrokerBehaviour behaviour, String config) {
        NullBrokerOptions options = new NullBrokerOptions().behaviour(behaviour);
        try (NullBroker broker = NullBroker.start(options)) {
            return Runs.run("""
                name: slow
                topics: [{name: slow, partitions: 1}]
                producers: [{topic: slow, rate: 1000/s, record: {size: 100}, config: {%s}}]
                warmup: 0s
                duration: 3s
                """.formatted(config), broker.bootstrapServers(), out);
        }
    }

    @Test
    void blamesGeneratorForStalledSenders() {
        RunResult result = run(NullBrokerBehaviour.NONE, "interceptor.classes: " + Stalling.class.getName());
        TrialResult trial = result.trials().get(0);
        assertThat(trial.produce().volume().recordsPerSecond()).isLessThan(250);
        assertThat(trial.course().valid())
                .as(() -> trial.observed().generator().toString())
                .isFalse();
        // The rest: on a busy machine, the first records wait for metadata.
        assertThat(trial.observed().generator().part().missingShare()).isGreaterThan(0.5);
        assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
        assertThat(result.verdict().sentence().english())
                .startsWith(Sentence.of("result.invalid").english());
        assertThat(trial.judgement().warnings().toString()).containsPattern(Said.en("result.generatorLimit"));
    }

    /** Uses one core for up to a minute. */
    private static Process endless() throws IOException {
        return new ProcessBuilder("timeout", "60", "sh", "-c", "while :; do :; done").start();
    }

    /**
     * Its buffer holds two batches, so that the senders soon wait for a slow broker. If other tests fill this JVM's
     * heap, garbage collection would stop the senders for most of the time, and be the limit.
     */
    @Test
    @Tag("nightly")
    void slowBrokerRemainsLimitOnBusyHost() throws IOException {
        Process one = endless();
        Process other = endless();
        try {
            RunResult result = run(Misbehaving.delay(Duration.ofMillis(500)), "buffer.memory: 32768, linger.ms: 0");
            TrialResult trial = result.trials().get(0);
            assertThat(trial.produce().volume().recordsPerSecond()).isLessThan(800);
            assertThat(trial.course().valid())
                    .as(() -> trial.observed().generator().toString())
                    .isTrue();
            assertThat(result.head().exitCode()).isZero();
        } finally {
            one.destroy();
            other.destroy();
        }
    }
}
