package io.plimsoll.fleet;

import io.plimsoll.Daemon;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.load.ClientProperties.BorrowedBytesDeserializer;
import io.plimsoll.load.LoadContext;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.payload.Identity;
import io.plimsoll.payload.Stamp;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Samples records that this process has just written: twice a second, at the end of one partition after the other.
 * Their latency is measured with a single clock. A sample has only the records that arrive while its poll waits, as for
 * a consumer that keeps up. Runs in a separate thread.
 */
final class OwnRecords implements AutoCloseable {
    private static final long EVERY_MILLIS = 500;
    private static final Duration WAIT = Duration.ofMillis(250);
    private static final int LONGEST_WAIT_MILLIS = 2_000;
    private static final int MOST_BYTES = 65_536;

    private final LoadContext context;
    private final List<TopicPartition> partitions;
    private final TrialClock clock;
    private final Set<Integer> own;
    private final Histogram histogram = new Histogram(Latencies.DIGITS);
    private final CountDownLatch ended = new CountDownLatch(1);

    /**
     * Starts the sampling.
     * @param producers of the records to sample
     * @param partitions to which this process sends
     */
    OwnRecords(
            LoadContext context,
            List<ProducerProfile> producers,
            Collection<TopicPartition> partitions,
            TrialClock clock) {
        this.context = context;
        this.partitions = new ArrayList<>(partitions);
        this.clock = clock;
        this.own = producers.stream().map(ProducerProfile::id).collect(Collectors.toSet());
        Daemon.start("plimsoll-own-records", this::read);
    }

    private void read() {
        try (KafkaConsumer<ByteBuffer, ByteBuffer> consumer =
                new KafkaConsumer<>(properties(), new BorrowedBytesDeserializer(), new BorrowedBytesDeserializer())) {
            for (int at = 0; !ended.await(EVERY_MILLIS, TimeUnit.MILLISECONDS); at++) {
                look(consumer, partitions.get(at % partitions.size()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (KafkaException e) {
            // The sample is missing; the trial's own clients report the cause.
        }
    }

    private void look(KafkaConsumer<ByteBuffer, ByteBuffer> consumer, TopicPartition partition) {
        try {
            consumer.assign(List.of(partition));
            consumer.seekToEnd(List.of(partition));
            consumer.position(partition);
            take(consumer.poll(WAIT));
        } catch (TimeoutException e) {
            // The next sample can succeed.
        }
    }

    private void take(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
        long now = System.nanoTime();
        for (ConsumerRecord<ByteBuffer, ByteBuffer> record : records) {
            ByteBuffer value = record.value();
            if (Stamp.isOurs(value, context.runId())
                    && value.remaining() >= Identity.BYTES
                    && own.contains(Identity.producer(value, value.position()))) {
                long intended = Stamp.intendedEpochNanos(value) - clock.epochOffsetNanos();
                if (clock.measured(intended)) {
                    synchronized (this) {
                        histogram.recordValue(Math.max(0, now - intended) / 1000);
                    }
                }
            }
        }
    }

    private Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>(context.clientProperties());
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, context.runTag() + "-own");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, MOST_BYTES);
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, LONGEST_WAIT_MILLIS);
        return properties;
    }

    /** Ends the sampling, but does not wait for the last sample. */
    @Override
    public void close() {
        ended.countDown();
    }

    public synchronized Latencies seen() {
        return Latencies.of(histogram);
    }
}
