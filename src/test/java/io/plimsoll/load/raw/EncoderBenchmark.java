package io.plimsoll.load.raw;

import com.sun.management.ThreadMXBean;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.wire.BatchLayout;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.zip.CRC32C;

/**
 * CPU of the encoder in nanoseconds per record, compared with a bare loop that stamps 16 bytes into each record and
 * computes the CRC-32C of the batch. Medians of alternating rounds over 64 buffers. {@code java -cp
 * target/test-classes:target/classes:target/lib/* io.plimsoll.load.raw.EncoderBenchmark}
 */
public final class EncoderBenchmark {
    private static final int ROUNDS = 9;
    private static final long BYTES_PER_ROUND = 2_000_000_000;
    private static final int BUFFERS = TemplateRing.TEMPLATES;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @SuppressWarnings("UnusedVariable") // so that the compiler leaves nothing out
    private static long sink;

    private EncoderBenchmark() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        for (int batchBytes : new int[] {16_384, 1_000_000}) {
            for (int valueBytes : new int[] {100, 1000}) {
                compare(valueBytes, batchBytes);
            }
        }
        for (int batchBytes : new int[] {16_384, 1_000_000}) {
            sendHeapAndDirect(batchBytes);
        }
    }

    private static void compare(int valueBytes, int batchBytes) {
        TemplateRing ring = ring(valueBytes, batchBytes);
        int records = ring.maxRecords();
        BatchTemplate first = ring.acquire(records);
        int size = first.sizeBytes();
        ring.release(first);
        int stride = (size - BatchLayout.RECORDS) / records;
        ByteBuffer[] bare = new ByteBuffer[BUFFERS];
        Arrays.setAll(bare, i -> ByteBuffer.allocateDirect(size));
        CRC32C crc = new CRC32C();
        long[] due = new long[records];
        IntConsumer bareBatch = i -> bare(bare[i % BUFFERS], records, stride, i, crc);
        IntConsumer ourBatch = i -> {
            BatchTemplate template = ring.acquire(records);
            template.timestamp(i);
            template.stamp(1, (long) i * records, due, 0, i);
            sink += template.bytes().getInt(BatchLayout.CRC);
            ring.release(template);
        };
        int batches = (int) (BYTES_PER_ROUND / size);
        double[] bareNanos = new double[ROUNDS];
        double[] ourNanos = new double[ROUNDS];
        for (int round = -2; round < ROUNDS; round++) {
            double bareRound = cpuNanos(batches, bareBatch) / ((double) batches * records);
            double ourRound = cpuNanos(batches, ourBatch) / ((double) batches * records);
            if (round >= 0) {
                bareNanos[round] = bareRound;
                ourNanos[round] = ourRound;
            }
        }
        print(
                "value=%dB batch=%dB records=%d bare=%.2fns encoder=%.2fns share=%.0f%%",
                valueBytes,
                size,
                records,
                median(bareNanos),
                median(ourNanos),
                100 * median(bareNanos) / median(ourNanos));
    }

    private static void bare(ByteBuffer to, int records, int stride, long number, CRC32C crc) {
        int at = BatchLayout.RECORDS + 9;
        for (int i = 0; i < records; i++) {
            to.putLong(at, number);
            to.putLong(at + 8, number + i);
            at += stride;
        }
        crc.reset();
        to.position(BatchLayout.CRC_COUNTS_FROM);
        crc.update(to);
        sink += crc.getValue();
    }

    private static void sendHeapAndDirect(int batchBytes) throws IOException, InterruptedException {
        ByteBuffer[] heap = new ByteBuffer[BUFFERS];
        ByteBuffer[] direct = new ByteBuffer[BUFFERS];
        Arrays.setAll(heap, i -> ByteBuffer.allocate(batchBytes));
        Arrays.setAll(direct, i -> ByteBuffer.allocateDirect(batchBytes));
        double[] heapNanos = new double[ROUNDS];
        double[] directNanos = new double[ROUNDS];
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel out = SocketChannel.open(server.getLocalAddress())) {
            Thread reader = new Thread(() -> swallow(server));
            reader.setDaemon(true);
            reader.start();
            int batches = (int) (BYTES_PER_ROUND / 4 / batchBytes);
            for (int round = -1; round < ROUNDS; round++) {
                double heapRound = cpuNanos(batches, i -> send(out, heap[i % BUFFERS])) / batches;
                double directRound = cpuNanos(batches, i -> send(out, direct[i % BUFFERS])) / batches;
                if (round >= 0) {
                    heapNanos[round] = heapRound;
                    directNanos[round] = directRound;
                }
            }
        }
        print("send batch=%dB heap=%.0fns direct=%.0fns", batchBytes, median(heapNanos), median(directNanos));
    }

    private static void send(SocketChannel out, ByteBuffer batch) {
        try {
            batch.clear();
            while (batch.hasRemaining()) {
                out.write(batch);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void swallow(ServerSocketChannel server) {
        ByteBuffer into = ByteBuffer.allocateDirect(1 << 20);
        try (SocketChannel in = server.accept()) {
            while (in.read(into.clear()) >= 0) {
                sink++;
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static TemplateRing ring(int valueBytes, int batchBytes) {
        RecordSpec record = RecordSpec.DEFAULT.with(RecordSpec.SIZE, new RecordSpec.Sizes(valueBytes));
        RecordGenerator generator =
                RecordGenerator.of(record, 7, 0, 1, 42, PayloadSource.load(record, 7), RecordGenerator.NO_PRODUCER);
        return new TemplateRing(generator, generator::nextKey, 42, 0, Encoding.plain(batchBytes), 128_000_000);
    }

    private static double cpuNanos(int times, IntConsumer work) {
        long before = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < times; i++) {
            work.accept(i);
        }
        return THREADS.getCurrentThreadCpuTime() - before;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private static void print(String format, Object... args) {
        System.out.println(String.format(Locale.ROOT, format, args));
    }
}
