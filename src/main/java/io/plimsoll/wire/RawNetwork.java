package io.plimsoll.wire;

import io.plimsoll.PlimsollException;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.Incident;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.memory.MemoryPool;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.network.ChannelState;
import org.apache.kafka.common.network.CipherInformation;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.KafkaChannel;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one I/O thread: non-blocking I/O with the channels of Kafka's client, including TLS and SASL.
 * Kafka's selector needs about forty objects and a dozen metric updates per request; this class needs two objects, and
 * writes immediately if the socket accepts the data. Used by the creating thread, except for {@link #wakeup()}.
 */
public final class RawNetwork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RawNetwork.class);
    private static final long RECONNECT_BACKOFF_NANOS = 50_000_000L;
    private static final long MAX_RECONNECT_BACKOFF_NANOS = 1_000_000_000L;

    /** Maximum time in ns to set up a connection, as in the official client. */
    private static final long MOST_OPENING_NANOS = 30_000_000_000L;

    private static final int UNKNOWN_BROKER = -1;
    private static final int MANY = 100;
    private static final long LOOK_NANOS = 50_000_000L;

    private static final Supplier<Long> NOW = System::nanoTime;

    private final Selector selector;
    private final ChannelBuilder channels;
    private final int socketBufferBytes;
    private final ArrayList<SelectionKey> selected = new ArrayList<>();
    private final Consumer<SelectionKey> select = selected::add;
    /** Connections that were established immediately, for which no selection event arrives. */
    private final ArrayDeque<RawLink> connectedAtOnce = new ArrayDeque<>();

    private final ArrayDeque<RawLink> broken = new ArrayDeque<>();
    private final BufferPool responses = new BufferPool();
    final ArrayDeque<ByteBuffer> spareTlsBuffers = new ArrayDeque<>();
    private final String clientId;
    private final long requestTimeoutNanos;
    private final Map<String, RawLink> links = new HashMap<>();
    /** The same links as an array, to iterate without allocating an iterator. */
    private RawLink @Nullable [] all = {};
    /** Disconnected links, with the time of the next attempt. */
    private final ArrayDeque<RawLink> closed = new ArrayDeque<>();

    private long nextLookNanos = System.nanoTime();

    private final List<InetSocketAddress> bootstrap;
    private final SecurityProtocol protocol;
    private ClientEvents events = new ClientEvents();
    private int nextLink;

    /** @param socketBufferBytes size of the buffers for both directions; −1 for the system default */
    public RawNetwork(
            Map<String, Object> clientProperties, String clientId, int socketBufferBytes, long requestTimeoutMillis) {
        this.clientId = clientId;
        this.requestTimeoutNanos = requestTimeoutMillis * 1_000_000;
        LogContext log = new LogContext("[" + clientId + "] ");
        AdminClientConfig config = new AdminClientConfig(clientProperties);
        this.bootstrap = ClientUtils.parseAndValidateAddresses(config);
        this.protocol = SecurityProtocol.forName(config.getString(AdminClientConfig.SECURITY_PROTOCOL_CONFIG));
        this.channels = ClientUtils.createChannelBuilder(config, Time.SYSTEM, log);
        this.socketBufferBytes = socketBufferBytes;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector for the network: " + e.getMessage(), e);
        }
    }

    /** Sets the receiver of lost connections, reauthentications and throttle times. Call before use. */
    public RawNetwork tell(ClientEvents to) {
        events = to;
        return this;
    }

    public ClientEvents events() {
        return events;
    }

    /** Whether the connections use TLS. */
    public boolean tls() {
        return protocol == SecurityProtocol.SSL || protocol == SecurityProtocol.SASL_SSL;
    }

    /** Whether the connections log in with SASL. */
    public boolean sasl() {
        return protocol == SecurityProtocol.SASL_PLAINTEXT || protocol == SecurityProtocol.SASL_SSL;
    }

    /** Creates a connection to a bootstrap server; consecutive values of {@code attempt} select the servers in turn. */
    public RawLink bootstrap(int attempt) {
        InetSocketAddress address = bootstrap.get(attempt % bootstrap.size());
        return link(address.getHostString(), address.getPort(), UNKNOWN_BROKER);
    }

    /** Creates a connection to a broker; {@link #poll} opens and reopens the connection. */
    public RawLink link(String host, int port, int broker) {
        return link(host, port, broker, null);
    }

    /** Like {@link #link(String, int, int)}, with an observer. */
    public RawLink link(String host, int port, int broker, @Nullable LinkWatch watch) {
        RawLink link = new RawLink(this, Integer.toString(nextLink++), host, port, broker, watch);
        links.put(link.id, link);
        all = null;
        closed.add(link);
        return link;
    }

    /** Disconnects without notifying the observer, and reconnects at this time, in nanoTime; requests in flight fail. */
    public void reopen(RawLink link, long atNanos) {
        boolean queued = link.state == RawLink.State.DISCONNECTED;
        close(link);
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
            close(link);
            fail(link, "networkDisconnect");
        }
    }

    public Collection<RawLink> links() {
        return links.values();
    }

    /** Performs all possible I/O and callbacks, or waits up to the timeout for them. */
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
            select(timeoutMillis);
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
            open(link);
        } catch (IOException e) {
            link.lastError = e.getMessage();
            disconnected(link, "networkDisconnect");
        }
    }

    /** @param failure authentication error; null for any other disconnect */
    private void ended(RawLink link, @Nullable AuthenticationException failure) {
        if (failure != null) {
            link.lastError = failure.getMessage();
        }
        disconnected(link, failure == null ? "networkDisconnect" : "authentication");
    }

    private void disconnected(RawLink link, String kind) {
        if (link.state != RawLink.State.DISCONNECTED && links.containsKey(link.id)) {
            closed.add(link);
        }
        if (link.ready()) {
            link.lost();
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

    private void connected(RawLink link) {
        link.state = RawLink.State.NEGOTIATING;
        if (sasl()) {
            link.reached(LinkWatch.Stage.LOGIN);
        }
        negotiate(link, ApiKeys.API_VERSIONS.latestVersion());
    }

    /**
     * Requests the broker's API versions. A broker that does not support this version of the request responds in
     * version 0; the request is then repeated with the broker's version.
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
                    link.resumed(Incident.Kind.DISCONNECT);
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
    private void received(RawLink link, ByteBuffer response) {
        RawRequest request = link.inFlight.poll();
        handleResponse(link, request, response);
        if (request == null || !request.keepsResponse()) {
            responses.release(response);
        }
    }

    private void handleResponse(RawLink link, @Nullable RawRequest request, ByteBuffer payload) {
        try {
            if (request == null || payload.getInt() != request.correlationId()) {
                throw new IllegalStateException("a response without a request");
            }
            request.onResponse(payload);
        } catch (PlimsollException e) {
            // The response was readable, but its content ends the client.
            throw e;
        } catch (RuntimeException e) {
            // After an unreadable response, the position in the stream is unknown, so reconnect.
            close(link);
            if (request != null) {
                request.onFailure("malformedResponse");
            }
            disconnected(link, "malformedResponse");
        }
    }

    void release(ByteBuffer response) {
        responses.release(response);
    }

    /** Fails requests that timed out. With many links, the scan runs less often, because its cost outweighs its precision. */
    void timeOut(long now) {
        if (now < nextLookNanos) {
            return;
        }
        nextLookNanos = now + (links.size() < MANY ? 0 : LOOK_NANOS);
        for (RawLink link : all()) {
            // Without a pending response, the write itself can hang.
            RawRequest oldest = link.inFlight.isEmpty() ? link.writing : link.inFlight.peek();
            boolean unanswered = oldest != null && now - oldest.sentNanos() > requestTimeoutNanos;
            // A silently lost peer would block authentication indefinitely. Observers have their own time limit.
            boolean unopened = link.state == RawLink.State.CONNECTING
                    && link.watch == null
                    && now - link.begunNanos > MOST_OPENING_NANOS;
            if (unanswered || unopened) {
                close(link);
                disconnected(link, "timeout");
            }
        }
    }

    /** Ends a waiting {@link #poll}. Thread-safe. */
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public void close() {
        for (RawLink link : new ArrayList<>(links.values())) {
            remove(link);
        }
        try {
            selector.close();
        } catch (IOException e) {
            // The descriptors are released when the process ends, at the latest.
            selected.clear();
        }
        channels.close();
    }

    private void open(RawLink link) throws IOException {
        InetSocketAddress address = link.address();
        if (address.isUnresolved()) {
            throw new IOException("the address of " + link.host + " is not known");
        }
        SocketChannel socket = SocketChannel.open();
        try {
            socket.configureBlocking(false);
            configure(socket.socket());
            boolean atOnce = socket.connect(address);
            SelectionKey key = socket.register(selector, SelectionKey.OP_CONNECT, link);
            link.channel = channels.buildChannel(
                    link.id,
                    key,
                    NetworkReceive.UNLIMITED,
                    responses,
                    link.watch == null ? NoMetadataRegistry.INSTANCE : new NoMetadataRegistry(link));
            if (atOnce) {
                key.interestOps(0);
                connectedAtOnce.add(link);
            }
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private void configure(Socket socket) throws IOException {
        socket.setKeepAlive(true);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (socketBufferBytes >= 0) {
            socket.setSendBufferSize(socketBufferBytes);
            socket.setReceiveBufferSize(Math.max(1, socketBufferBytes));
        }
    }

    /** Closes a connection without further events. */
    private void close(RawLink link) {
        KafkaChannel channel = link.channel;
        link.channel = null;
        if (channel != null) {
            broken.remove(link);
            channel.selectionKey().cancel();
            Utils.closeQuietly(channel, "connection");
        }
    }

    /**
     * Starts to write the link's request; remaining data is written when the socket accepts it. Completion can be
     * reported immediately, a failure only within {@link #poll}.
     */
    void send(RawLink link) {
        KafkaChannel channel = Objects.requireNonNull(link.channel, "not connected");
        channel.setSend(link.send);
        try {
            write(link, channel);
        } catch (PlimsollException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            broken.add(link);
        }
    }

    private void write(RawLink link, KafkaChannel channel) throws IOException {
        if (!channel.hasSend() || !channel.ready()) {
            return;
        }
        if (channel.maybeBeginClientReauthentication(NOW)) {
            link.interrupted();
            return;
        }
        channel.write();
        if (channel.maybeCompleteSend() != null) {
            RawRequest request = Objects.requireNonNull(link.writing);
            link.writing = null;
            request.onWritten();
        }
    }

    private void select(long timeoutMillis) throws IOException {
        boolean pending = !connectedAtOnce.isEmpty() || !broken.isEmpty();
        if (pending || timeoutMillis <= 0) {
            selector.selectNow(select);
        } else {
            selector.select(select, timeoutMillis);
        }
        while (!broken.isEmpty()) {
            end(broken.poll());
        }
        while (!connectedAtOnce.isEmpty()) {
            handle(connectedAtOnce.poll());
        }
        for (int i = 0; i < selected.size(); i++) {
            SelectionKey key = selected.get(i);
            RawLink link = (RawLink) key.attachment();
            if (link.channel != null && link.channel.selectionKey() == key) {
                handle(link);
            }
        }
        selected.clear();
    }

    @SuppressWarnings("ReferenceEquality") // The link can have a new channel by now.
    private void handle(RawLink link) {
        KafkaChannel channel = link.channel;
        if (channel == null) {
            return;
        }
        try {
            if (ready(link, channel)) {
                read(link, channel);
            }
            if (link.channel == channel && channel.selectionKey().isWritable()) {
                write(link, channel);
            }
        } catch (PlimsollException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The peer sent invalid data, so close this connection.
            if (link.channel == channel) {
                end(link);
            }
        }
    }

    /** Continues connection setup and authentication. */
    @SuppressWarnings("ReferenceEquality") // The link can have a new channel by now.
    private boolean ready(RawLink link, KafkaChannel channel) throws IOException {
        if (channel.state().state() == ChannelState.State.NOT_CONNECTED) {
            if (!channel.finishConnect()) {
                return false;
            }
            link.reached(LinkWatch.Stage.TCP);
        }
        if (!channel.ready()) {
            prepare(channel);
            if (link.ready() && channel.ready()) {
                link.resumed(Incident.Kind.REAUTHENTICATION);
            }
        }
        if (link.state == RawLink.State.CONNECTING && channel.ready()) {
            connected(link);
        }
        // Deliver all of these responses before reading later ones.
        var held = channel.pollResponseReceivedDuringReauthentication();
        while (held.isPresent() && link.channel == channel) {
            received(link, held.get().payload());
            held = channel.pollResponseReceivedDuringReauthentication();
        }
        return link.channel == channel && channel.ready();
    }

    /**
     * Performs the possible steps of authentication. During reauthentication, responses to earlier requests can arrive,
     * one per step. Selection does not report data that TLS has already buffered.
     */
    private static void prepare(KafkaChannel channel) throws IOException {
        do {
            channel.prepare();
        } while (!channel.ready() && channel.hasBytesBuffered());
        if (channel.ready()) {
            channel.maybeAddWriteInterestAfterReauth();
        }
    }

    /** Reads until no complete response is left, because selection does not report data that TLS has already buffered. */
    @SuppressWarnings("ReferenceEquality") // The link can have a new channel by now.
    private void read(RawLink link, KafkaChannel channel) throws IOException {
        boolean more = channel.selectionKey().isReadable() || channel.hasBytesBuffered();
        while (more) {
            channel.read();
            NetworkReceive receive = channel.maybeCompleteReceive();
            if (receive == null) {
                return;
            }
            received(link, receive.payload());
            more = link.channel == channel && channel.ready() && channel.hasBytesBuffered();
        }
    }

    private void end(RawLink link) {
        if (link.channel != null) {
            ChannelState state = link.channel.state();
            boolean refused = state.state() == ChannelState.State.AUTHENTICATION_FAILED;
            close(link);
            ended(link, refused ? state.exception() : null);
        }
    }

    /**
     * Discards channel metadata. A registered cipher is the only sign that the TLS handshake of a link (null if not
     * observed) is complete.
     */
    record NoMetadataRegistry(@Nullable RawLink link) implements ChannelMetadataRegistry {
        static final NoMetadataRegistry INSTANCE = new NoMetadataRegistry(null);

        @Override
        public void registerCipherInformation(CipherInformation information) {
            if (link != null) {
                link.reached(LinkWatch.Stage.TLS);
            }
        }

        @Override
        public @Nullable CipherInformation cipherInformation() {
            return null;
        }

        @Override
        public void registerClientInformation(ClientInformation information) {}

        @Override
        public @Nullable ClientInformation clientInformation() {
            return null;
        }

        @Override
        public void close() {}
    }

    /**
     * Pool of off-heap response buffers, so that fetched data goes from the socket into reused memory. Used by one
     * thread.
     */
    private static final class BufferPool implements MemoryPool {
        private static final int SMALLEST_BITS = 9;
        /** Maximum idle memory in bytes; buffers beyond it are left to the garbage collector. */
        private static final long MAX_IDLE_BYTES = 128L << 20;

        /** Idle buffers by the bit length of their capacity, a power of two. */
        private final ArrayDeque<ByteBuffer>[] idle = newDeques();

        private long idleBytes;

        @SuppressWarnings({"unchecked", "rawtypes"})
        private static ArrayDeque<ByteBuffer>[] newDeques() {
            return Stream.generate(() -> new ArrayDeque<>(2))
                    .limit(Integer.SIZE)
                    .toArray(ArrayDeque[]::new);
        }

        @Override
        public ByteBuffer tryAllocate(int sizeBytes) {
            int bits = Math.max(SMALLEST_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, sizeBytes) - 1));
            if (bits > 30) {
                // No broker sends a response of this size.
                throw new IllegalArgumentException("a response claims " + sizeBytes + " bytes");
            }
            ByteBuffer buffer = idle[bits].poll();
            if (buffer == null) {
                buffer = ByteBuffer.allocateDirect(1 << bits);
            } else {
                idleBytes -= buffer.capacity();
            }
            return buffer.clear().limit(sizeBytes);
        }

        @Override
        public void release(ByteBuffer buffer) {
            if (buffer.isDirect() && idleBytes + buffer.capacity() <= MAX_IDLE_BYTES) {
                idleBytes += buffer.capacity();
                idle[Integer.numberOfTrailingZeros(buffer.capacity())].push(buffer);
            }
        }

        @Override
        public long size() {
            return Long.MAX_VALUE;
        }

        @Override
        public long availableMemory() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isOutOfMemory() {
            return false;
        }
    }
}
