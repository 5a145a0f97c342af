package io.plimsoll.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.Waiter;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * Guards the time of an acknowledgment: one clock reading per batch, when its callbacks begin, and never an older one.
 */
class AckTimeTest {
    private static final int ROUNDS = 5;
    private static final int RECORDS = 2_000;

    private static final class CountedLooks implements Waiter {
        private final AtomicInteger looks = new AtomicInteger();

        @Override
        public long nanoTime() {
            looks.incrementAndGet();
            return System.nanoTime();
        }

        @Override
        public void park(long nanos) {
            throw new UnsupportedOperationException();
        }
    }

    /** Start of a callback, and its reported time. */
    private record Callback(long calledNanos, long nanos) {}

    @Test
    void batchTakesTimeOfItsFirstCallback() {
        CountedLooks clock = new CountedLooks();
        ProducerClient client = new ProducerClient(null, null, clock, false, new int[] {1}, new ClientEvents());
        List<Callback> told = Collections.synchronizedList(new ArrayList<>());
        NullBrokerOptions options = new NullBrokerOptions().topic("t", 1);
        try (NullBroker broker = NullBroker.start(options);
                KafkaProducer<byte[], byte[]> producer = producer(broker)) {
            for (int round = 0; round < ROUNDS; round++) {
                long before = System.nanoTime();
                for (int i = 0; i < RECORDS; i++) {
                    send(producer, client, told);
                }
                producer.flush();
                assertThat(told).hasSize(RECORDS * (round + 1));
                // All rounds follow each other in one partition; a time from the previous round would be too early.
                assertThat(told.subList(RECORDS * round, told.size()))
                        .allSatisfy(t -> assertThat(t.nanos() - before).isPositive());
            }
            assertThat(clock.looks.get())
                    .isEqualTo((int) broker.stats().batches())
                    .isLessThan(ROUNDS * RECORDS / 50);
        }
        for (int i = 1; i < told.size(); i++) {
            // A new time precedes every callback of the batch; otherwise it equals the previous callback's time.
            boolean first = told.get(i).nanos() != told.get(i - 1).nanos();
            assertThat(first && told.get(i).nanos() < told.get(i).calledNanos()).isFalse();
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(NullBroker broker) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "linger.ms", 1000),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, ProducerClient client, List<Callback> told) {
        AtomicReference<Future<?>> future = new AtomicReference<>();
        future.set(producer.send(new ProducerRecord<>("t", new byte[100]), (metadata, failure) -> {
            long called = System.nanoTime();
            told.add(new Callback(called, client.acknowledgedNanos(future.get(), 0)));
        }));
    }
}
