package io.plimsoll.observe.broker;

import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.Stretch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds a broker's garbage collections, and times without an idle request handler, with frequent JMX requests. A JVM
 * counts collection times from an origin of its own. A collection that is missing in one response and present in the
 * next narrows down this origin. Used by one thread.
 */
final class JmxPauses {
    private static final long MILLI = 1_000_000L;
    private static final long LEAST_COLLECTION_MILLIS = 10;
    private static final long LEAST_BUSY_NANOS = 90 * MILLI;
    /** Minimum time in ns without an increase of idle time, since an idle handler waits for 300 ms before its idle time counts. */
    private static final long LEAST_UNMOVED_NANOS = 450 * MILLI;

    /** If the start of the process seems this much later than before, in ns, the process has restarted. */
    private static final long RESTART_NANOS = 1_000 * MILLI;

    private static final double IDLE = 0.05;
    private static final String QUEUE = "kafka.network:type=RequestChannel,name=RequestQueueSize";
    private static final String HANDLERS = "kafka.server:type=KafkaRequestHandlerPool,name=";

    /** The requests to one broker process. */
    interface Requests {
        /** The uptime of the JVM in milliseconds. */
        long uptime() throws IOException;

        List<String> collectors() throws IOException;

        double number(String bean, String attribute) throws IOException;

        /** Start and end of the last collection in milliseconds since the JVM's origin; null before the first collection. */
        long @Nullable [] lastCollection(String bean) throws IOException;
    }

    /** The latest successful query of a collector. */
    private record Look(double collections, long askedNanos) {}

    private final String where;
    private final boolean recorded;
    private final Stretch busy;
    private final List<String> collectors = new ArrayList<>();
    private final Map<String, Look> looks = new HashMap<>();
    private long leastZero = Long.MIN_VALUE;
    private long mostZero = Long.MAX_VALUE;
    private final Stretch unmoved;
    private double idleNanos = Double.NaN;
    private boolean wasQueued;
    private long lookedNanos;

    /**
     * @param where such as {@code broker 1}
     * @param recorded whether the broker's collections are known from a flight recording
     */
    JmxPauses(String where, boolean recorded) {
        this.recorded = recorded;
        this.where = where;
        this.busy = new Stretch(Kind.HANDLERS_BUSY, where, LEAST_BUSY_NANOS);
        this.unmoved = new Stretch(Kind.HANDLERS_BUSY, where, LEAST_UNMOVED_NANOS);
    }

    /**
     * Collections since the last look are also found over another connection to the same process.
     *
     * @return round-trip time of a request that needs no disk and no Kafka thread
     */
    long look(Requests broker, IncidentSink sink) throws IOException {
        long asked = System.nanoTime();
        long uptime = broker.uptime();
        long took = System.nanoTime() - asked;
        if (leastZero > Long.MIN_VALUE && asked - uptime * MILLI > leastZero + RESTART_NANOS) {
            looks.clear();
            leastZero = Long.MIN_VALUE;
            mostZero = Long.MAX_VALUE;
            lookedNanos = 0;
        }
        // The origin of collection times is later than the origin of the uptime.
        leastZero = Math.max(leastZero, asked - (uptime + 1) * MILLI);
        if (looks.isEmpty() && !recorded) {
            collectors.clear();
            broker.collectors().stream()
                    .filter(name -> !name.toLowerCase(Locale.ROOT).matches(".*(concurrent|cycles).*"))
                    .forEach(collectors::add);
        }
        for (String collector : collectors) {
            collections(broker, collector, sink);
        }
        handlers(broker, sink);
        return took;
    }

    private void collections(Requests broker, String collector, IncidentSink sink) throws IOException {
        long asked = System.nanoTime();
        double count = broker.number(collector, "CollectionCount");
        Look before = looks.put(collector, new Look(count, asked));
        if (before != null && count > before.collections) {
            long[] last = broker.lastCollection(collector);
            if (last != null) {
                mostZero = Math.min(mostZero, System.nanoTime() - last[1] * MILLI);
                leastZero = Math.max(leastZero, before.askedNanos - (last[1] + 1) * MILLI);
                report(last, collector, sink);
            }
        }
    }

    private void report(long[] millis, String collector, IncidentSink sink) {
        if (millis[1] - millis[0] >= LEAST_COLLECTION_MILLIS) {
            // Because of clock drift, the bounds can exclude each other.
            leastZero = Math.min(leastZero, mostZero);
            long zero = leastZero + (mostZero - leastZero) / 2;
            long error = (mostZero - leastZero) / 2 + MILLI;
            String name = collector.replaceFirst(".*name=([^,]+).*", "$1");
            sink.add(Kind.GC, where, zero + millis[0] * MILLI, zero + millis[1] * MILLI, error, name);
        }
    }

    /**
     * Finds times in which handlers had almost no idle time. Either the queue had a request at both ends of an
     * interval, or the time was longer than an idle handler waits before its idle time counts. In a process with a
     * controller, the queue can be the controller's.
     */
    private void handlers(Requests broker, IncidentSink sink) throws IOException {
        boolean queued = broker.number(QUEUE, "Value") > 0;
        double idle = idle(broker);
        long now = System.nanoTime();
        if (lookedNanos > 0) {
            long took = idle - idleNanos < IDLE * (now - lookedNanos) ? now - lookedNanos : 0;
            busy.look(lookedNanos, now, queued && wasQueued ? took : 0, null, sink);
            unmoved.look(lookedNanos, now, took, null, sink);
        }
        idleNanos = idle;
        wasQueued = queued;
        lookedNanos = now;
    }

    /** Idle time of handlers. Since Kafka 4.2, the older figure also counts idle threads of a controller in the same process. */
    private static double idle(Requests broker) throws IOException {
        double own = broker.number(HANDLERS + "BrokerRequestHandlerAvgIdlePercent", "Count");
        return Double.isNaN(own) ? broker.number(HANDLERS + "RequestHandlerAvgIdlePercent", "Count") : own;
    }
}
