package io.plimsoll.wire;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one I/O thread over the Kafka client's network layer, which brings TLS and SASL with it. The thread
 * that made it owns it, except for {@link #wakeup()}.
 */
public final class RawNetwork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RawNetwork.class);
    private static final long RECONNECT_BACKOFF_NANOS = 50_000_000L;
    private static final long MAX_RECONNECT_BACKOFF_NANOS = 1_000_000_000L;

    /** The official client's maximum time for connection setup. */
    private static final long MOST_OPENING_NANOS = 30_000_000_000L;

    private static final int UNKNOWN_BROKER = -1;
    private static final int MANY = 100;
    private static final long LOOK_NANOS = 50_000_000L;

    private final RawSockets sockets;
    private final BufferPool responses = new BufferPool();
    private final String clientId;
    private final long requestTimeoutNanos;
    private final Map<String, RawLink> links = new HashMap<>();
    /** The same, to be gone over without an iterator. */
    private RawLink[] all = {};
    /** Those without a connection, each with the time at which it is tried again. */
    private final ArrayDeque<RawLink> closed = new ArrayDeque<>();

    private long nextLookNanos = System.nanoTime();

    private final List<InetSocketAddress> bootstrap;
    private final boolean sasl;
    private int nextLink;

    /**
     * @param clientProperties bootstrap servers and security
     * @param socketBufferBytes of both directions; −1 leaves them to the operating system
     * @throws PlimsollException {@link Exit#USAGE} if the properties are refused
     */
    public RawNetwork(
            Map<String, Object> clientProperties, String clientId, int socketBufferBytes, long requestTimeoutMillis) {
        this.clientId = clientId;
        this.requestTimeoutNanos = requestTimeoutMillis * 1_000_000;
        LogContext log = new LogContext("[" + clientId + "] ");
        AdminClientConfig config = new AdminClientConfig(clientProperties);
        this.bootstrap = ClientUtils.parseAndValidateAddresses(config);
        this.sasl = config.getString(AdminClientConfig.SECURITY_PROTOCOL_CONFIG).startsWith("SASL");
        ChannelBuilder channels = ClientUtils.createChannelBuilder(config, Time.SYSTEM, log);
        this.sockets = new RawSockets(channels, responses, socketBufferBytes, this);
    }

    /** A connection to the first bootstrap server that has not failed yet; {@code attempt} selects among them. */
    public RawLink bootstrap(int attempt) {
        InetSocketAddress address = bootstrap.get(attempt % bootstrap.size());
        return link(address.getHostString(), address.getPort(), UNKNOWN_BROKER);
    }

    /**
     * A new connection, which {@link #poll} opens and opens again.
     *
     * @param broker its id
     */
    public RawLink link(String host, int port, int broker) {
        return link(host, port, broker, null);
    }

    /** As {@link #link(String, int, int)}, with a watch. */
    public RawLink link(String host, int port, int broker, LinkWatch watch) {
        RawLink link = new RawLink(this, Integer.toString(nextLink++), host, port, broker, watch);
        links.put(link.id, link);
        all = null;
        closed.add(link);
        return link;
    }

    /** Closes a connection without notice to its watch, and reopens it at a time in nanoTime; its requests fail. */
    public void reopen(RawLink link, long atNanos) {
        boolean queued = link.state == RawLink.State.DISCONNECTED;
        sockets.close(link);
        link.state = RawLink.State.DISCONNECTED;
        link.retryAtNanos = atNanos;
        link.failures = 0;
        if (!queued) {
            closed.add(link);
        }
        fail(link, "networkDisconnect");
    }

    /** Ends a connection for good; its requests fail. */
    public void remove(RawLink link) {
        if (links.remove(link.id) != null) {
            all = null;
            closed.remove(link);
            sockets.close(link);
            fail(link, "networkDisconnect");
        }
    }

    public Collection<RawLink> links() {
        return links.values();
    }

    void send(RawLink link) {
        sockets.send(link);
    }

    /** Performs pending I/O and callbacks; waits up to the timeout without any. */
    public void poll(long timeoutMillis) {
        long now = System.nanoTime();
        for (int i = closed.size(); i > 0; i--) {
            RawLink link = closed.poll();
            if (now >= link.retryAtNanos) {
                connect(link);
            } else {
                closed.add(link);
            }
        }
        try {
            sockets.poll(timeoutMillis);
        } catch (IOException e) {
            throw new UncheckedIOException("the network failed: " + e.getMessage(), e);
        }
        timeOut(System.nanoTime());
    }

    private RawLink[] all() {
        if (all == null) {
            all = links.values().toArray(new RawLink[0]);
        }
        return all;
    }

    private void connect(RawLink link) {
        try {
            link.state = RawLink.State.CONNECTING;
            link.begunNanos = System.nanoTime();
            if (link.watch != null) {
                link.watch.begun();
            }
            sockets.connect(link);
        } catch (IOException e) {
            link.lastError = e.getMessage();
            disconnected(link, "networkDisconnect");
        }
    }

    /** @param failure why the broker refused the client; null if the connection just ended */
    void ended(RawLink link, AuthenticationException failure) {
        if (failure != null) {
            link.lastError = failure.getMessage();
        }
        disconnected(link, failure == null ? "networkDisconnect" : "authentication");
    }

    private void disconnected(RawLink link, String kind) {
        if (link.state != RawLink.State.DISCONNECTED && links.containsKey(link.id)) {
            closed.add(link);
        }
        link.state = RawLink.State.DISCONNECTED;
        link.lastError = link.lastError == null ? kind : link.lastError;
        long backoff = RECONNECT_BACKOFF_NANOS << Math.min(10, link.failures++);
        link.retryAtNanos = System.nanoTime() + Math.min(MAX_RECONNECT_BACKOFF_NANOS, backoff);
        fail(link, kind);
        if (link.watch == null) {
            LOG.debug("{}: connection to {}:{} ended: {}", clientId, link.host, link.port, link.lastError);
        } else {
            link.watch.ended(link.lastError);
        }
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

    void connected(RawLink link) {
        link.state = RawLink.State.NEGOTIATING;
        if (sasl) {
            link.reached(LinkWatch.Stage.LOGIN);
        }
        negotiate(link, ApiKeys.API_VERSIONS.latestVersion());
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
                    if (link.watch == null) {
                        LOG.debug("{}: connected to {}:{}", clientId, link.host, link.port);
                    }
                    link.reached(LinkWatch.Stage.READY);
                }
            }

            @Override
            protected void onFailure(String kind) {
                link.lastError = kind;
            }
        };
        link.send(request, ApiKeys.API_VERSIONS, new ApiVersionsRequest.Builder().build(version), clientId);
    }

    /** Takes a complete response and the ownership of its buffer. */
    void received(RawLink link, ByteBuffer response) {
        RawRequest request = link.inFlight.poll();
        handleResponse(link, request, response);
        if (request == null || !request.keepsResponse()) {
            responses.release(response);
        }
    }

    private void handleResponse(RawLink link, RawRequest request, ByteBuffer payload) {
        try {
            if (request == null || payload.getInt() != request.correlationId()) {
                throw new IllegalStateException("a response that nobody asked for");
            }
            request.onResponse(payload);
        } catch (PlimsollException e) {
            // Parsed correctly: its error ends the client.
            throw e;
        } catch (RuntimeException e) {
            // An unreadable response invalidates those behind it: reconnect.
            sockets.close(link);
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

    /** Of very many, looking at each costs more than knowing at once. */
    void timeOut(long now) {
        if (now < nextLookNanos) {
            return;
        }
        nextLookNanos = now + (links.size() < MANY ? 0 : LOOK_NANOS);
        for (RawLink link : all()) {
            // Without an answer to wait for it is the writing that may not end.
            RawRequest oldest = link.inFlight.isEmpty() ? link.writing : link.inFlight.peek();
            boolean unanswered = oldest != null && now - oldest.sentNanos() > requestTimeoutNanos;
            // A silent peer would block a login forever. Watched links have their own time limit.
            boolean unopened = link.state == RawLink.State.CONNECTING
                    && link.watch == null
                    && now - link.begunNanos > MOST_OPENING_NANOS;
            if (unanswered || unopened) {
                sockets.close(link);
                disconnected(link, "timeout");
            }
        }
    }

    /** Any thread: ends a waiting {@link #poll}. */
    public void wakeup() {
        sockets.wakeup();
    }

    @Override
    public void close() {
        for (RawLink link : new ArrayList<>(links.values())) {
            remove(link);
        }
        sockets.close();
    }
}
