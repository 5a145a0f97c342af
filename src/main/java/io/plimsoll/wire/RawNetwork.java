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
 * The connections of one I/O thread, on the Kafka client's network layer with its TLS and SASL. Confined to the
 * creating thread, except for {@link #wakeup()}.
 */
public final class RawNetwork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RawNetwork.class);
    private static final long RECONNECT_BACKOFF_NANOS = 50_000_000L;
    private static final long MAX_RECONNECT_BACKOFF_NANOS = 1_000_000_000L;

    /** Maximum connection setup time, as in the official client. */
    private static final long MOST_OPENING_NANOS = 30_000_000_000L;

    private static final int UNKNOWN_BROKER = -1;
    private static final int MANY = 100;
    private static final long LOOK_NANOS = 50_000_000L;

    private final RawSockets sockets;
    private final BufferPool responses = new BufferPool();
    private final String clientId;
    private final long requestTimeoutNanos;
    private final Map<String, RawLink> links = new HashMap<>();
    /** The same links as an array, for iteration without an iterator. */
    private RawLink[] all = {};
    /** Disconnected links with the time of their next attempt. */
    private final ArrayDeque<RawLink> closed = new ArrayDeque<>();

    private long nextLookNanos = System.nanoTime();

    private final List<InetSocketAddress> bootstrap;
    private final boolean sasl;
    private int nextLink;

    /**
     * @param clientProperties bootstrap servers and security
     * @param socketBufferBytes for both directions; −1 for the system default
     * @throws PlimsollException {@link Exit#USAGE} if the properties are invalid
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

    /** A connection to a bootstrap server that has not failed yet, selected by {@code attempt}. */
    public RawLink bootstrap(int attempt) {
        InetSocketAddress address = bootstrap.get(attempt % bootstrap.size());
        return link(address.getHostString(), address.getPort(), UNKNOWN_BROKER);
    }

    /**
     * A new connection, which {@link #poll} opens and reopens.
     *
     * @param broker its id
     */
    public RawLink link(String host, int port, int broker) {
        return link(host, port, broker, null);
    }

    /** As {@link #link(String, int, int)}, with an observer. */
    public RawLink link(String host, int port, int broker, LinkWatch watch) {
        RawLink link = new RawLink(this, Integer.toString(nextLink++), host, port, broker, watch);
        links.put(link.id, link);
        all = null;
        closed.add(link);
        return link;
    }

    /**
     * Disconnects without a notification of the observer and reconnects at a time (nanoTime); requests in flight fail.
     */
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

    /** Disconnects permanently; requests in flight fail. */
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

    /** Performs all possible I/O and callbacks; waits up to the timeout if none is possible. */
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

    /** @param failure authentication error; null for any other disconnect */
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
            LOG.debug("connection to {}:{} ended: {}", link.host, link.port, link.lastError);
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

    /**
     * A broker that does not support this version of the request responds in version 0; the request is repeated with
     * the broker's version.
     */
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
                        LOG.debug("connected to {}:{}", link.host, link.port);
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

    /** Handles a complete response and takes over its buffer. */
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
            // The response was readable; its meaning ends the client.
            throw e;
        } catch (RuntimeException e) {
            // After an unreadable response the stream position is unknown: reconnect.
            sockets.close(link);
            if (request != null) {
                request.onFailure("malformedResponse");
            }
            disconnected(link, "malformedResponse");
        }
    }

    /** Takes back the buffer of a retained response. */
    void release(ByteBuffer response) {
        responses.release(response);
    }

    /** With many links the scan is limited in frequency: its cost outweighs precision. */
    void timeOut(long now) {
        if (now < nextLookNanos) {
            return;
        }
        nextLookNanos = now + (links.size() < MANY ? 0 : LOOK_NANOS);
        for (RawLink link : all()) {
            // Without a pending response the write itself can hang.
            RawRequest oldest = link.inFlight.isEmpty() ? link.writing : link.inFlight.peek();
            boolean unanswered = oldest != null && now - oldest.sentNanos() > requestTimeoutNanos;
            // A silently lost peer would block authentication indefinitely. Observers have their own time limit.
            boolean unopened = link.state == RawLink.State.CONNECTING
                    && link.watch == null
                    && now - link.begunNanos > MOST_OPENING_NANOS;
            if (unanswered || unopened) {
                sockets.close(link);
                disconnected(link, "timeout");
            }
        }
    }

    /** Ends a waiting {@link #poll}. Thread-safe. */
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
