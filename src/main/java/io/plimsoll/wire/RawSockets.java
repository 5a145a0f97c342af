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
 * Non-blocking I/O over the channels of Kafka's client, with their TLS and SASL. Kafka's selector needs about forty
 * objects and a dozen metric updates per request; this class needs two objects, and writes immediately if the socket
 * allows. Confined to one thread, except for {@link #wakeup()}.
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
    /** Connections established immediately, for which no selection event arrives. */
    private final ArrayDeque<RawLink> connectedAtOnce = new ArrayDeque<>();

    private final ArrayDeque<RawLink> broken = new ArrayDeque<>();
    /** @param bufferBytes socket buffers of both directions; −1 for the system default */
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
     * Starts to write the link's request; the rest is written when the socket allows. Completion can be reported
     * immediately, a failure only within {@link #poll}.
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

    /** Performs all possible I/O; waits up to the timeout if none is possible. */
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

    @SuppressWarnings("ReferenceEquality") // a link can have a new channel by now
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
            // Invalid data from the peer: close this connection.
            if (link.channel == channel) {
                end(link);
            }
        }
    }

    /** Continues connection setup and authentication. */
    @SuppressWarnings("ReferenceEquality") // a link can have a new channel by now
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
        // Deliver all of them before reading any later response.
        var held = channel.pollResponseReceivedDuringReauthentication();
        while (held.isPresent() && link.channel == channel) {
            network.received(link, held.get().payload());
            held = channel.pollResponseReceivedDuringReauthentication();
        }
        return link.channel == channel && channel.ready();
    }

    /**
     * Performs the possible steps of authentication. During reauthentication, responses to earlier requests arrive in
     * between, one per step; selection does not report data buffered above the socket (TLS).
     */
    private static void prepare(KafkaChannel channel) throws IOException {
        do {
            channel.prepare();
        } while (!channel.ready() && channel.hasBytesBuffered());
        if (channel.ready()) {
            channel.maybeAddWriteInterestAfterReauth();
        }
    }

    /** Reads until no complete response is left: selection does not report data buffered above the socket (TLS). */
    @SuppressWarnings("ReferenceEquality") // a link can have a new channel by now
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

    /** Ends a waiting {@link #poll}. Thread-safe. */
    void wakeup() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            // The process end releases its descriptors at the latest.
            selected.clear();
        }
        channels.close();
    }

    /**
     * Discards channel metadata, which only metrics use. A registered cipher is the only sign that the TLS handshake is
     * complete.
     *
     * @param link null if not observed
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
