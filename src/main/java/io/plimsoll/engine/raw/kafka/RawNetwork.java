package io.plimsoll.engine.raw.kafka;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.ChannelState;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.NetworkSend;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/**
 * The connections of one I/O thread over the Kafka client's network layer, which brings TLS and SASL with it. The thread
 * that made it owns it, except for {@link #wakeup()}.
 */
public final class RawNetwork implements AutoCloseable {
    private static final long RECONNECT_BACKOFF_NANOS = 50_000_000L;
    private static final long MAX_RECONNECT_BACKOFF_NANOS = 1_000_000_000L;

    private final Selector selector;
    private final BufferPool responses = new BufferPool();
    private final Metrics metrics;
    private final String clientId;
    private final int sendBufferBytes;
    private final int receiveBufferBytes;
    private final long requestTimeoutNanos;
    private final Map<String, RawLink> links = new HashMap<>();
    /** The same, to be gone over at each poll without an iterator. */
    private RawLink[] all = {};

    private final List<InetSocketAddress> bootstrap;
    private int nextLink;

    /**
     * @param clientProperties bootstrap servers and security
     * @param socketBufferBytes of both directions; −1 leaves them to the operating system
     * @throws PlimsollException {@link Exit#USAGE} if the properties are refused
     */
    public RawNetwork(
            Map<String, Object> clientProperties, String clientId, int socketBufferBytes, long requestTimeoutMillis) {
        this.clientId = clientId;
        this.sendBufferBytes = socketBufferBytes;
        this.receiveBufferBytes = socketBufferBytes;
        this.requestTimeoutNanos = requestTimeoutMillis * 1_000_000;
        LogContext log = new LogContext("[" + clientId + "] ");
        AdminClientConfig config = new AdminClientConfig(clientProperties);
        this.bootstrap = ClientUtils.parseAndValidateAddresses(config);
        ChannelBuilder channels = ClientUtils.createChannelBuilder(config, Time.SYSTEM, log);
        this.metrics = new Metrics();
        this.selector = new Selector(
                NetworkReceive.UNLIMITED,
                Selector.NO_IDLE_TIMEOUT_MS,
                metrics,
                Time.SYSTEM,
                "plimsoll-raw",
                Map.of(),
                false,
                false,
                channels,
                responses,
                log);
    }

    String clientId() {
        return clientId;
    }

    /** A connection to the first bootstrap server that has not failed yet; {@code attempt} selects among them. */
    public RawLink bootstrap(int attempt) {
        InetSocketAddress address = bootstrap.get(attempt % bootstrap.size());
        return link(address.getHostString(), address.getPort());
    }

    /** A new connection, which {@link #poll} opens and opens again. */
    public RawLink link(String host, int port) {
        RawLink link = new RawLink(this, Integer.toString(nextLink++), host, port);
        links.put(link.id(), link);
        all = links.values().toArray(new RawLink[0]);
        return link;
    }

    /** Ends a connection for good; its requests fail. */
    public void remove(RawLink link) {
        if (links.remove(link.id()) != null) {
            all = links.values().toArray(new RawLink[0]);
            selector.close(link.id());
            fail(link, "networkDisconnect");
        }
    }

    public Collection<RawLink> links() {
        return links.values();
    }

    void send(NetworkSend send) {
        selector.send(send);
    }

    /** Reads and writes what is possible, calls back, and waits at most so long if nothing is. */
    public void poll(long timeoutMillis) {
        long now = System.nanoTime();
        for (RawLink link : all) {
            if (link.state == RawLink.State.DISCONNECTED && now >= link.retryAtNanos) {
                connect(link);
            }
        }
        try {
            selector.poll(timeoutMillis);
        } catch (IOException e) {
            throw new PlimsollException(Exit.INTERNAL, "the network failed: " + e.getMessage(), e);
        }
        handleDisconnections();
        handleConnections();
        handleWritten();
        handleResponses();
        timeOut(System.nanoTime());
    }

    private void connect(RawLink link) {
        try {
            link.state = RawLink.State.CONNECTING;
            InetSocketAddress address = new InetSocketAddress(link.host(), link.port());
            selector.connect(link.id(), address, sendBufferBytes, receiveBufferBytes);
        } catch (IOException e) {
            disconnected(link, "networkDisconnect");
        }
    }

    private void handleDisconnections() {
        if (selector.disconnected().isEmpty()) {
            return;
        }
        for (Map.Entry<String, ChannelState> entry :
                new ArrayList<>(selector.disconnected().entrySet())) {
            RawLink link = links.get(entry.getKey());
            if (link == null) {
                continue;
            }
            boolean refused = entry.getValue().state() == ChannelState.State.AUTHENTICATION_FAILED;
            if (refused && entry.getValue().exception() != null) {
                link.lastError = entry.getValue().exception().getMessage();
            }
            disconnected(link, refused ? "authentication" : "networkDisconnect");
        }
    }

    private void disconnected(RawLink link, String kind) {
        link.state = RawLink.State.DISCONNECTED;
        link.lastError = link.lastError == null ? kind : link.lastError;
        long backoff = RECONNECT_BACKOFF_NANOS << Math.min(10, link.failures++);
        link.retryAtNanos = System.nanoTime() + Math.min(MAX_RECONNECT_BACKOFF_NANOS, backoff);
        fail(link, kind);
    }

    private static void fail(RawLink link, String kind) {
        RawRequest writing = link.writing;
        link.writing = null;
        List<RawRequest> failed = new ArrayList<>(link.inFlight);
        link.inFlight.clear();
        if (writing != null && !writing.expectsResponse()) {
            failed.add(writing);
        }
        failed.forEach(request -> request.onFailure(kind));
    }

    private void handleConnections() {
        for (RawLink link : all) {
            if (link.state == RawLink.State.CONNECTING && selector.isChannelReady(link.id())) {
                link.state = RawLink.State.NEGOTIATING;
                negotiate(link, ApiKeys.API_VERSIONS.latestVersion());
            }
        }
    }

    /** A broker that does not know our version of the question says so in version 0, and is asked again with its own. */
    private void negotiate(RawLink link, short version) {
        RawRequest request = new RawRequest() {
            @Override
            protected void onResponse(ByteBuffer response) {
                ApiVersionsResponse versions = ApiVersionsResponse.parse(new ByteBufferAccessor(response), version);
                if (versions.data().errorCode() == Errors.UNSUPPORTED_VERSION.code() && version > 0) {
                    var theirs = versions.apiVersion(ApiKeys.API_VERSIONS.id);
                    negotiate(link, theirs == null ? 0 : theirs.maxVersion());
                } else {
                    link.versions = new NodeApiVersions(
                            versions.data().apiKeys(), versions.data().supportedFeatures());
                    link.state = RawLink.State.READY;
                    link.failures = 0;
                    link.lastError = null;
                }
            }

            @Override
            protected void onFailure(String kind) {
                link.lastError = kind;
            }
        };
        link.send(request, ApiKeys.API_VERSIONS, new ApiVersionsRequest.Builder().build(version), clientId);
    }

    private void handleWritten() {
        for (NetworkSend send : selector.completedSends()) {
            RawLink link = links.get(send.destinationId());
            if (link != null && link.writing != null) {
                RawRequest written = link.writing;
                link.writing = null;
                written.onWritten();
            }
        }
    }

    private void handleResponses() {
        for (NetworkReceive receive : selector.completedReceives()) {
            RawLink link = links.get(receive.source());
            ByteBuffer payload = receive.payload();
            RawRequest request = link == null ? null : link.inFlight.poll();
            if (link != null) {
                handleResponse(link, request, payload);
            }
            if (request == null || !request.keepsResponse()) {
                responses.release(payload);
            }
        }
    }

    private void handleResponse(RawLink link, RawRequest request, ByteBuffer payload) {
        try {
            if (request == null || payload.getInt() != request.correlationId()) {
                throw new IllegalStateException("a response that nobody asked for");
            }
            request.onResponse(payload);
        } catch (RuntimeException e) {
            // What cannot be read tells nothing about the requests behind it either: begin anew.
            selector.close(link.id());
            if (request != null) {
                request.onFailure("malformedResponse");
            }
            disconnected(link, "malformedResponse");
        }
    }

    /** Takes back the buffer of a response that was kept. */
    void release(ByteBuffer response) {
        responses.release(response);
    }

    private void timeOut(long now) {
        for (RawLink link : all) {
            RawRequest oldest = link.inFlight.peek();
            if (oldest != null && now - oldest.sentNanos() > requestTimeoutNanos) {
                selector.close(link.id());
                disconnected(link, "timeout");
            }
        }
    }

    /** Any thread: ends a waiting {@link #poll}. */
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public void close() {
        for (RawLink link : new ArrayList<>(links.values())) {
            remove(link);
        }
        selector.close();
        metrics.close();
    }
}
