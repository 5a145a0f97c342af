import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * The minimal work of a load generator in Java, without Kafka. Stamps 16 bytes into each record of a batch that was encoded
 * in advance, computes the CRC-32C of the batch, and writes it to a loopback socket. Another thread reads and discards the
 * bytes. Load generators are compared with this upper bound.
 *
 * <p>{@code java BareLoop.java RECORD_BYTES BATCH_BYTES SECONDS} prints one line of JSON. CPU time is measured for the
 * writing thread alone.
 */
public final class BareLoop {
    /** Kafka's batch format: header size, position of the CRC, first byte it covers, and overhead of a record of 100 B. */
    private static final int HEADER_BYTES = 61;

    private static final int CRC_AT = 17;
    private static final int CRC_FROM = 21;
    private static final int RECORD_OVERHEAD_BYTES = 8;
    private static final int BATCHES = 64;
    private static final int READ_BYTES = 1 << 18;
    private static final long WARMUP_NANOS = 2_000_000_000L;

    private final int recordBytes;
    private final int records;
    private final ByteBuffer[] batches = new ByteBuffer[BATCHES];
    private final CRC32C crc = new CRC32C();
    private long sequence;

    private BareLoop(int recordBytes, int batchBytes) {
        this.recordBytes = recordBytes;
        this.records = Math.max(1, (batchBytes - HEADER_BYTES) / (recordBytes + RECORD_OVERHEAD_BYTES));
        Random random = new Random(1);
        byte[] bytes = new byte[HEADER_BYTES + records * (recordBytes + RECORD_OVERHEAD_BYTES)];
        for (int i = 0; i < BATCHES; i++) {
            random.nextBytes(bytes);
            batches[i] = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        }
    }

    public static void main(String[] arguments) throws IOException {
        int recordBytes = Integer.parseInt(arguments[0]);
        int batchBytes = Integer.parseInt(arguments[1]);
        long nanos = (long) (Double.parseDouble(arguments[2]) * 1e9);
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
            try (SocketChannel near = SocketChannel.open(listener.getLocalAddress())) {
                near.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SocketChannel far = listener.accept();
                Thread reader = new Thread(() -> drain(far), "bare-loop-reader");
                reader.setDaemon(true);
                reader.start();
                BareLoop loop = new BareLoop(recordBytes, batchBytes);
                loop.write(near, WARMUP_NANOS);
                loop.measure(near, nanos);
            }
        }
    }

    private static void drain(SocketChannel far) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(READ_BYTES);
        try (far) {
            while (far.read(bytes.clear()) >= 0) {
                // Only the throughput matters.
            }
        } catch (IOException e) {
            // The writer has finished and closed its end.
        }
    }

    private void measure(SocketChannel near, long nanos) throws IOException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long cpu = threads.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        long written = write(near, nanos);
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpu) / 1e9;
        System.out.printf(
                java.util.Locale.ROOT,
                "{\"recordBytes\": %d, \"recordsPerSecond\": %.0f, \"recordsPerCpuSecond\": %.0f, \"bytesPerCpuSecond\": %.0f}%n",
                recordBytes,
                written / seconds,
                written / cpuSeconds,
                written * (double) recordBytes / cpuSeconds);
    }

    /** @return the number of records written */
    private long write(SocketChannel near, long nanos) throws IOException {
        long start = System.nanoTime();
        long written = 0;
        for (int i = 0; System.nanoTime() - start < nanos; i = (i + 1) % BATCHES) {
            ByteBuffer batch = batches[i].clear();
            stamp(batch);
            while (batch.hasRemaining()) {
                near.write(batch);
            }
            written += records;
        }
        return written;
    }

    private void stamp(ByteBuffer batch) {
        long now = System.nanoTime();
        int at = HEADER_BYTES + RECORD_OVERHEAD_BYTES;
        for (int i = 0; i < records; i++) {
            batch.putLong(at, now).putLong(at + 8, sequence++);
            at += recordBytes + RECORD_OVERHEAD_BYTES;
        }
        crc.reset();
        crc.update(batch.position(CRC_FROM));
        batch.putInt(CRC_AT, (int) crc.getValue()).position(0);
    }
}
