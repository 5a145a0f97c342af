package io.plimsoll.load.raw;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.payload.Stamp;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** CPU nanoseconds per record of reading fetched batches that are in the cache; not a test. */
final class BatchReaderBenchmark {
    private static final java.lang.management.ThreadMXBean THREADS =
            java.lang.management.ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 8;
    private static final long RECORDS_PER_ROUND = 30_000_000;

    private BatchReaderBenchmark() {}

    public static void main(String[] args) {
        for (int batchBytes : new int[] {16_384, 1_000_000}) {
            for (EndToEndSource source : new EndToEndSource[] {EndToEndSource.NONE, EndToEndSource.STAMP}) {
                for (boolean crcs : new boolean[] {false, true}) {
                    double nanos = measure(batchBytes, source, crcs);
                    System.out.printf(
                            "%8d B a batch, times %s, crc %b: %.2f ns/record%n", batchBytes, source, crcs, nanos);
                }
            }
        }
    }

    private static double measure(int batchBytes, EndToEndSource source, boolean crcs) {
        SimpleRecord[] records = new SimpleRecord[batchBytes / 110];
        for (int i = 0; i < records.length; i++) {
            byte[] value = new byte[100];
            Stamp.write(value, 1, i);
            records[i] = new SimpleRecord(1_700_000_000_000L, null, value);
        }
        ByteBuffer heap = MemoryRecords.withRecords((byte) 2, 0, Compression.NONE, TimestampType.CREATE_TIME, records)
                .buffer();
        ByteBuffer data = ByteBuffer.allocateDirect(heap.remaining()).put(heap).flip();
        BatchReader reader = new BatchReader(crcs, source, 1);
        long[] sums = new long[2];
        BatchReader.Sink sink = new BatchReader.Sink() {
            @Override
            public int claim(int count) {
                return count;
            }

            @Override
            public void onRecords(int count, long bytes, boolean compressed) {
                sums[0] += count;
            }

            @Override
            public void onLatency(long fromEpochNanos, int count) {
                sums[1] += fromEpochNanos;
            }

            @Override
            public void damaged(String kind) {
                throw new IllegalStateException(kind);
            }
        };
        double best = Double.MAX_VALUE;
        for (int r = 0; r < ROUNDS; r++) {
            long start = THREADS.getCurrentThreadCpuTime();
            long before = sums[0];
            while (sums[0] - before < RECORDS_PER_ROUND) {
                reader.read(data, 0, data.limit(), 0, null, sink);
            }
            best = Math.min(best, (THREADS.getCurrentThreadCpuTime() - start) / (double) (sums[0] - before));
        }
        return best;
    }
}
