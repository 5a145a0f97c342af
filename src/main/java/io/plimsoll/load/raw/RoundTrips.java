package io.plimsoll.load.raw;

import io.plimsoll.measure.Counter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * How long the requests of one raw client were under way, by the broker that they went to. Written by the client's
 * thread; {@link #read} is for one other thread.
 */
final class RoundTrips {
    private final Map<Integer, Broker> brokers = new ConcurrentHashMap<>();

    private static final class Broker {
        private final Counter answers = new Counter();
        private final Counter nanos = new Counter();
        private final Counter bytes = new Counter();
        private final Counter throttledMillis = new Counter();
    }

    /**
     * Requests that were answered.
     *
     * @param millis of all of them, from sending to the answer
     * @param bytes of the batches in them, or in their answers
     * @param throttledMillis for which the broker asked to be left alone
     */
    record Trips(long answers, double millis, long bytes, long throttledMillis) {}

    void answered(int broker, long nanos, long bytes, int throttledMillis) {
        Broker to = brokers.computeIfAbsent(broker, b -> new Broker());
        // The count last: whoever sees it sees the time that belongs to it.
        to.nanos.add(nanos);
        to.bytes.add(bytes);
        to.throttledMillis.add(throttledMillis);
        to.answers.add(1);
    }

    /** @param taker is told what each broker answered since the last reading */
    void read(BiConsumer<Integer, Trips> taker) {
        brokers.forEach((id, of) -> taker.accept(
                id,
                new Trips(of.answers.drain(), of.nanos.drain() / 1e6, of.bytes.drain(), of.throttledMillis.drain())));
    }
}
