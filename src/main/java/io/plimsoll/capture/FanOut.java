package io.plimsoll.capture;

import io.plimsoll.measure.Observation;
import io.plimsoll.observe.broker.BrokerObserver;
import io.plimsoll.observe.broker.BrokerSource;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many times brokers send to consumers what they take of a topic, by their own counts from its making until {@link #of}: there are
 * so many readers, whether they commit or not. Made, asked and closed by one thread.
 */
final class FanOut implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String IN = Observation.OF_TOPIC + "bytesIn:";
    private static final String OUT = Observation.OF_TOPIC + "bytesOut:";

    private final BrokerObserver observer;
    private final Map<String, Double> sums = new HashMap<>();

    /** @param sources of all brokers; of none, nothing is known */
    FanOut(List<BrokerSource> sources, Collection<String> topics) {
        observer = new BrokerObserver(sources, problem -> {});
        // What is not connected by then is tried again while the window goes by.
        observer.connect(PATIENCE);
        observer.begin(System.nanoTime(), topics, this::add, broker -> true);
    }

    private synchronized void add(Observation seen) {
        seen.sums().forEach((figure, sum) -> {
            if (figure.startsWith(IN) || figure.startsWith(OUT)) {
                sums.merge(figure, sum, Double::sum);
            }
        });
    }

    /** What was seen of each topic that producers wrote to; nothing is counted any more. */
    Map<String, Double> of(Collection<String> topics) {
        observer.end();
        Map<String, Double> of = new HashMap<>();
        synchronized (this) {
            topics.forEach(topic -> {
                double in = sums.getOrDefault(IN + topic, 0.0);
                if (in > 0) {
                    of.put(topic, sums.getOrDefault(OUT + topic, 0.0) / in);
                }
            });
        }
        return of;
    }

    @Override
    public void close() {
        observer.close();
    }
}
