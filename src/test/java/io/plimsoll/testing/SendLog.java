package io.plimsoll.testing;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/**
 * A witness beside the meters: when each record was really handed to the client and really acknowledged, noted inside
 * the client, and when the schedule says it was due, from the schedule's arithmetic alone.
 */
public final class SendLog {
    private final Entry[][] threads;
    private final double ratePerSecond;
    private final long originNanos;

    /** From when to when nothing passed, in nanoTime, as who planted it has written it down. */
    public record Stall(long fromNanos, long toNanos) {}

    /**
     * @param thread number of the sending thread
     * @param index how many records the thread had sent before
     */
    public record Entry(int thread, int index, long sentNanos, long ackedNanos) {}

    private SendLog(Entry[][] threads, double ratePerSecond) {
        this.threads = threads;
        this.ratePerSecond = ratePerSecond;
        // No record leaves before it is due, and of so many some leave at once: that is where the schedule began.
        this.originNanos = Arrays.stream(threads)
                .flatMap(Arrays::stream)
                .mapToLong(e -> e.sentNanos() - sinceStart(e))
                .min()
                .orElseThrow();
    }

    /** Of what was acknowledged since {@link Interceptor#clear()}: threads that share a constant rate in turn. */
    public static SendLog of(int threads, double ratePerSecond) {
        Entry[][] sorted = new Entry[threads][];
        for (int i = 0; i < threads; i++) {
            int thread = i;
            sorted[i] = Interceptor.ENTRIES.stream()
                    .filter(e -> e.thread() == thread)
                    .sorted(Comparator.comparingInt(Entry::index))
                    .toArray(Entry[]::new);
        }
        return new SendLog(sorted, ratePerSecond);
    }

    /** Of each thread, in the order in which it sent. */
    public Entry[][] threads() {
        return threads;
    }

    /** In nanoTime. */
    public long dueNanos(Entry entry) {
        return originNanos + sinceStart(entry);
    }

    /** Sorted: acknowledgement − due, of the schedule's numbers {@code from} to {@code to}. */
    public long[] responseNanos(long from, long to) {
        return Arrays.stream(threads)
                .flatMap(Arrays::stream)
                .filter(e -> number(e) >= from && number(e) < to)
                .mapToLong(e -> e.ackedNanos() - dueNanos(e))
                .sorted()
                .toArray();
    }

    /** Sorted: what responses took at least, of the same numbers: what is due in a stall is answered behind it. */
    public long[] leastResponseNanos(List<Stall> stalls, long from, long to) {
        return LongStream.range(from, to)
                .map(number -> originNanos + sinceStart(number))
                .map(due -> stalls.stream()
                        .filter(s -> s.fromNanos() <= due && due < s.toNanos())
                        .mapToLong(s -> s.toNanos() - due)
                        .max()
                        .orElse(0))
                .sorted()
                .toArray();
    }

    /** Sorted: when a consumer was given a record − due, of the same numbers, with {@link Reader}. */
    public long[] endToEndNanos(long from, long to) {
        return Reader.ENTRIES.stream()
                .filter(e -> number(e) >= from && number(e) < to)
                .mapToLong(e -> e.ackedNanos() - dueNanos(e))
                .sorted()
                .toArray();
    }

    /** The value that this percentage of sorted values do not exceed, in microseconds. */
    public static long percentileMicros(long[] sortedNanos, double percent) {
        return sortedNanos[(int) Math.ceil(percent / 100 * sortedNanos.length) - 1] / 1000;
    }

    private long number(Entry entry) {
        return entry.thread() + (long) entry.index() * threads.length;
    }

    private long sinceStart(Entry entry) {
        return sinceStart(number(entry));
    }

    private long sinceStart(long number) {
        return Math.round(number * 1e9 / ratePerSecond);
    }

    /** To be set as {@code interceptor.classes}. There is one log a process: one run at a time may use it. */
    public static final class Interceptor implements ProducerInterceptor<byte[], byte[]> {
        private static final String HEADER = "send-log";
        private static final Queue<Entry> ENTRIES = new ConcurrentLinkedQueue<>();
        private static final ThreadLocal<int[]> SENT = ThreadLocal.withInitial(() -> new int[1]);

        /** Forgets everything. */
        public static void clear() {
            ENTRIES.clear();
            Reader.ENTRIES.clear();
        }

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            String name = Thread.currentThread().getName();
            int thread = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
            ByteBuffer header = ByteBuffer.allocate(16);
            header.putInt(thread).putInt(SENT.get()[0]++).putLong(System.nanoTime());
            record.headers().add(HEADER, header.array());
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception, Headers headers) {
            if (exception == null) {
                ByteBuffer header = ByteBuffer.wrap(headers.lastHeader(HEADER).value());
                ENTRIES.add(new Entry(header.getInt(), header.getInt(), header.getLong(), System.nanoTime()));
            }
        }

        @Override
        public void close() {
            // the log outlives the client
        }

        @Override
        public void configure(Map<String, ?> configs) {
            // nothing to set
        }
    }

    /** To be set as {@code interceptor.classes} of consumers, for what was sent with {@link Interceptor}. */
    public static final class Reader implements ConsumerInterceptor<Object, Object> {
        private static final Queue<Entry> ENTRIES = new ConcurrentLinkedQueue<>();

        @Override
        public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
            long now = System.nanoTime();
            for (ConsumerRecord<Object, Object> record : records) {
                ByteBuffer header = ByteBuffer.wrap(
                        record.headers().lastHeader(Interceptor.HEADER).value());
                ENTRIES.add(new Entry(header.getInt(), header.getInt(), header.getLong(), now));
            }
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
            // reading is what counts
        }

        @Override
        public void close() {
            // the log outlives the client
        }

        @Override
        public void configure(Map<String, ?> configs) {
            // nothing to set
        }
    }
}
