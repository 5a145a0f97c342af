package io.plimsoll.testing;

import io.plimsoll.load.DueTimes;
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
import java.util.stream.IntStream;
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
 * Ground truth for the meters: actual send and acknowledgment times of each record, captured within the client, and
 * due times computed independently from the schedule.
 */
public final class SendLog {
    private final Entry[][] threads;
    private final double ratePerSecond;
    private final long originNanos;
    private static final long IDLE_NANOS = 5_000_000;
    private static final long ON_TIME_NANOS = 1_000_000;
    private static final int ON_TIME = 5;

    /** A planted interval without traffic (nanoTime), as logged by its source. */
    public record Stall(long fromNanos, long toNanos) {}

    /**
     * @param thread number of the sending thread
     * @param index number of records sent before by the thread
     * @param batch acknowledgment batch: one client, one network poll, one partition; negative if unknown
     * @param ackedNanos time before the callback of the acknowledgment or the delivery of the read record; with a known
     *     batch, of its first record, since a meter can read the clock once per batch
     * @param toldNanos upper bound: time before the next callback
     */
    public record Entry(int thread, int index, long sentNanos, long batch, long ackedNanos, long toldNanos) {}

    /** Entries of one thread in callback order. */
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
        // No record is sent early, and some of many are sent on time: this determines the schedule's origin.
        this.originNanos = Arrays.stream(threads)
                .flatMap(Arrays::stream)
                .mapToLong(e -> e.sentNanos() - sinceStart(e))
                .min()
                .orElseThrow();
    }

    /** Records acknowledged since {@link Interceptor#clear()}, for threads that share a constant rate in turn. */
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

    /** Entries of each thread in send order. */
    public Entry[][] threads() {
        return threads;
    }

    /** The due time (nanoTime). */
    public long dueNanos(Entry entry) {
        return originNanos + sinceStart(entry);
    }

    /**
     * Whether threads that wait for each acknowledgment sent enough records on time to know the origin of the schedule:
     * several idle threads woke up within a millisecond of it. On a host that wakes each of them late, the earliest of a
     * few records says little.
     */
    public boolean wasOnTime() {
        return Arrays.stream(threads)
                        .flatMapToLong(entries -> IntStream.range(1, entries.length)
                                .filter(i -> entries[i].sentNanos() - entries[i - 1].ackedNanos() > IDLE_NANOS)
                                .mapToLong(i -> entries[i].sentNanos() - dueNanos(entries[i])))
                        .filter(late -> late < ON_TIME_NANOS)
                        .count()
                >= ON_TIME;
    }

    /**
     * Acknowledgment − due time for schedule numbers {@code from} to {@code to}, where the window ends. Unsent records
     * of a lagging thread have waited from their due time to the end of the time to catch up.
     */
    public Between response(long from, long to) {
        List<Entry> all =
                new ArrayList<>(Arrays.stream(threads).flatMap(Arrays::stream).toList());
        Set<Long> sent = all.stream().map(this::number).collect(Collectors.toSet());
        long end = originNanos + sinceStart(to) + DueTimes.CATCH_UP_NANOS;
        LongStream.range(from, to).filter(number -> !sent.contains(number)).forEach(number -> {
            int thread = (int) (number % threads.length);
            all.add(new Entry(thread, (int) (number / threads.length), 0, -1, end, end));
        });
        return between(all, from, to);
    }

    /** Consumer delivery − due time for the same numbers, with {@link Reader}. */
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

    /** Sorted bounds of latencies: a meter that reads the clock between two observations is within them. */
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

    /** Sorted lower bounds of response times for the same numbers: a record due in a stall is acknowledged after it. */
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

    /** Percentile of sorted values, in microseconds. */
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

    /** Set as {@code metric.reporters} beside the interceptor; tracks the network polls of each client. */
    public static final class Polls implements MetricsReporter {
        private static final Map<String, KafkaMetric> OF_CLIENTS = new ConcurrentHashMap<>();

        /** Number of polls; negative if unknown. */
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
            // no settings
        }
    }

    /** Set as {@code interceptor.classes}. The log is per process: one run at a time. */
    public static final class Interceptor implements ProducerInterceptor<byte[], byte[]> {
        private static final String HEADER = "send-log";
        private static final Queue<Entry> ENTRIES = new ConcurrentLinkedQueue<>();
        private static final ThreadLocal<int[]> SENT = ThreadLocal.withInitial(() -> new int[1]);
        private static final AtomicLong CLIENTS = new AtomicLong();

        private String clientId;
        private long client;

        /** Clears the log. */
        public static void clear() {
            ENTRIES.clear();
            Reader.ENTRIES.clear();
        }

        /** Number of acknowledged records. */
        public static int acknowledged() {
            return ENTRIES.size();
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

    /** Set as {@code interceptor.classes} of consumers, for records sent with {@link Interceptor}. */
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
            // only deliveries count
        }

        @Override
        public void close() {
            // the log outlives the client
        }

        @Override
        public void configure(Map<String, ?> configs) {
            // no settings
        }
    }
}
