package io.plimsoll.load.raw;

import io.plimsoll.measure.Counter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long the requests of one raw client were under way, by the broker that they went to. Written by the client's
 * thread; {@link #read} is for one other thread.
 */
final class RoundTrips {
    private final Map<Integer, Broker> brokers = new ConcurrentHashMap<>();

    /** The requests to one broker since the start; what the reader saw last is its own. */
    private static final class Broker {
        private final Counter answers = new Counter();
        private final Counter nanos = new Counter();
        private final Counter bytes = new Counter();
        private final Counter throttledMillis = new Counter();
        private Trips before = Trips.NONE;

        private Trips total() {
            return new Trips(answers.get(), nanos.get() / 1e6, bytes.get(), throttledMillis.get());
        }
    }

    /**
     * Requests that were answered.
     *
     * @param millis of all of them, from sending to the answer
     * @param bytes of the batches in them, or in their answers
     * @param throttledMillis for which the broker asked to be left alone
     */
    record Trips(long answers, double millis, long bytes, long throttledMillis) {
        static final Trips NONE = new Trips(0, 0, 0, 0);

        private Trips minus(Trips other) {
            return new Trips(
                    answers - other.answers,
                    millis - other.millis,
                    bytes - other.bytes,
                    throttledMillis - other.throttledMillis);
        }
    }

    /** Takes what each broker answered since the last reading. */
    interface Taker {
        void take(int broker, Trips trips);
    }

    void answered(int broker, long nanos, long bytes, int throttledMillis) {
        Broker to = brokers.computeIfAbsent(broker, b -> new Broker());
        // The count last: whoever sees it sees the time that belongs to it.
        to.nanos.add(nanos);
        to.bytes.add(bytes);
        to.throttledMillis.add(throttledMillis);
        to.answers.add(1);
    }

    void read(Taker taker) {
        brokers.forEach((id, broker) -> {
            Trips now = broker.total();
            taker.take(id, now.minus(broker.before));
            broker.before = now;
        });
    }
}
