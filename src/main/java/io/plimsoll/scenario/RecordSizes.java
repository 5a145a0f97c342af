package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The sizes of records in Kafka's record batch format, version 2. */
public final class RecordSizes {
    private static final int BATCH_HEADER_BYTES = 61;
    private static final long DEFAULT_MAX_REQUEST_BYTES = 1_048_576;
    private static final long DEFAULT_MAX_MESSAGE_BYTES = 1_048_588;
    /**
     * Maximum total size in bytes of the fields length, attributes, timestamp and offset, as the producer estimates it.
     */
    private static final int LONGEST_RECORD_HEADER_BYTES = 21;
    /** Minimum total size in bytes of the fields length, attributes, timestamp and offset. */
    private static final int SHORTEST_RECORD_HEADER_BYTES = 4;

    /** Minimum bytes of a batch with one record; empty if unknown because of compression, a file or a template. */
    public static OptionalLong leastBatchBytes(ProducerSpec producer) {
        return compressed(producer.config()) || !known(producer.record())
                ? OptionalLong.empty()
                : OptionalLong.of(leastBatch(producer.record()));
    }

    /** Adds a problem if records exceed a limit of the producer or its topics. */
    static void check(EntryReading entry, RecordSpec record) {
        if (known(record)) {
            Map<String, TopicSpec> known = entry.topics();
            List<TopicSpec> topics = entry.get(ProducerSpec.TOPIC).stream()
                    .map(name -> known.getOrDefault(name, TopicSpec.of(name).with(TopicSpec.EXISTING, true)))
                    .toList();
            tooLarge(record, entry.get(ProducerSpec.CONFIG), topics)
                    .ifPresent(problem -> entry.problemInMap("record", "size", problem));
        }
    }

    /** The limit of a producer or topic that the largest record exceeds, if its size is known; empty if none. */
    public static Optional<Sentence> tooLarge(RecordSpec record, Map<String, String> config, List<TopicSpec> topics) {
        long estimate = BATCH_HEADER_BYTES + LONGEST_RECORD_HEADER_BYTES + contents(record);
        long maxRequest = LoadKeys.number(config, "max.request.size", DEFAULT_MAX_REQUEST_BYTES);
        if (estimate > maxRequest) {
            return Optional.of(Sentence.of("scenario.largerThanRequest", estimate, maxRequest));
        }
        if (compressed(config)) {
            return Optional.empty(); // The size on the broker depends on the payload.
        }
        long batch = leastBatch(record);
        for (TopicSpec topic : topics) {
            long fallback = topic.existing() ? Long.MAX_VALUE : DEFAULT_MAX_MESSAGE_BYTES;
            long most = LoadKeys.number(topic.config(), "max.message.bytes", fallback);
            if (batch > most) {
                return Optional.of(Sentence.of("scenario.largerThanMessage", batch, topic.name(), most));
            }
        }
        return Optional.empty();
    }

    static boolean compressed(Map<String, String> config) {
        return !config.getOrDefault("compression.type", "none").equals("none");
    }

    /** Mean bytes of key, value and headers. */
    static double contentBytes(RecordSpec record) {
        double inHeaders = record.headers().sum(Double::sum);
        return Math.max(0, keyBytes(record.key())) + record.meanSize() + inHeaders;
    }

    /** Minimum bytes of an uncompressed batch with one record. */
    private static long leastBatch(RecordSpec record) {
        return BATCH_HEADER_BYTES + SHORTEST_RECORD_HEADER_BYTES + contents(record);
    }

    /** Whether the size of a value is known without reading a file, template or schema. */
    private static boolean known(RecordSpec record) {
        return record.files().isEmpty()
                && record.schemas().isEmpty()
                && record.headers().values().isEmpty()
                && !(record.payload() instanceof RecordSpec.Payload.Template);
    }

    private static long contents(RecordSpec record) {
        RecordSpec.Headers headers = record.headers();
        double header = headers.sum((name, value) -> prefixed((long) name) + prefixed((long) value));
        return prefixed(keyBytes(record.key())) + prefixed(record.size()) + varint(headers.all()) + (long) header;
    }

    private static long prefixed(long bytes) {
        return bytes < 0 ? 1 : varint(bytes) + bytes;
    }

    /** Number of bytes of a zigzag varint. */
    private static int varint(long value) {
        return (Long.SIZE - Long.numberOfLeadingZeros(value << 1 | 1) + 6) / 7;
    }

    /** Number of bytes of the shortest key; −1 without keys. */
    private static long keyBytes(KeySpec key) {
        if (key instanceof KeySpec.None) {
            return -1;
        }
        if (key instanceof KeySpec.Fixed fixed && fixed.type() == KeySpec.Type.STRING) {
            return fixed.value().getBytes(StandardCharsets.UTF_8).length;
        }
        if (key instanceof KeySpec.Padded padded) {
            return padded.bytes();
        }
        return switch (key.type()) {
            case INTEGER -> Integer.BYTES;
            case BYTES -> Long.BYTES;
            case STRING -> 1;
        };
    }
}
