package io.plimsoll.observe.host;

import io.plimsoll.Daemon;
import io.plimsoll.text.Sentence;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** Measures TCP throughput on the loopback interface: the upper limit of a load generator next to its broker. */
record LoopbackMeasurements(long budgetNanos) {
    private static final int[] WRITE_KIBIBYTES = {64, 1024};
    private static final int READ_BYTES = 1 << 20;
    private static final long JOIN_MILLIS = 5_000;
    private static final int WARMUP_PART = 5;

    void run(Consumer<Measurement> measured) {
        for (int kibibytes : WRITE_KIBIBYTES) {
            stream(kibibytes, measured);
        }
        String name = "loopback.roundTrip";
        Sentence how = Sentence.of("observe.how.echo");
        try {
            roundTrip().measurements(name, "round trip", how).forEach(measured);
        } catch (IOException e) {
            measured.accept(Measurement.notMeasured(name, Measurement.MICROSECONDS, ScratchFile.reason(e), how));
        }
    }

    /** One stream of large writes alone. */
    void stream(Consumer<Measurement> measured) {
        stream(WRITE_KIBIBYTES[WRITE_KIBIBYTES.length - 1], measured);
    }

    private void stream(int kibibytes, Consumer<Measurement> measured) {
        String name = "loopback.stream." + (kibibytes < 1024 ? kibibytes + "k" : kibibytes / 1024 + "m");
        Sentence how = Sentence.of("observe.how.stream");
        try {
            measured.accept(stream(name, kibibytes << 10, how));
        } catch (IOException e) {
            measured.accept(
                    Measurement.notMeasured(name, Measurement.MEGABYTES_PER_SECOND, ScratchFile.reason(e), how));
        }
    }

    private Measurement stream(String name, int writeBytes, Sentence how) throws IOException {
        try (Pair pair = Pair.open("plimsoll-loopback-reader", LoopbackMeasurements::drain)) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(writeBytes);
            write(pair.near, bytes, budgetNanos / WARMUP_PART);
            long start = System.nanoTime();
            long written = write(pair.near, bytes, budgetNanos);
            return Measurement.throughput(name, written, System.nanoTime() - start, how);
        }
    }

    private static long write(SocketChannel channel, ByteBuffer bytes, long nanos) throws IOException {
        long start = System.nanoTime();
        long written = 0;
        do {
            bytes.clear();
            while (bytes.hasRemaining()) {
                written += channel.write(bytes);
            }
        } while (System.nanoTime() - start < nanos);
        return written;
    }

    private CallTimes roundTrip() throws IOException {
        try (Pair pair = Pair.open("plimsoll-loopback-echo", LoopbackMeasurements::echo)) {
            CallTimes times = new CallTimes();
            ByteBuffer bytes = ByteBuffer.allocateDirect(1);
            long warmupNanos = budgetNanos / WARMUP_PART;
            long start = System.nanoTime();
            // On a host that is full the first may take all of the time.
            for (long now = start; now - start < warmupNanos + budgetNanos || times.count() == 0; ) {
                pair.near.write(bytes.clear());
                if (pair.near.read(bytes.clear()) < 0) {
                    throw new EOFException("the other end closed the connection");
                }
                long after = System.nanoTime();
                if (now - start >= warmupNanos) {
                    times.record(after - now);
                }
                now = after;
            }
            return times;
        }
    }

    private static void drain(SocketChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(READ_BYTES);
        while (channel.read(bytes.clear()) >= 0) {
            // Only the rate matters, not the content.
        }
    }

    private static void echo(SocketChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(1);
        while (channel.read(bytes.clear()) >= 0) {
            bytes.flip();
            channel.write(bytes);
        }
    }

    private interface Serving {
        void serve(SocketChannel channel) throws IOException;
    }

    /** Two ends of a connection; the far one is served by a thread, which ends when the near one is closed. */
    private record Pair(SocketChannel near, Thread server) implements AutoCloseable {

        static Pair open(String threadName, Serving serving) throws IOException {
            try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                listener.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
                SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                near.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SocketChannel far = listener.accept();
                far.setOption(StandardSocketOptions.TCP_NODELAY, true);
                Thread server = Daemon.start(threadName, () -> serve(far, serving));
                return new Pair(near, server);
            }
        }

        private static void serve(SocketChannel far, Serving serving) {
            try (far) {
                serving.serve(far);
            } catch (IOException e) {
                // Closing the far end, as happens now, is how the near end learns of it.
            }
        }

        @Override
        public void close() throws IOException {
            near.close();
            Daemon.join(server, JOIN_MILLIS);
        }
    }
}
