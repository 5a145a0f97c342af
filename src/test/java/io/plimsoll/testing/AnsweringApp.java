package io.plimsoll.testing;

import io.plimsoll.measure.TrialClock.WallClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An external application that answers each record of a topic on another topic after a fixed delay, drops every n-th
 * answer, and duplicates every n-th. It logs when it answered and when its reader saw the answers, by record position;
 * times are nanoseconds since 1970.
 */
public final class AnsweringApp implements AutoCloseable {
    /** Planned behavior; records count from 1. */
    public record Habits(Duration delay, int dropEach, int doubleEach, int stallAt, Duration stall) {}

    private record Due(ConsumerRecord<byte[], byte[]> record, long readyNanos, int copies) {}

    private static final String OF = "of";

    private final String results;
    private final Habits habits;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaConsumer<byte[], byte[]> reader;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Thread> threads;
    private final long epochOffset = WallClock.epochOffsetNanos();
    private volatile boolean stopped;
    /** Values of received records by position. */
    public final Map<String, byte[]> taken = new ConcurrentHashMap<>();
    /** Time of the first answer. */
    public final Map<String, Long> answered = new ConcurrentHashMap<>();
    /** Time at which the answer was readable. */
    public final Map<String, Long> readable = new ConcurrentHashMap<>();

    public AnsweringApp(String bootstrapServers, String topic, String results, Habits habits) {
        this.results = results;
        this.habits = habits;
        this.consumer = atEnd(bootstrapServers, topic);
        this.reader = atEnd(bootstrapServers, results);
        Properties properties = new Properties();
        properties.put("bootstrap.servers", bootstrapServers);
        this.producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        producer.partitionsFor(results);
        threads = List.of(new Thread(this::answer, "answering-app"), new Thread(this::read, "answering-app-reader"));
        threads.forEach(thread -> {
            thread.setDaemon(true);
            thread.start();
        });
    }

    private static KafkaConsumer<byte[], byte[]> atEnd(String bootstrapServers, String topic) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "enable.auto.commit", false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        return consumer;
    }

    private void answer() {
        Deque<Due> due = new ArrayDeque<>();
        int count = 0;
        while (!stopped) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(2))) {
                count++;
                taken.put(place(record), record.value());
                int copies = count % habits.dropEach == 0 ? 0 : count % habits.doubleEach == 0 ? 2 : 1;
                long stall = count == habits.stallAt ? habits.stall.toNanos() : 0;
                due.add(new Due(record, System.nanoTime() + habits.delay.toNanos() + stall, copies));
            }
            // Sequentially, as in an application that stalls.
            while (!due.isEmpty() && due.peek().readyNanos <= System.nanoTime()) {
                send(due.poll());
            }
        }
    }

    private void send(Due due) {
        for (int i = 0; i < due.copies; i++) {
            ProducerRecord<byte[], byte[]> answer =
                    new ProducerRecord<>(results, null, due.record.key(), due.record.value(), due.record.headers());
            answer.headers().remove(OF).add(OF, place(due.record).getBytes(StandardCharsets.UTF_8));
            answered.putIfAbsent(place(due.record), System.nanoTime() + epochOffset);
            var unused = producer.send(answer);
        }
    }

    private void read() {
        while (!stopped) {
            for (ConsumerRecord<byte[], byte[]> answer : reader.poll(Duration.ofMillis(2))) {
                var of = answer.headers().lastHeader(OF);
                if (of != null) {
                    String place = new String(of.value(), StandardCharsets.UTF_8);
                    readable.putIfAbsent(place, System.nanoTime() + epochOffset);
                }
            }
        }
    }

    private static String place(ConsumerRecord<?, ?> record) {
        return record.topic() + "-" + record.partition() + "@" + record.offset();
    }

    /** Sends unsolicited answers. */
    public void strange(int answers) {
        for (int i = 0; i < answers; i++) {
            var unused = producer.send(new ProducerRecord<>(results, "nobody".getBytes(StandardCharsets.UTF_8)));
        }
        producer.flush();
    }

    @Override
    public void close() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        List.of(consumer, reader).forEach(KafkaConsumer::close);
        producer.close(Duration.ofSeconds(1));
    }
}
