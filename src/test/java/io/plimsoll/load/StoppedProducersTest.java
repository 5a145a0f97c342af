package io.plimsoll.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Replied;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.nullbroker.Misbehaving;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.result.ReplyFigures;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.ScenarioReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Guards that producers of every kind lose no record if they are stopped while a broker does not respond and their
 * buffers are full.
 */
class StoppedProducersTest {
    private static final long SECOND = 1_000_000_000;

    private static final NullBrokerOptions SILENT = new NullBrokerOptions()
            .topic("stopped", 3)
            .topic("answers", 1)
            .behaviour(Misbehaving.delay(Duration.ofMinutes(1)));

    @ParameterizedTest
    @CsvSource({"client, uniform, 10", "client, poisson, 10", "raw, uniform, 10", "raw, poisson, 10", "raw, uniform, 0"
    })
    void eachScheduledRecordHasOneOutcome(String engine, String arrivals, int retries) throws InterruptedException {
        try (NullBroker broker = NullBroker.start(SILENT);
                Producers producers = producers(broker, engine, "arrivals: " + arrivals, retries)) {
            Counts counts = stopped(producers);
            assertThat(counts.get(Produced.ACKNOWLEDGED)).isZero();
            assertThat(counts.get(Produced.ERRORS)).isEmpty();
            assertThat(counts.get(Produced.UNACKNOWLEDGED)).isBetween(100L, 1400L);
            assertThat(counts.get(Produced.UNSENT)).isGreaterThan(5000);
            assertThat(counts.get(Produced.UNACKNOWLEDGED) + counts.get(Produced.UNSENT))
                    .isEqualTo(counts.get(Produced.DUE))
                    .isEqualTo(counts.get(Produced.RESPONSE_TIME).count());
        }
    }

    /** Every request counts with the time that it waited for a reply. */
    @Test
    void eachScheduledRequestIsWithoutReply() throws InterruptedException {
        try (NullBroker broker = NullBroker.start(SILENT);
                Producers producers = producers(broker, "client", "reply: {topic: answers}", 10)) {
            producers.prepareReplies(Duration.ofSeconds(30));
            Counts counts = stopped(producers);
            Map<String, Long> replies = counts.get(Replied.COUNTS);
            assertThat(replies)
                    .containsEntry(ReplyFigures.MISSING, replies.get(ReplyFigures.SENT))
                    .containsEntry(ReplyFigures.UNSENT, counts.get(Produced.UNSENT));
            assertThat(counts.get(Replied.TIMES).get(ReplyFigures.LATENCY).count())
                    .isEqualTo(counts.get(Produced.DUE));
        }
    }

    private static Counts stopped(Producers producers) throws InterruptedException {
        producers.prepare(Duration.ofSeconds(30));
        long start = System.nanoTime();
        producers.start(new TrialClock(start, start, start + 60 * SECOND, 0));
        Counts counts = Counts.NONE;
        // Two buffers hold less than 1,400 records of 100 bytes: later records cannot be sent. A busy host can send the
        // first ones late.
        while (System.nanoTime() - start < SECOND / 2 || counts.get(Produced.SENT) < 100) {
            assertThat(System.nanoTime() - start).isLessThan(30 * SECOND);
            counts = counts.plus(MeterCounts.of(producers::read).measured());
            LockSupport.parkNanos(SECOND / 100);
        }
        producers.stop();
        assertThat(producers.awaitSent(Duration.ofSeconds(30))).isTrue();
        producers.close();
        return counts.plus(MeterCounts.of(producers::read).measured());
    }

    private static Producers producers(NullBroker broker, String engine, String keys, int retries) {
        String yaml = """
            topics: [{name: stopped, partitions: 3}, {name: answers}]
            producers:
              - topic: stopped
                engine: %s
                %s
                clients: 2
                rate: 20000/s
                record: {size: 100}
                config: {buffer.memory: 65536, max.block.ms: 300000, retries: %s}
            """;
        ProducerSpec spec = ScenarioReader.read(yaml.formatted(engine, keys, retries), "test", List.of(), 1)
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
