package io.plimsoll.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.LoadContext;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.nullbroker.Misbehaving;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.testing.Scenarios;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Flush time includes the load's own flushes, but not the final one. */
class FlushFiguresTest {
    /** Delay of each response; a flush takes at least this time. */
    private static final Duration DELAY = Duration.ofMillis(200);

    private static double seconds(String send) throws InterruptedException {
        ProducerSpec spec = Scenarios.producer("topics: [{name: t, partitions: 1}]\n"
                + "producers: [{topic: t, rate: 1000/s, records: 100, config: {linger.ms: 5000}" + send + "}]\n");
        NullBrokerOptions options = new NullBrokerOptions().topic("t", 1).behaviour(Misbehaving.delay(DELAY));
        try (NullBroker broker = NullBroker.start(options)) {
            LoadContext context =
                    new LoadContext(Map.of("bootstrap.servers", broker.bootstrapServers()), "flush", 1, 1, text -> {});
            try (ClientProducers producers = new ClientProducers(new ProducerKind.Entry(
                    context,
                    spec,
                    Slice.all(1),
                    "producers-0",
                    WarmupEnd.after(0),
                    topics -> new int[] {1},
                    Set.of()))) {
                producers.prepare(Duration.ofSeconds(30));
                long now = System.nanoTime();
                producers.start(new TrialClock(now, now, Long.MAX_VALUE, 0));
                assertThat(producers.awaitSent(Duration.ofSeconds(30))).isTrue();
                MeterReading reading = new MeterReading();
                producers.read(reading);
                assertThat(producers.drain(Duration.ofSeconds(30))).isTrue();
                producers.read(reading);
                return reading.clients().observations(0, 1).stream()
                        .filter(o -> o.what().equals("producers-0"))
                        .mapToDouble(o -> o.sums().get("inFlush"))
                        .sum();
            }
        }
    }

    @Test
    void excludesFinalFlush() throws InterruptedException {
        assertThat(seconds("")).isZero();
        assertThat(seconds(", send: {flushEvery: 50}")).isBetween(0.4, 5.0);
    }
}
