package io.plimsoll.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.nullbroker.Misbehaving;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.ScenarioReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Guards that producers of every kind lose no record if they are stopped while a broker does not respond and their
 * buffers are full.
 */
class StoppedProducersTest {
    private static final long SECOND = 1_000_000_000;

    @ParameterizedTest
    @CsvSource({"client, uniform", "client, poisson", "raw, uniform", "raw, poisson"})
    void eachScheduledRecordHasOneOutcome(String engine, String arrivals) throws InterruptedException {
        NullBrokerOptions options =
                new NullBrokerOptions().topic("stopped", 3).behaviour(Misbehaving.delay(Duration.ofMinutes(1)));
        try (NullBroker broker = NullBroker.start(options);
                Producers producers = producers(broker, engine, arrivals)) {
            producers.prepare(Duration.ofSeconds(30));
            long start = System.nanoTime();
            producers.start(new TrialClock(start, start, start + 60 * SECOND, 0));
            Counts counts = Counts.NONE;
            // Two buffers hold less than 1,400 records of 100 bytes: later records cannot be sent. A busy host can send
            // the first ones late.
            while (System.nanoTime() - start < SECOND / 2 || counts.get(Produced.SENT) < 100) {
                assertThat(System.nanoTime() - start).isLessThan(30 * SECOND);
                counts = counts.plus(MeterCounts.of(producers::read).measured());
                LockSupport.parkNanos(SECOND / 100);
            }
            producers.stop();
            assertThat(producers.awaitSent(Duration.ofSeconds(30))).isTrue();
            producers.close();
            counts = counts.plus(MeterCounts.of(producers::read).measured());
            assertThat(counts.get(Produced.ACKNOWLEDGED)).isZero();
            assertThat(counts.get(Produced.ERRORS)).isEmpty();
            assertThat(counts.get(Produced.UNACKNOWLEDGED)).isBetween(100L, 1400L);
            assertThat(counts.get(Produced.UNSENT)).isGreaterThan(5000);
            assertThat(counts.get(Produced.UNACKNOWLEDGED) + counts.get(Produced.UNSENT))
                    .isEqualTo(counts.get(Produced.DUE))
                    .isEqualTo(counts.get(Produced.RESPONSE_TIME).count());
        }
    }

    private static Producers producers(NullBroker broker, String engine, String arrivals) {
        String yaml = """
            topics: [{name: stopped, partitions: 3}]
            producers:
              - topic: stopped
                engine: %s
                arrivals: %s
                clients: 2
                rate: 20000/s
                record: {size: 100}
                config: {buffer.memory: 65536, max.block.ms: 300000}
            """;
        ProducerSpec spec = ScenarioReader.read(yaml.formatted(engine, arrivals), "test", List.of(), 1)
                .trials()
                .get(0)
                .scenario()
                .producers()
                .get(0);
        LoadContext context =
                new LoadContext(Map.of("bootstrap.servers", broker.bootstrapServers()), "stopped", 1, 1, text -> {});
        return LoadKind.producers(engine)
                .create(new ProducerKind.Entry(
                        context,
                        spec,
                        Slice.all(2),
                        "producers-0",
                        WarmupEnd.after(0),
                        topics -> new int[] {3},
                        Set.of()));
    }
}
