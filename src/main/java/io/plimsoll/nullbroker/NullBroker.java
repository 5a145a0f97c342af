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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server in this process that implements enough of Kafka's protocol to discard produced records and to serve
 * synthetic, valid batches as fast as sockets allow: the throughput of a generator against it is the generator's own
 * limit. On request, it behaves exactly like a slow, limited, stalling or failing broker, as the ground truth for
 * measurements. It listens on 127.0.0.1, requires no authentication and stores only counts. It supports
 * the APIs of producers, consumers and administration clients; a group has at most one member, and transactions are
 * not supported. All methods may be called by any thread.
 */
public final class NullBroker implements AutoCloseable {
    /** The names of its threads begin with this. */
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
     * Returns when clients can connect.
     *
     * @throws PlimsollException {@link Exit#USAGE} if the port is taken, or a topic's name is none
     */
    public static NullBroker start(NullBrokerOptions options) {
        ServerSocketChannel server = null;
        try {
            server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port), BACKLOG);
            return new NullBroker(server, options);
        } catch (IOException | IllegalArgumentException e) {
            closeQuietly(server);
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

    /** For {@code bootstrap.servers}. */
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
                    // Too many open files, most likely: do not ask again at full speed.
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        }
    }

    /** Closes all connections and ends all threads; the statistics stay. Closing twice does nothing. */
    @Override
    public void close() {
        closeQuietly(server);
        loops.forEach(NullBrokerLoop::close);
    }

    private static void closeQuietly(ServerSocketChannel server) {
        try {
            if (server != null) {
                server.close();
            }
        } catch (IOException e) {
            LOG.debug("Closing the null broker's port", e);
        }
    }
}
