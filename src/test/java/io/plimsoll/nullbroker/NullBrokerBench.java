package io.plimsoll.nullbroker;

import io.plimsoll.nullbroker.NullBroker.NullBrokerStats;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * Cost of the null broker: a blocking client sends the same encoded produce request repeatedly, five in flight, first
 * to a bare sink that reads the socket and returns the same number of bytes, then to the null broker. Arguments: batch
 * kilobytes and seconds, for example {@code 16 5}.
 */
final class NullBrokerBench {
    private static final int IN_FLIGHT = 5;
    private static final int RECORD_BYTES = 100;

    private NullBrokerBench() {}

    public static void main(String[] args) throws Exception {
        int batchBytes = Integer.parseInt(args[0]) << 10;
        double seconds = Double.parseDouble(args[1]);
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 3;
        MemoryRecords batch = PlainProduceRequest.batch((batchBytes - 61) / (RECORD_BYTES + 9), RECORD_BYTES);
        ByteBuffer heap = PlainProduceRequest.of("bench", null, batch, (short) 12, (short) 1, 7);
        ByteBuffer frame = ByteBuffer.allocateDirect(heap.remaining()).put(heap).flip();
        for (int round = 0; round < rounds; round++) {
            sink(frame, seconds);
            broker(frame, seconds);
        }
    }

    private static void sink(ByteBuffer frame, double seconds) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            long[] cpu = new long[1];
            Thread thread = new Thread(() -> cpu[0] = drain(server, frame.remaining()));
            thread.start();
            Client client = new Client(server.getLocalPort());
            client.run(frame, seconds, 60);
            client.channel.close();
            thread.join(10_000);
            print("bare sink  ", client, frame, cpu[0]);
        }
    }

    /** Reads from a socket as fast as possible, answers each frame with 60 bytes. */
    private static long drain(ServerSocket server, int frameBytes) {
        try (var socket = server.accept();
                var in = socket.getInputStream();
                var out = socket.getOutputStream()) {
            byte[] buffer = new byte[1 << 18];
            byte[] answer = new byte[60];
            long pending = 0;
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                pending += n;
                for (; pending >= frameBytes; pending -= frameBytes) {
                    out.write(answer);
                }
            }
        } catch (IOException e) {
            // the client has disconnected
        }
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void broker(ByteBuffer frame, double seconds) throws Exception {
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions().topic("bench", 1))) {
            Client client = new Client(broker.port());
            client.run(frame, seconds, 0);
            client.channel.close();
            NullBrokerStats stats = broker.stats();
            if (stats.produced().requests() != client.requests
                    || stats.produced().refusedBatches() > 0) {
                throw new IllegalStateException("sent " + client.requests + ", " + stats);
            }
            print("null broker", client, frame, stats.cpuNanos());
        }
    }

    private static void print(String who, Client client, ByteBuffer frame, long cpuNanos) {
        double megabytes = client.requests * (double) frame.remaining() / 1e6;
        System.out.printf(
                Locale.ROOT,
                "%s  %8.0f MB/s  %8.0f requests/s   server %6.1f us CPU per MB (%5.2f us per request)  client %6.1f us"
                        + " per MB%n",
                who,
                megabytes / client.seconds,
                client.requests / client.seconds,
                cpuNanos / 1e3 / megabytes,
                cpuNanos / 1e3 / client.requests,
                client.cpuNanos / 1e3 / megabytes);
    }

    private static final class Client {
        final SocketChannel channel;
        final ByteBuffer in = ByteBuffer.allocateDirect(1 << 16);
        long requests;
        double seconds;
        long cpuNanos;

        Client(int port) throws IOException {
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.socket().setTcpNoDelay(true);
        }

        /** @param answerBytes size of every answer; 0: as stated in its first four bytes */
        void run(ByteBuffer frame, double wanted, int answerBytes) throws IOException {
            long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            long start = System.nanoTime();
            long end = start + (long) (wanted * TimeUnit.SECONDS.toNanos(1));
            int size = answerBytes;
            long answered = 0;
            while (System.nanoTime() < end || answered < requests) {
                while (requests - answered < IN_FLIGHT && System.nanoTime() < end) {
                    ByteBuffer copy = frame.duplicate();
                    while (copy.hasRemaining()) {
                        channel.write(copy);
                    }
                    requests++;
                }
                if (answered < requests) {
                    if (channel.read(in) < 0) {
                        throw new IOException("the server has closed the connection");
                    }
                    in.flip();
                    if (size == 0 && in.remaining() >= 4) {
                        size = 4 + in.getInt(0);
                    }
                    while (size > 0 && in.remaining() >= size) {
                        in.position(in.position() + size);
                        answered++;
                    }
                    in.compact();
                }
            }
            seconds = (System.nanoTime() - start) / 1e9;
            cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
        }
    }
}
