package io.plimsoll.wire;

import io.plimsoll.measure.Incident;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.network.KafkaChannel;
import org.apache.kafka.common.network.NetworkSend;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/** One connection to one broker, with responses in request order. Used by the thread of its {@link RawNetwork}. */
public final class RawLink {
    enum State {
        DISCONNECTED,
        CONNECTING,
        /** Connected and authenticated; the API versions request is in flight. */
        NEGOTIATING,
        READY
    }

    /** Minimum throttle time in ms; shorter throttle times in responses are ignored. */
    static final int LEAST_THROTTLE_MILLIS = 1;

    private final RawNetwork network;
    final String id;
    final String host;
    final int port;
    private final int broker;
    final @Nullable LinkWatch watch;

    final ArrayDeque<RawRequest> inFlight = new ArrayDeque<>();
    State state = State.DISCONNECTED;

    @Nullable
    NodeApiVersions versions;
    /** Null while disconnected. */
    @Nullable
    KafkaChannel channel;
    /** The request being written; its bytes are in {@link #send}. */
    @Nullable
    RawRequest writing;

    final NetworkSend send;
    private final GatherSend bytes = new GatherSend();

    @Nullable
    String lastError;

    long throttledUntilNanos;
    private long interruptedNanos;
    long retryAtNanos;
    /** Start of the latest connection attempt, in nanoTime. */
    long begunNanos;

    int failures;
    private int nextCorrelationId;
    /** The resolved address; null if the host name must be resolved. */
    private @Nullable InetSocketAddress known;

    RawLink(RawNetwork network, String id, String host, int port, int broker, @Nullable LinkWatch watch) {
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

    /** The broker ID; negative for a bootstrap server. */
    public int broker() {
        return broker;
    }

    /** Whether the link leads to this address; false if the broker now has another address. */
    public boolean leadsTo(String otherHost, int otherPort) {
        return host.equals(otherHost) && port == otherPort;
    }

    /**
     * Sets the resolved address of the host, because resolving a name can block all connections of the network.
     *
     * @param address if unresolved, the connection fails; null to resolve the name
     */
    public void leadTo(@Nullable InetSocketAddress address) {
        known = address;
    }

    /** The address to try: after a failure, the next address of the host. Unresolved if the host is unknown. */
    InetSocketAddress address() {
        if (known != null) {
            return known;
        }
        try {
            InetAddress[] all = InetAddress.getAllByName(host);
            return new InetSocketAddress(all[failures % all.length], port);
        } catch (UnknownHostException e) {
            return InetSocketAddress.createUnresolved(host, port);
        }
    }

    /** Whether requests can be sent. */
    public boolean ready() {
        return state == State.READY;
    }

    /** Whether the previous request is completely written, so that another request can be sent. */
    public boolean idle() {
        return state == State.READY && writing == null;
    }

    /** Number of requests without a response. */
    public int inFlight() {
        return inFlight.size();
    }

    /** Send time of the oldest request in flight, in nanoTime. Call only if a request is in flight. */
    public long oldestSentNanos() {
        return inFlight.element().sentNanos();
    }

    /** The reason for the last disconnect; null if none. */
    public @Nullable String lastError() {
        return lastError;
    }

    /** End of the throttle time requested by the broker, in nanoTime; 0 if none. */
    public long throttledUntilNanos() {
        return throttledUntilNanos;
    }

    public void throttle(int millis) {
        if (millis > 0) {
            pause(millis * 1_000_000L);
        }
        if (millis >= LEAST_THROTTLE_MILLIS) {
            network.events().add(Incident.Kind.QUOTA, broker, System.nanoTime(), throttledUntilNanos);
        }
    }

    /** Reports that the connection cannot send requests until {@link #resumed}. */
    void interrupted() {
        interruptedNanos = interruptedNanos == 0 ? System.nanoTime() : interruptedNanos;
    }

    /** Reports the end of an interruption. */
    void resumed(Incident.Kind reason) {
        if (interruptedNanos != 0 && broker >= 0) {
            network.events().add(reason, broker, interruptedNanos, System.nanoTime());
        }
        interruptedNanos = 0;
    }

    /** Reports that a connection that was ready is lost. */
    void lost() {
        long now = System.nanoTime();
        if (broker >= 0) {
            long from = inFlight.isEmpty() ? now : oldestSentNanos();
            network.events().add(Incident.Kind.DISCONNECT, broker, from, now);
        }
        interrupted();
    }

    /** Delays further requests by this time. */
    public void pause(long nanos) {
        throttledUntilNanos = System.nanoTime() + nanos;
    }

    short version(ApiKeys api, short ours) {
        return Objects.requireNonNull(versions, "not negotiated").latestUsableVersion(api, api.oldestVersion(), ours);
    }

    /** The correlation ID of the next request, which {@link #send} then uses. */
    int nextCorrelationId() {
        return nextCorrelationId;
    }

    /** Sends a complete request, including the size field; its correlation ID is {@link #nextCorrelationId}. */
    void send(RawRequest request, ByteBuffer[] buffers, int count) {
        request.sent(nextCorrelationId++, System.nanoTime());
        writing = request;
        if (request.expectsResponse()) {
            inFlight.add(request);
        }
        bytes.reset(buffers, count);
        network.send(this);
    }

    /** Sends a request over an idle link; {@code found} receives the response on the network thread. */
    <T> void ask(
            AbstractRequest body, String clientId, BiFunction<Readable, Short, T> parser, Consumer<@Nullable T> found) {
        ApiKeys api = body.apiKey();
        RawRequest request = new RawRequest() {
            @Override
            protected void onResponse(ByteBuffer response) {
                // Response headers of flexible versions contain tagged fields, which have been empty so far.
                VarInts.skipTags(response, api.responseHeaderVersion(body.version()) >= 1);
                found.accept(parser.apply(new ByteBufferAccessor(response), body.version()));
            }

            @Override
            protected void onFailure(String kind) {
                found.accept(null);
            }
        };
        send(request, api, body, clientId);
    }

    /** The response to a request for a producer ID; the error is 0 if none. */
    public record ProducerId(short error, long id, short epoch) {}

    /** Requests a producer id over an idle link, see {@link #ask}. */
    public void askProducerId(String clientId, Consumer<ProducerId> found) {
        InitProducerIdRequestData data = new InitProducerIdRequestData()
                .setTransactionalId(null)
                .setTransactionTimeoutMs(Integer.MAX_VALUE)
                .setProducerId(-1)
                .setProducerEpoch((short) -1);
        ask(
                new InitProducerIdRequest.Builder(data).build(version(ApiKeys.INIT_PRODUCER_ID)),
                clientId,
                (response, requestVersion) -> {
                    var answer = InitProducerIdResponse.parse(response, requestVersion)
                            .data();
                    return new ProducerId(answer.errorCode(), answer.producerId(), answer.producerEpoch());
                },
                found);
    }

    short version(ApiKeys api) {
        return version(api, api.latestVersion());
    }

    void send(RawRequest request, ApiKeys api, AbstractRequest body, String clientId) {
        RequestHeader header = new RequestHeader(api, body.version(), clientId, nextCorrelationId);
        ByteBuffer payload = body.serializeWithHeader(header);
        ByteBuffer size = ByteBuffer.allocate(4).putInt(0, payload.remaining());
        send(request, new ByteBuffer[] {size, payload}, 2);
    }

    /** Writes several buffers as one request without copying. Each connection reuses one object. */
    private final class GatherSend implements Send {
        private @Nullable TlsWriter tls;
        private ByteBuffer[] buffers = {};
        private int count;
        private long size;
        private long remaining;
        private int first;
        private boolean pending;

        /** @param requestCount number of buffers in the request; each is written from position to limit */
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
        @SuppressWarnings("ReferenceEquality") // The link can have a new channel by now.
        public long writeTo(TransferableChannel channel) throws IOException {
            if (tls == null || tls.channel != channel) {
                tls = TlsWriter.of(channel, network.spareTlsBuffers);
            }
            long written = tls == null
                    ? channel.write(buffers, first, count - first)
                    : tls.write(buffers, first, count - first);
            if (written < 0) {
                throw new IOException("the connection ended");
            }
            remaining -= written;
            // TLS flushes its own buffer only during a write, so the last buffer remains, even if it is empty.
            while (first < count - 1 && !buffers[first].hasRemaining()) {
                first++;
            }
            pending = tls == null ? channel.hasPendingWrites() : tls.hasPendingWrites();
            return written;
        }

        @Override
        public long size() {
            return size;
        }
    }
}
