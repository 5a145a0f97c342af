package io.plimsoll.observe.broker;

import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.result.ObservedSource;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.DoubleAdder;
import org.jspecify.annotations.Nullable;

/** A source of one broker's metrics, reconnected after each failure. Used by one thread at a time. */
public abstract class BrokerSource implements AutoCloseable {
    private final int broker;
    private final String kind;
    private volatile List<String> topics = List.of();

    BrokerSource(int broker, String kind) {
        this.broker = broker;
        this.kind = kind;
    }

    /** Locates a broker's JMX server. */
    @FunctionalInterface
    public interface AddressLookup {
        /** @return an address such as {@code service:jmx:rmi:///jndi/rmi://host:9999/jmxrmi} */
        String find() throws IOException, InterruptedException;
    }

    public static BrokerSource jmx(int broker, AddressLookup address, @Nullable JmxLogin login) {
        return new JmxSource(broker, address, login, false);
    }

    /** Creates the source of a lab broker; {@code recorded} if its pauses are known from a flight recording. */
    public static BrokerSource ofLab(int broker, AddressLookup address, boolean recorded) {
        return new JmxSource(broker, address, null, recorded);
    }

    /** @param url address of the Prometheus text, {@code http} or {@code https} */
    public static BrokerSource prometheus(int broker, String url) {
        return new PrometheusSource(broker, "prometheus", url);
    }

    /** @param url address of the agent that observes the broker's host, as printed by the agent */
    public static BrokerSource agent(int broker, String url) {
        return new PrometheusSource(broker, PrometheusSource.AGENT, url);
    }

    public final int broker() {
        return broker;
    }

    /** Sets the topics for which figures are also read. Usable by any thread. */
    final void topics(Collection<String> names) {
        topics = List.copyOf(names);
    }

    final List<String> topics() {
        return topics;
    }

    final String what() {
        return "broker " + broker;
    }

    final String kind() {
        return kind;
    }

    /** The description of the source; empty until it has been read once. Usable by any thread. */
    public abstract Optional<ObservedSource> described();

    /** @throws IOException if the broker cannot be read; the next call reconnects */
    abstract Reading read() throws IOException, InterruptedException;

    /** Sends cheap requests, concurrently with a read, to detect pauses of the process. */
    void probe(IncidentSink sink) throws IOException {}

    /** Releases the source's resources; it can be read again later. */
    @Override
    public void close() {}

    private static final class JmxSource extends BrokerSource {
        private final AddressLookup address;
        private final @Nullable JmxLogin login;
        private final Standstill standstill = new Standstill();
        private volatile @Nullable JmxBeans beans;
        /** Used only by the probing thread. */
        private final JmxPauses pauses;

        JmxSource(int broker, AddressLookup address, @Nullable JmxLogin login, boolean recorded) {
            super(broker, "jmx");
            this.pauses = new JmxPauses(what(), recorded);
            this.address = address;
            this.login = login;
        }

        @Override
        Reading read() throws IOException, InterruptedException {
            try {
                JmxBeans asked = beans;
                if (asked == null) {
                    asked = JmxBeans.connect(address.find(), login);
                    beans = asked;
                }
                asked.nextRound();
                return BrokerFigures.read(asked, topics(), standstill.seconds()).at(System.nanoTime());
            } catch (IOException e) {
                close();
                throw e;
            }
        }

        @Override
        public Optional<ObservedSource> described() {
            return beans == null
                    ? Optional.empty()
                    : Optional.of(new ObservedSource(broker(), kind(), List.of(), Map.of()));
        }

        @Override
        void probe(IncidentSink sink) throws IOException {
            JmxBeans asked = beans;
            if (asked != null) {
                long began = System.nanoTime();
                try {
                    standstill.answered(pauses.look(asked.requests(), sink));
                } catch (IOException e) {
                    // A pause beyond the response limit.
                    standstill.answered(System.nanoTime() - began);
                    throw e;
                }
            }
        }

        @Override
        public void close() {
            JmxBeans old = beans;
            beans = null;
            if (old != null) {
                try {
                    old.close();
                } catch (IOException e) {
                    // The connection is closed either way.
                }
            }
        }
    }

    /**
     * Sums long response times. A response that needs no disk and no Kafka thread takes less than a millisecond beyond
     * the network's time; much longer times mean that the whole process did not run. One thread adds, any thread reads.
     */
    static final class Standstill {
        /** Response times up to this value, in ns, above the shortest one are normal scheduling delays. */
        private static final long LEAST_NANOS = 30_000_000;

        private final DoubleAdder seconds = new DoubleAdder();
        private long shortestNanos = Long.MAX_VALUE;

        void answered(long nanos) {
            shortestNanos = Math.min(shortestNanos, nanos);
            if (nanos - shortestNanos >= LEAST_NANOS) {
                seconds.add(nanos / 1e9);
            }
        }

        double seconds() {
            return seconds.sum();
        }
    }

    /** Credentials for a broker's JMX; {@code inClear} allows sending the password without TLS. */
    public record JmxLogin(String user, String password, boolean inClear) {
        /** A text without the password. */
        @Override
        public String toString() {
            return "JmxLogin[" + user + "]";
        }
    }
}
