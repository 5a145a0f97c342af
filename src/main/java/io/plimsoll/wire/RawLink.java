package io.plimsoll.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.network.KafkaChannel;
import org.apache.kafka.common.network.NetworkSend;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * One connection to one broker: requests go out in order, responses come back in the same order. Owned by the thread of
 * its {@link RawNetwork}.
 */
public final class RawLink {
    enum State {
        DISCONNECTED,
        CONNECTING,
        /** Connected and authenticated; the broker was asked for its API versions. */
        NEGOTIATING,
        READY
    }

    private final RawNetwork network;
    final String id;
    final String host;
    final int port;
    private final int broker;
    /** Null without a watch. */
    final LinkWatch watch;

    final ArrayDeque<RawRequest> inFlight = new ArrayDeque<>();
    State state = State.DISCONNECTED;
    NodeApiVersions versions;
    /** Null while disconnected. */
    KafkaChannel channel;
    /** Being written; its bytes are in {@link #send}. */
    RawRequest writing;

    final NetworkSend send;
    private final GatherSend bytes = new GatherSend();
    String lastError;
    long throttledUntilNanos;
    long retryAtNanos;
    /** When it was begun to be opened last, in nanoTime. */
    long begunNanos;

    int failures;
    private int nextCorrelationId;
    /** Null where its host's name is looked up. */
    private InetSocketAddress known;

    RawLink(RawNetwork network, String id, String host, int port, int broker, LinkWatch watch) {
        this.network = network;
        this.id = id;
        this.host = host;
        this.port = port;
        this.broker = broker;
        this.watch = watch;
        this.send = new NetworkSend(id, bytes);
    }

    void reached(LinkWatch.Stage stage) {
        if (watch != null) {
            watch.reached(stage);
        }
    }

    /** The broker's id; negative if it leads to a bootstrap server. */
    public int broker() {
        return broker;
    }

    /** False if its broker is to be found elsewhere now. */
    public boolean leadsTo(String otherHost, int otherPort) {
        return host.equals(otherHost) && port == otherPort;
    }

    /**
     * Sets the address of the host, so that no name resolution blocks the network thread and
     * its other connections.
     *
     * @param address may be unresolved: then it cannot be opened; null to have it looked up
     */
    public void leadTo(InetSocketAddress address) {
        known = address;
    }

    InetSocketAddress address() {
        return known == null ? new InetSocketAddress(host, port) : known;
    }

    /** True if a request can be sent. */
    public boolean ready() {
        return state == State.READY;
    }

    /** True if another request can be handed over now: the one before is written. */
    public boolean idle() {
        return state == State.READY && writing == null;
    }

    /** Requests that wait for their response. */
    public int inFlight() {
        return inFlight.size();
    }

    /** When the oldest of these was sent, in nanoTime; there is one. */
    public long oldestSentNanos() {
        return inFlight.element().sentNanos();
    }

    /** Why the connection ended last; null if it never did. */
    public String lastError() {
        return lastError;
    }

    /** The broker asked for a pause until then, in nanoTime; 0 if it did not. */
    public long throttledUntilNanos() {
        return throttledUntilNanos;
    }

    public void throttle(int millis) {
        if (millis > 0) {
            pause(millis * 1_000_000L);
        }
    }

    /** No request goes over it for so long. */
    public void pause(long nanos) {
        throttledUntilNanos = System.nanoTime() + nanos;
    }

    /** The highest version that both sides speak. */
    short version(ApiKeys api, short ours) {
        return versions.latestUsableVersion(api, api.oldestVersion(), ours);
    }

    /** The next request's correlation id; {@link #send} increments it. */
    int nextCorrelationId() {
        return nextCorrelationId;
    }

    /** Sends buffers that hold a whole request, size field included, with {@link #nextCorrelationId}. */
    void send(RawRequest request, ByteBuffer[] buffers, int count) {
        request.sent(nextCorrelationId++, System.nanoTime());
        writing = request;
        if (request.expectsResponse()) {
            inFlight.add(request);
        }
        bytes.reset(buffers, count);
        network.send(this);
    }

    /**
     * Sends a question that Kafka's own classes encode, over a link that is idle.
     *
     * @param parser reads the body of a response in its version
     * @param found receives the response on the network's thread, or null without one
     */
    <T> void ask(AbstractRequest body, String clientId, BiFunction<Readable, Short, T> parser, Consumer<T> found) {
        ApiKeys api = body.apiKey();
        RawRequest request = new RawRequest() {
            @Override
            protected void onResponse(ByteBuffer response) {
                // Response headers of flexible versions carry tagged fields, always empty so far.
                if (api.responseHeaderVersion(body.version()) >= 1) {
                    VarInts.skipTags(response);
                }
                found.accept(parser.apply(new ByteBufferAccessor(response), body.version()));
            }

            @Override
            protected void onFailure(String kind) {
                found.accept(null);
            }
        };
        send(request, api, body, clientId);
    }

    /** The newest version that both sides speak. */
    short version(ApiKeys api) {
        return version(api, api.latestVersion());
    }

    /** Sends a request that Kafka's own classes encode. */
    void send(RawRequest request, ApiKeys api, AbstractRequest body, String clientId) {
        RequestHeader header = new RequestHeader(api, body.version(), clientId, nextCorrelationId);
        ByteBuffer payload = body.serializeWithHeader(header);
        ByteBuffer size = ByteBuffer.allocate(4).putInt(0, payload.remaining());
        send(request, new ByteBuffer[] {size, payload}, 2);
    }

    /**
     * Writes a few buffers as one request, without copying them together. One for each connection, used for one request
     * after the other.
     */
    private static final class GatherSend implements Send {
        private ByteBuffer[] buffers = {};
        private int count;
        private long size;
        private long remaining;
        private int first;
        private boolean pending;

        /** @param requestCount how many of the buffers belong to the request; each is written from position to limit */
        void reset(ByteBuffer[] requestBuffers, int requestCount) {
            buffers = requestBuffers;
            count = requestCount;
            long bytes = 0;
            for (int i = 0; i < count; i++) {
                bytes += buffers[i].remaining();
            }
            size = bytes;
            remaining = bytes;
            first = 0;
            pending = false;
        }

        @Override
        public boolean completed() {
            return remaining <= 0 && !pending;
        }

        @Override
        public long writeTo(TransferableChannel channel) throws IOException {
            long written = channel.write(buffers, first, count - first);
            if (written < 0) {
                throw new IOException("the connection ended");
            }
            remaining -= written;
            while (first < count && !buffers[first].hasRemaining()) {
                first++;
            }
            pending = channel.hasPendingWrites();
            return written;
        }

        @Override
        public long size() {
            return size;
        }
    }
}
