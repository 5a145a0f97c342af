package io.plimsoll.wire;

import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.network.ChannelState;
import org.apache.kafka.common.network.CipherInformation;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.KafkaChannel;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.utils.Utils;

/**
 * Moves bytes between connections and the channels of Kafka's client, which bring TLS and SASL with them. Kafka's own
 * selector does the same, with some forty objects and a dozen updates of metrics a request; here a request costs two
 * objects, and is written at once where the socket takes it. Owned by one thread, except for {@link #wakeup()}.
 */
final class RawSockets implements AutoCloseable {
    private static final Supplier<Long> NOW = System::nanoTime;

    private final Selector selector;
    private final ChannelBuilder channels;
    private final BufferPool responses;
    private final int bufferBytes;
    /** Receives events within {@link #poll}. */
    private final RawNetwork network;

    private final ArrayList<SelectionKey> selected = new ArrayList<>();
    private final Consumer<SelectionKey> select = selected::add;
    /** Connected without waiting, so that no selection tells of it. */
    private final ArrayDeque<RawLink> connectedAtOnce = new ArrayDeque<>();

    private final ArrayDeque<RawLink> broken = new ArrayDeque<>();
    /** @param bufferBytes of the sockets, both directions; −1 leaves them to the operating system */
    RawSockets(ChannelBuilder channels, BufferPool responses, int bufferBytes, RawNetwork network) {
        this.channels = channels;
        this.responses = responses;
        this.bufferBytes = bufferBytes;
        this.network = network;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector for the network: " + e.getMessage(), e);
        }
    }

    void connect(RawLink link) throws IOException {
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
        if (bufferBytes >= 0) {
            socket.setSendBufferSize(bufferBytes);
            socket.setReceiveBufferSize(Math.max(1, bufferBytes));
        }
    }

    /** Closes a connection without further events. */
    void close(RawLink link) {
        KafkaChannel channel = link.channel;
        link.channel = null;
        if (channel != null) {
            broken.remove(link);
            channel.selectionKey().cancel();
            Utils.closeQuietly(channel, "connection");
        }
    }

    /**
     * Starts writing the link's request; the socket takes the rest later. The request
     * may learn at once that it is written, but learns of a failure only within {@link #poll}.
     */
    void send(RawLink link) {
        link.channel.setSend(link.send);
        try {
            write(link, link.channel);
        } catch (PlimsollException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            broken.add(link);
        }
    }

    private void write(RawLink link, KafkaChannel channel) throws IOException {
        if (!channel.hasSend() || !channel.ready() || channel.maybeBeginClientReauthentication(NOW)) {
            return;
        }
        channel.write();
        if (channel.maybeCompleteSend() != null) {
            RawRequest request = link.writing;
            link.writing = null;
            request.onWritten();
        }
    }

    /** Performs pending I/O; waits up to the timeout without any. */
    void poll(long timeoutMillis) throws IOException {
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

    @SuppressWarnings("ReferenceEquality") // a link may have got a new channel meanwhile
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
            // Malformed input: close this connection.
            if (link.channel == channel) {
                end(link);
            }
        }
    }

    /** Continues connecting and authenticating. */
    @SuppressWarnings("ReferenceEquality") // a link may have got a new channel meanwhile
    private boolean ready(RawLink link, KafkaChannel channel) throws IOException {
        if (channel.state().state() == ChannelState.State.NOT_CONNECTED) {
            if (!channel.finishConnect()) {
                return false;
            }
            link.reached(LinkWatch.Stage.TCP);
        }
        if (!channel.ready()) {
            prepare(channel);
        }
        if (link.state == RawLink.State.CONNECTING && channel.ready()) {
            network.connected(link);
        }
        // All of them, before any that comes after them is read.
        var held = channel.pollResponseReceivedDuringReauthentication();
        while (held.isPresent() && link.channel == channel) {
            network.received(link, held.get().payload());
            held = channel.pollResponseReceivedDuringReauthentication();
        }
        return link.channel == channel && channel.ready();
    }

    /**
     * Takes the possible steps of a login. When a session is renewed, responses to earlier requests arrive among the login's
     * own, one per step; the selector does not report data buffered by TLS.
     */
    private static void prepare(KafkaChannel channel) throws IOException {
        do {
            channel.prepare();
        } while (!channel.ready() && channel.hasBytesBuffered());
        if (channel.ready()) {
            channel.maybeAddWriteInterestAfterReauth();
        }
    }

    /** Reads all complete responses: the selector does not report data buffered by TLS. */
    @SuppressWarnings("ReferenceEquality") // a link may have got a new channel meanwhile
    private void read(RawLink link, KafkaChannel channel) throws IOException {
        boolean more = channel.selectionKey().isReadable() || channel.hasBytesBuffered();
        while (more) {
            channel.read();
            NetworkReceive receive = channel.maybeCompleteReceive();
            if (receive == null) {
                return;
            }
            network.received(link, receive.payload());
            more = link.channel == channel && channel.ready() && channel.hasBytesBuffered();
        }
    }

    private void end(RawLink link) {
        if (link.channel != null) {
            ChannelState state = link.channel.state();
            boolean refused = state.state() == ChannelState.State.AUTHENTICATION_FAILED;
            close(link);
            network.ended(link, refused ? state.exception() : null);
        }
    }

    /** Any thread: ends a waiting {@link #poll}. */
    void wakeup() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            // Its descriptors end with the process at the latest.
            selected.clear();
        }
        channels.close();
    }

    /**
     * Ignores channel metadata, which only metrics would show. The presence of a cipher reveals that a
     * connection is encrypted from now on, which channels say nowhere else.
     *
     * @param link null without a watch
     */
    private record NoMetadataRegistry(RawLink link) implements ChannelMetadataRegistry {
        static final NoMetadataRegistry INSTANCE = new NoMetadataRegistry(null);

        @Override
        public void registerCipherInformation(CipherInformation information) {
            if (link != null) {
                link.reached(LinkWatch.Stage.TLS);
            }
        }

        @Override
        public CipherInformation cipherInformation() {
            return null;
        }

        @Override
        public void registerClientInformation(ClientInformation information) {}

        @Override
        public ClientInformation clientInformation() {
            return null;
        }

        @Override
        public void close() {}
    }
}
