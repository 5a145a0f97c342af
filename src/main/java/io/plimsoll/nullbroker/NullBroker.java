package io.plimsoll.nullbroker;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.wire.server.ServerApis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An in-process server that speaks enough of Kafka's protocol to discard produce requests and to serve fetches of
 * synthetic but valid batches at socket speed. A load generator's throughput against it is therefore the generator's
 * own limit. If configured, it behaves like a slow, limited, stalling, or failing broker in an exactly known way, as
 * ground truth for tests of measurements. It listens on 127.0.0.1 without authentication and stores only counts. It
 * supports the APIs of producers, consumers, and admin clients, with one member per group and without transactions.
 * Thread-safe.
 */
public final class NullBroker implements AutoCloseable {
    /** Name prefix of the broker's threads. */
    public static final String THREADS = "null-broker-";

    private static final Logger LOG = LoggerFactory.getLogger(NullBroker.class);
    private static final int BACKLOG = 1024;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ServerSocketChannel server;
    private final NullBrokerState state;
    private final List<NullBrokerLoop> loops = new ArrayList<>();

    private NullBroker(ServerSocketChannel server, NullBrokerOptions options) throws IOException {
        this.server = server;
        state = new NullBrokerState(options, ((InetSocketAddress) server.getLocalAddress()).getPort());
        ServerApis apis = new ServerApis(state);
        for (int i = 0; i < options.threads; i++) {
            loops.add(new NullBrokerLoop(state, apis, THREADS + state.port() + "-" + i));
        }
        Daemon.start(THREADS + state.port() + "-accept", this::accept);
    }

    /**
     * Starts a broker; returns when clients can connect.
     *
     * @throws PlimsollException {@link Exit#USAGE} if the port is in use or a topic name is invalid
     */
    public static NullBroker start(NullBrokerOptions options) {
        ServerSocketChannel server = null;
        try {
            server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port), BACKLOG);
            return new NullBroker(server, options);
        } catch (IOException | IllegalArgumentException e) {
            NullBrokerLoop.close(server);
            throw Exit.USAGE.because(
                    e,
                    "nullbroker.cannotStart",
                    String.valueOf(options.port),
                    NullBrokerState.HOST,
                    String.valueOf(e.getMessage()));
        }
    }

    public int port() {
        return state.port();
    }

    public String bootstrapServers() {
        return NullBrokerState.HOST + ":" + state.port();
    }

    public NullBrokerStats stats() {
        return state.stats(loops.stream().mapToLong(NullBrokerLoop::cpuNanos).sum());
    }

    private void accept() {
        for (int next = 0; server.isOpen(); next = (next + 1) % loops.size()) {
            try {
                SocketChannel channel = server.accept();
                loops.get(next).add(channel);
            } catch (IOException e) {
                if (server.isOpen()) {
                    LOG.warn("The null broker could not accept a connection", e);
                    // Probably too many open files, so back off.
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        }
    }

    /** Closes all connections and ends all threads; the statistics remain available. Idempotent. */
    @Override
    public void close() {
        NullBrokerLoop.close(server);
        loops.forEach(NullBrokerLoop::close);
    }

    /**
     * Statistics of a {@link NullBroker} since its start. Immutable; taken while the broker is running, so figures of
     * different partitions can differ by a few requests.
     *
     * @param connections number of accepted connections
     * @param brokenConnections number of connections closed by the broker because of malformed frames or unknown APIs
     * @param cpuNanos CPU time of the broker's event loops
     * @param partitions of every existing topic
     * @param deleted totals of deleted topics
     */
    public record NullBrokerStats(
            Produced produced,
            Fetched fetched,
            long connections,
            long brokenConnections,
            long cpuNanos,
            Map<TopicPartition, Partition> partitions,
            Partition deleted) {

        /**
         * Produce requests.
         *
         * @param requests requests received completely, including rejected requests
         * @param refusedRequests requests rejected on purpose ({@link NullBrokerBehaviour#errorRate()})
         * @param refusedBatches batches rejected because of an invalid CRC or header, or an unknown partition
         */
        public record Produced(long requests, long refusedRequests, long refusedBatches) {}

        /**
         * Answered fetch requests.
         *
         * @param bytes total size of the served batches
         */
        public record Fetched(long requests, long records, long bytes) {}

        /**
         * Accepted records of a partition.
         *
         * @param bytes total size of the batches, including their 61-byte headers
         * @param endOffset offset of the next record
         */
        public record Partition(long records, long bytes, long batches, long endOffset) {}

        /** Accepted records of all partitions, deleted topics included. */
        public long records() {
            return sum(Partition::records);
        }

        /** Accepted batch bytes of all partitions, deleted topics included. */
        public long bytes() {
            return sum(Partition::bytes);
        }

        /** Accepted batches of all partitions, deleted topics included. */
        public long batches() {
            return sum(Partition::batches);
        }

        private long sum(ToLongFunction<Partition> count) {
            return count.applyAsLong(deleted)
                    + partitions.values().stream().mapToLong(count).sum();
        }
    }
}
