package io.plimsoll.watch;

import io.plimsoll.load.ClientMetrics;
import io.plimsoll.measure.Acknowledgment;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.SlowBatch;
import io.plimsoll.measure.SlowTail;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.result.SlowFold;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.RequestTimes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;

/**
 * Explains slow records with events of this process and host, of the producer's connections, and of the brokers'
 * metadata. Times in arguments are {@link System#nanoTime}; moments are relative to the start of the statistics. Memory
 * is bounded. Thread-safe.
 */
final class WatchedMoments {
    private static final int MOST = 50;
    private final String topic;
    private final long startNanos;
    private final long boundNanos;
    private final SlowTail written = new SlowTail(false);
    private final SlowTail read = new SlowTail(true);
    private final ClientEvents events = new ClientEvents();
    /** Receives the events of this host and process. */
    final IncidentSink sink;

    private final SlowFold fold = new SlowFold();
    private final Deque<SlowMoment> last = new ArrayDeque<>();
    private final Map<Integer, View> views = new HashMap<>();
    /** Acknowledgment of the last record. Owned by the I/O thread of the producer. */
    private final Acknowledgment answer = new Acknowledgment();

    private final Acknowledgment received = new Acknowledgment();
    private BiConsumer<Acknowledgment, Long> requests = (of, sentNanos) -> {};

    private @Nullable ClientMetrics client;

    private record View(ClusterView.Topic topic, long nanos) {}

    /** Continues after the moments of an earlier process; records are slow if they take at least {@code boundNanos}. */
    WatchedMoments(String topic, long startNanos, long boundNanos, List<SlowMoment> earlier) {
        this.topic = topic;
        this.startNanos = startNanos;
        this.sink = new IncidentSink(startNanos);
        this.boundNanos = boundNanos;
        last.addAll(earlier);
    }

    /** Observes the connections of a producer. Call before its first record. */
    void observe(KafkaProducer<?, ?> producer) {
        requests = RequestTimes.of(producer, events)::current;
        client = new ClientMetrics(
                producer::metrics, name -> name.group().equals("producer-metrics") ? name.name() : null);
    }

    /** Called by the producer's I/O thread: returns the acknowledgment time, which is the same for all records of a request. */
    long acknowledged(int partition, int leader, long offset, long dueNanos, long sentNanos) {
        long before = answer.requestNanos;
        answer.to(-1, Acknowledgment.UNKNOWN, Acknowledgment.UNKNOWN);
        requests.accept(answer, sentNanos);
        boolean known = answer.requestNanos != Acknowledgment.UNKNOWN;
        boolean same = known && answer.requestNanos == before && answer.partition == partition;
        answer.broker = known ? answer.broker : leader;
        answer.at(0, partition, offset, same ? answer.nanos : System.nanoTime());
        if (written.takes(answer.nanos - dueNanos)) {
            written.add(answer, dueNanos, sentNanos, 1);
        }
        return answer.nanos;
    }

    /** Called by the reading thread. A record that was late because of its acknowledgment counts as slow only for the producer. */
    void read(int partition, int leader, long offset, long dueNanos, long ackedNanos, long nowNanos) {
        if (nowNanos - ackedNanos > ackedNanos - dueNanos && read.takes(nowNanos - dueNanos)) {
            received.at(0, partition, offset, nowNanos).to(leader, ackedNanos, nowNanos);
            read.add(received, dueNanos, ackedNanos, 1);
        }
    }

    /** Compares a broker's metadata only with the same broker's previous metadata, because brokers can lag behind. */
    synchronized void seen(int broker, ClusterView.Topic now, long nowNanos) {
        View before = Objects.requireNonNullElse(views.put(broker, new View(now, nowNanos)), new View(now, nowNanos));
        ClusterView.Topic then = before.topic;
        int both = Math.min(then.leaders().length, now.leaders().length);
        for (int p = 0; p < both && then.id().equals(now.id()); p++) {
            if (now.leaders()[p] >= 0 && now.leaders()[p] != then.leaders()[p]) {
                changed(Incident.Kind.LEADER_CHANGE, p, before, nowNanos);
            }
            if (now.inSync()[p] < then.inSync()[p]) {
                changed(Incident.Kind.ISR_SHRINK, p, before, nowNanos);
            }
        }
    }

    private void changed(Incident.Kind kind, int partition, View before, long nowNanos) {
        events.add(new Incident(kind, topic + "-" + partition, nowNanos, nowNanos, nowNanos - before.nanos, null));
    }

    /** @param toNanos end of the outage; its start while it continues */
    void down(int broker, long fromNanos, long toNanos) {
        events.add(Incident.Kind.BROKER_DOWN, broker, fromNanos, toNanos);
    }

    synchronized void happened(List<Incident> incidents) {
        fold.happened(incidents);
    }

    /** Returns the moments that have ended since the last call. */
    synchronized List<SlowMoment> look(long nowNanos) {
        if (client != null) {
            client.look(nowNanos);
            client.tell("metadata-wait-time-ns-total", 20e6, Incident.Kind.METADATA, events);
            client.tell(ClientMetrics.LOGINS, 1, Incident.Kind.REAUTHENTICATION, events);
        }
        events.take().forEach(sink::add);
        fold.happened(sink.take());
        List<SlowBatch> batches = new ArrayList<>(written.take(Signal.PRODUCE.id(), t -> topic, startNanos));
        batches.addAll(read.take(Signal.END_TO_END.id(), t -> topic, startNanos));
        fold.accept(batches, nowNanos - startNanos);
        List<SlowMoment> over = fold.takeOver(boundNanos, nowNanos - startNanos);
        last.addAll(over);
        while (last.size() > MOST) {
            last.remove();
        }
        return over;
    }

    /** The most recent moments, oldest first. */
    synchronized List<SlowMoment> last() {
        return List.copyOf(last);
    }
}
