package io.plimsoll.nullbroker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.nullbroker.NullBroker.NullBrokerStats;
import io.plimsoll.nullbroker.NullBrokerBehaviour.Misbehaviour;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A null broker misbehaves exactly as configured. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class NullBrokerBehaviourTest {
    private static final String TOPIC = "slow";
    /** Records per second. */
    private static final int CAPACITY = 20_000;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static NullBroker broker(NullBrokerBehaviour behaviour) {
        return NullBroker.start(new NullBrokerOptions().topic(TOPIC, 1).behaviour(behaviour));
    }

    private static NullBrokerBehaviour delay(Duration delay) {
        return Misbehaving.delay(delay);
    }

    @Test
    void delaysEveryRequest() throws Exception {
        try (NullBroker broker = broker(delay(Duration.ofMillis(20)));
                var producer = NullBrokerClientsTest.producer(broker, Map.of("linger.ms", 0))) {
            for (int i = 0; i < 20; i++) {
                long start = System.nanoTime();
                producer.send(new ProducerRecord<>(TOPIC, new byte[10])).get();
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    @Test
    void delayedRequestsDoNotWaitForEachOther() throws Exception {
        MemoryRecords batch = PlainProduceRequest.batch(1, 10);
        try (NullBroker broker = broker(delay(Duration.ofMillis(500)));
                SocketClient client = new SocketClient(broker)) {
            long start = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                client.send(PlainProduceRequest.of(TOPIC, Uuid.ZERO_UUID, batch, (short) 12, (short) 1, i));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(client.receive().getInt(0)).isEqualTo(i);
            }
            // In sequence they would need ten seconds.
            assertThat(System.nanoTime() - start).isBetween(SECOND / 2, 5 * SECOND);
        }
    }

    /**
     * No acknowledgment precedes its service time. {@link #servesRequestsSequentially} covers lateness;
     * here a busy machine can add to it.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void acknowledgesNothingBeforeCapacityAllows(int threads) {
        long[] acknowledged = new long[CAPACITY];
        Map<String, Object> config = Map.of("acks", "all", "batch.size", 1 << 16);
        try (NullBroker broker = limitedBroker(threads);
                var producer = NullBrokerClientsTest.producer(broker, config)) {
            long start = System.nanoTime();
            for (int i = 0; i < acknowledged.length; i++) {
                int record = i;
                var unused = producer.send(
                        new ProducerRecord<>(TOPIC, new byte[100]),
                        (metadata, e) -> acknowledged[record] = System.nanoTime() - start);
            }
            producer.flush();
        }
        for (int i = 0; i < acknowledged.length; i++) {
            assertThat(acknowledged[i]).isGreaterThanOrEqualTo((i + 1) * SECOND / CAPACITY);
        }
    }

    private static NullBroker limitedBroker(int threads) {
        return NullBroker.start(
                new NullBrokerOptions().topic(TOPIC, 1).threads(threads).behaviour(Misbehaving.capacity(CAPACITY)));
    }

    /** Without responses the broker can only leave requests in the socket. */
    @Test
    void limitsRequestsWithoutAcksToCapacity() throws Exception {
        int batch = 2048;
        Map<String, Object> config = Map.of("acks", "0", "enable.idempotence", false, "batch.size", batch);
        try (NullBroker broker = limitedBroker(1);
                var producer = NullBrokerClientsTest.producer(broker, config)) {
            long start = System.nanoTime();
            for (int i = 0; i < CAPACITY; i++) {
                var unused = producer.send(new ProducerRecord<>(TOPIC, new byte[100]));
            }
            long taken = 0;
            while (taken < CAPACITY) {
                taken = broker.stats().records();
                // A request counts when it is taken, and the next one is taken after it was served.
                assertThat((taken - batch / 100) * SECOND / CAPACITY).isLessThanOrEqualTo(System.nanoTime() - start);
                Thread.sleep(1);
            }
        }
    }

    @Test
    void answersNothingDuringStall() throws Exception {
        NullBrokerBehaviour stalling = Misbehaving.stall(Duration.ofMillis(400), Duration.ofSeconds(1));
        Queue<Long> acknowledged = new ConcurrentLinkedQueue<>();
        try (NullBroker broker = broker(stalling);
                var producer = NullBrokerClientsTest.producer(broker, Map.of("linger.ms", 0))) {
            long end = System.nanoTime() + 2 * SECOND;
            // On a busy host, few records are acknowledged in two seconds.
            while (System.nanoTime() < end || acknowledged.size() <= 20) {
                producer.send(new ProducerRecord<>(TOPIC, new byte[10]), (m, e) -> acknowledged.add(System.nanoTime()))
                        .get();
            }
        }
        long[] times = acknowledged.stream().mapToLong(time -> time).toArray();
        long longestGap = LongStream.range(1, times.length)
                .map(i -> times[(int) i] - times[(int) i - 1])
                .max()
                .orElseThrow();
        // Shorter than the stall only by the time until the last response before it was seen.
        assertThat(longestGap).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(300));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusedRequestsAreRetriedAndCountOnce(boolean idempotent) throws Exception {
        int records = 20_000;
        AtomicInteger acknowledged = new AtomicInteger();
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (NullBroker broker = broker(Misbehaving.errorRate(0.2))) {
            Map<String, Object> config =
                    Map.of("enable.idempotence", idempotent, "retry.backoff.ms", 5, "batch.size", 4096);
            try (var producer = NullBrokerClientsTest.producer(broker, config)) {
                for (int i = 0; i < records; i++) {
                    var unused = producer.send(new ProducerRecord<>(TOPIC, new byte[100]), (metadata, e) -> {
                        if (e == null) {
                            acknowledged.incrementAndGet();
                        } else {
                            failure.set(e);
                        }
                    });
                }
            }
            assertThat(failure.get()).isNull();
            assertThat(acknowledged).hasValue(records);
            NullBrokerStats stats = broker.stats();
            assertThat(stats.records()).isEqualTo(records);
            assertThat(stats.produced().refusedRequests())
                    .isPositive()
                    .isLessThan(stats.produced().requests());
            assertThat(stats.produced().refusedBatches()).isZero();
        }
    }

    @Test
    void refusesConfiguredShareReproducibly() {
        NullBrokerBehaviour failing = Misbehaving.errorRate(0.1);
        Misbehaviour first = new Misbehaviour(failing, 7);
        Misbehaviour second = new Misbehaviour(failing, 7);
        int refused = 0;
        for (int i = 0; i < 100_000; i++) {
            boolean refuses = first.refusesNext();
            assertThat(second.refusesNext()).isEqualTo(refuses);
            refused += refuses ? 1 : 0;
        }
        assertThat(refused).isCloseTo(10_000, within(300));
    }

    @Test
    void servesRequestsSequentially() {
        Misbehaviour server = new Misbehaviour(Misbehaving.capacity(1000), 1);
        assertThat(server.servedNanos(0, 500)).isEqualTo(SECOND / 2);
        assertThat(server.servedNanos(0, 500)).isEqualTo(SECOND);
        assertThat(server.servedNanos(SECOND / 4, 1)).isEqualTo(SECOND + SECOND / 1000);
        // Idle time is not saved up.
        assertThat(server.servedNanos(10 * SECOND, 1)).isEqualTo(10 * SECOND + SECOND / 1000);
    }

    @Test
    void stallsAtEndOfEachPeriod() {
        Misbehaviour stalling = new Misbehaviour(Misbehaving.stall(Duration.ofSeconds(1), Duration.ofSeconds(5)), 1);
        for (long start : List.of(0L, 5 * SECOND, 500 * SECOND)) {
            assertThat(stalling.stalledUntilNanos(start)).isEqualTo(start);
            assertThat(stalling.stalledUntilNanos(start + 4 * SECOND - 1)).isEqualTo(start + 4 * SECOND - 1);
            assertThat(stalling.stalledUntilNanos(start + 4 * SECOND)).isEqualTo(start + 5 * SECOND);
            assertThat(stalling.stalledUntilNanos(start + 5 * SECOND - 1)).isEqualTo(start + 5 * SECOND);
        }
    }

    @Test
    void refusesImpossibleBehaviour() {
        assertThatThrownBy(() -> Misbehaving.errorRate(1.5)).hasMessageContaining("1.5");
        assertThatThrownBy(() -> Misbehaving.stall(Duration.ofSeconds(5), Duration.ofSeconds(5)))
                .hasMessageContaining("shorter than its period");
        assertThatThrownBy(() -> Misbehaving.capacity(-1)).hasMessageContaining("capacity");
    }
}
