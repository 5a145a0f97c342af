package io.plimsoll.testing;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

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
     * @param batch that it was acknowledged with: of one client, one poll of its network and one partition; negative if not known
     * @param ackedNanos when the client was about to tell of the acknowledgement, or of the record that was read; with a
     *     known batch, when it was about to tell of the first in it, since whoever measures may look at the clock once a batch
     * @param toldNanos by when it certainly had: when it was about to tell of the next
     */
    public record Entry(int thread, int index, long sentNanos, long batch, long ackedNanos, long toldNanos) {}

    /** In the order in which they were told, by one thread. */
    private static List<Entry> told(Queue<Entry> entries) {
        List<Entry> all = new ArrayList<>(entries);
        long next = System.nanoTime();
        for (int i = all.size() - 1; i >= 0; i--) {
            Entry e = all.get(i);
            if (i + 1 < all.size() && all.get(i + 1).ackedNanos() > e.ackedNanos()) {
                next = all.get(i + 1).ackedNanos();
            }
            all.set(i, new Entry(e.thread(), e.index(), e.sentNanos(), e.batch(), e.ackedNanos(), next));
        }
        for (int i = 1; i < all.size(); i++) {
            Entry before = all.get(i - 1);
            Entry e = all.get(i);
            if (e.batch() >= 0 && e.batch() == before.batch()) {
                long first = before.ackedNanos();
                all.set(i, new Entry(e.thread(), e.index(), e.sentNanos(), e.batch(), first, e.toldNanos()));
            }
        }
        return all;
    }

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
        List<Entry> told = told(Interceptor.ENTRIES);
        Entry[][] sorted = new Entry[threads][];
        for (int i = 0; i < threads; i++) {
            int thread = i;
            sorted[i] = told.stream()
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

    /**
     * Acknowledgement − due, of the schedule's numbers {@code from} to {@code to}, at which the window ends. What a thread
     * that fell too far behind never sent has waited from when it was due to that end.
     */
    public Between response(long from, long to) {
        List<Entry> all =
                new ArrayList<>(Arrays.stream(threads).flatMap(Arrays::stream).toList());
        Set<Long> sent = all.stream().map(this::number).collect(Collectors.toSet());
        long end = originNanos + sinceStart(to);
        LongStream.range(from, to).filter(number -> !sent.contains(number)).forEach(number -> {
            int thread = (int) (number % threads.length);
            all.add(new Entry(thread, (int) (number / threads.length), 0, -1, end, end));
        });
        return between(all, from, to);
    }

    /** When a consumer was given a record − due, of the same numbers, with {@link Reader}. */
    public Between endToEnd(long from, long to) {
        return between(told(Reader.ENTRIES), from, to);
    }

    private Between between(List<Entry> entries, long from, long to) {
        List<Entry> asked = entries.stream()
                .filter(e -> number(e) >= from && number(e) < to)
                .toList();
        return new Between(
                asked.stream()
                        .mapToLong(e -> e.ackedNanos() - dueNanos(e))
                        .sorted()
                        .toArray(),
                asked.stream()
                        .mapToLong(e -> e.toldNanos() - dueNanos(e))
                        .sorted()
                        .toArray());
    }

    /** Bounds of latencies, each sorted: a meter that is told between two looks of the witness reads between them. */
    public static final class Between {
        private final long[] least;
        private final long[] most;

        private Between(long[] least, long[] most) {
            this.least = least;
            this.most = most;
        }

        public int count() {
            return least.length;
        }

        public long leastMicros(double percent) {
            return percentileMicros(least, percent);
        }

        public long mostMicros(double percent) {
            return percentileMicros(most, percent);
        }
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

    /** To be set as {@code metric.reporters} beside the interceptor: it lets it know of the polls of each client's network. */
    public static final class Polls implements MetricsReporter {
        private static final Map<String, KafkaMetric> OF_CLIENTS = new ConcurrentHashMap<>();

        /** How many there were; negative if nobody tells. */
        static long of(String clientId) {
            KafkaMetric polls = OF_CLIENTS.get(clientId);
            return polls == null ? -1 : ((Number) polls.metricValue()).longValue();
        }

        @Override
        public void init(List<KafkaMetric> metrics) {
            metrics.forEach(this::metricChange);
        }

        @Override
        public void metricChange(KafkaMetric metric) {
            MetricName name = metric.metricName();
            if (name.name().equals("select-total") && name.group().equals("producer-metrics")) {
                OF_CLIENTS.put(name.tags().get("client-id"), metric);
            }
        }

        @Override
        public void metricRemoval(KafkaMetric metric) {
            OF_CLIENTS.values().remove(metric);
        }

        @Override
        public void close() {
            // Metrics are removed one by one.
        }

        @Override
        public void configure(Map<String, ?> configs) {
            // nothing to set
        }
    }

    /** To be set as {@code interceptor.classes}. There is one log a process: one run at a time may use it. */
    public static final class Interceptor implements ProducerInterceptor<byte[], byte[]> {
        private static final String HEADER = "send-log";
        private static final Queue<Entry> ENTRIES = new ConcurrentLinkedQueue<>();
        private static final ThreadLocal<int[]> SENT = ThreadLocal.withInitial(() -> new int[1]);
        private static final AtomicLong CLIENTS = new AtomicLong();

        private String clientId;
        private long client;

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
                long now = System.nanoTime();
                long poll = Polls.of(clientId);
                long batch = poll < 0 ? poll : (client << 48) + (poll << 16) + metadata.partition();
                ENTRIES.add(new Entry(header.getInt(), header.getInt(), header.getLong(), batch, now, 0));
            }
        }

        @Override
        public void close() {
            // the log outlives the client
        }

        @Override
        public void configure(Map<String, ?> configs) {
            clientId = String.valueOf(configs.get("client.id"));
            client = CLIENTS.incrementAndGet();
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
                ENTRIES.add(new Entry(header.getInt(), header.getInt(), header.getLong(), -1, now, 0));
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
