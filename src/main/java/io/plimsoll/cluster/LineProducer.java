package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Sends each line of a text as a record. Single use, by one thread; acknowledgments arrive on the producer's thread.
 * {@link #stop} is safe from any thread.
 */
public final class LineProducer {

    /** A key separator, one key for all records, or neither. Without a partition or acks, the client's default applies. */
    public record Options(
            String topic,
            Optional<String> keySeparator,
            Optional<String> key,
            OptionalInt partition,
            Optional<String> acks) {}

    /** First and last offset written to a partition. */
    public record OffsetRange(long first, long last) {
        OffsetRange and(OffsetRange more) {
            return new OffsetRange(Math.min(first, more.first), Math.max(last, more.last));
        }
    }

    /** Number of lines read, acknowledged and failed, and the offset range of each partition; no ranges with {@code acks=0}. */
    public record Outcome(
            long lines,
            long acknowledged,
            long failed,
            Map<Integer, OffsetRange> offsets,
            Optional<PlimsollException> firstFailure) {}

    /** Receives each failed line in the order of failure; line numbers start at 1. */
    @FunctionalInterface
    public interface FailureListener {
        void failed(long line, PlimsollException why);
    }

    private final ClusterConnection connection;
    private final Options options;
    private final FailureListener listener;
    private final Map<Integer, OffsetRange> offsets = new TreeMap<>();
    private long lines;
    private long acknowledged;
    private long failed;
    private @Nullable PlimsollException firstFailure;
    private volatile boolean hopeless;
    private volatile boolean stopped;
    /** Null until the topic is known to exist. */
    private volatile @Nullable KafkaProducer<byte[], byte[]> sending;

    public LineProducer(ClusterConnection connection, Options options, FailureListener listener) {
        this.connection = connection;
        this.options = options;
        this.listener = listener;
    }

    /**
     * Sends all lines of {@code in} and waits for every acknowledgment; stops early on an authorization error, because
     * every further line would fail too.
     * @throws PlimsollException if no record can be sent because of a missing topic or partition, or an invalid client
     *     property
     */
    public Outcome produce(InputStream in) throws IOException {
        try (Admin admin = connection.admin()) {
            TopicDescription topic = new Topics(admin).describe(options.topic);
            options.partition.ifPresent(partition -> requirePartition(topic, partition));
        }
        return run(in);
    }

    /** Sends no more lines, and waits this long for the acknowledgments of lines already sent. */
    public Outcome stop(Duration patience) {
        stopped = true;
        KafkaProducer<byte[], byte[]> producer = sending;
        if (producer != null) {
            producer.close(patience);
        }
        return outcome();
    }

    static void requirePartition(TopicDescription topic, int partition) {
        int partitions = topic.partitions().size();
        Exit.USAGE.when(
                partition < 0 || partition >= partitions,
                "cluster.noSuchPartition",
                topic.name(),
                partition,
                (partitions - 1));
    }

    private Outcome run(InputStream in) throws IOException {
        // In ISO-8859-1 each byte is a character, so other encodings pass unchanged and separators are compared as
        // bytes.
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
        Optional<String> separator = options.keySeparator.map(LineProducer::byteWise);
        byte[] fixedKey =
                options.key.map(key -> key.getBytes(StandardCharsets.UTF_8)).orElse(null);
        Map<String, Object> own = options.acks
                .<Map<String, Object>>map(acks -> Map.of("acks", acks))
                .orElse(Map.of());
        try (KafkaProducer<byte[], byte[]> producer = connection.producer(own)) {
            sending = producer;
            for (String line = reader.readLine(); line != null && !hopeless && !stopped; line = reader.readLine()) {
                long number = next();
                byte[] key = fixedKey;
                String value = line;
                if (separator.isPresent()) {
                    int at = line.indexOf(separator.get());
                    if (at < 0) {
                        fail(number, Exit.USAGE.because("cluster.noKeySeparator", options.keySeparator.orElse("")));
                        continue;
                    }
                    key = bytes(line.substring(0, at));
                    value = line.substring(at + separator.get().length());
                }
                send(producer, number, key, bytes(value));
            }
            producer.flush();
        } catch (InterruptException e) {
            throw KafkaErrors.explain(e, "send to topic", options.topic);
        }
        return outcome();
    }

    private synchronized long next() {
        return ++lines;
    }

    private synchronized Outcome outcome() {
        return new Outcome(lines, acknowledged, failed, new TreeMap<>(offsets), Optional.ofNullable(firstFailure));
    }

    private void send(KafkaProducer<byte[], byte[]> producer, long line, byte @Nullable [] key, byte[] value) {
        Integer partition = options.partition.isPresent() ? options.partition.getAsInt() : null;
        try {
            var unused = producer.send(new ProducerRecord<>(options.topic, partition, key, value), (metadata, e) -> {
                if (e == null) {
                    acknowledge(metadata);
                } else {
                    failSend(line, e);
                }
            });
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            failSend(line, e);
        } catch (IllegalStateException e) {
            // The line was read just before the producer was closed; it counts only as read.
            if (!stopped) {
                throw e;
            }
        }
    }

    private synchronized void acknowledge(RecordMetadata metadata) {
        acknowledged++;
        if (metadata.hasOffset()) {
            OffsetRange own = new OffsetRange(metadata.offset(), metadata.offset());
            offsets.merge(metadata.partition(), own, OffsetRange::and);
        }
    }

    private void failSend(long line, Exception e) {
        if (e instanceof AuthorizationException || e instanceof AuthenticationException) {
            hopeless = true;
        }
        fail(line, KafkaErrors.explain(e, "send to topic", options.topic));
    }

    private synchronized void fail(long line, PlimsollException why) {
        failed++;
        firstFailure = firstFailure == null ? why : firstFailure;
        listener.failed(line, why);
    }

    private static String byteWise(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String byteWise) {
        return byteWise.getBytes(StandardCharsets.ISO_8859_1);
    }
}
