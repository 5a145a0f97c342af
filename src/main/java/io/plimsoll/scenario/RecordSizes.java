package io.plimsoll.scenario;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** How large a record becomes in Kafka's record batch format, version 2. */
public final class RecordSizes {
    private static final int BATCH_HEADER_BYTES = 61;
    /** Length, attributes, timestamp and offset at their longest, as the producer estimates them. */
    private static final int LONGEST_RECORD_HEADER_BYTES = 21;
    /** Length, attributes, timestamp and offset at their shortest. */
    private static final int SHORTEST_RECORD_HEADER_BYTES = 4;

    private RecordSizes() {}

    /**
     * The least bytes that a batch of one record of this producer has when it reaches a broker; empty if that is not
     * known beforehand, because of compression or because the value comes from a file or a template.
     */
    public static OptionalLong leastBatchBytes(ProducerSpec producer) {
        boolean compressed =
                !producer.config().getOrDefault("compression.type", "none").equals("none");
        return compressed || !known(producer.record())
                ? OptionalLong.empty()
                : OptionalLong.of(leastBatch(producer.record()));
    }

    /** Key, value and headers; of a value from a file or a template, the size that it would have without. */
    static double contentBytes(RecordSpec record) {
        return Math.max(0, keyBytes(record.key()))
                + record.size()
                + (double) record.headers().count()
                        * (record.headers().keyBytes() + record.headers().valueBytes());
    }

    /** What the producer compares with {@code max.request.size}, before compression. */
    static long estimatedByProducer(RecordSpec record) {
        return BATCH_HEADER_BYTES + LONGEST_RECORD_HEADER_BYTES + contents(record);
    }

    /** The least that a batch with this record alone can have without compression. */
    static long leastBatch(RecordSpec record) {
        return BATCH_HEADER_BYTES + SHORTEST_RECORD_HEADER_BYTES + contents(record);
    }

    /** False if the size of a value is not known before its file or template is read. */
    static boolean known(RecordSpec record) {
        return !(record.payload() instanceof RecordSpec.Payload.File)
                && !(record.payload() instanceof RecordSpec.Payload.Files)
                && !(record.payload() instanceof RecordSpec.Payload.Template);
    }

    private static long contents(RecordSpec record) {
        RecordSpec.Headers headers = record.headers();
        long header = prefixed(headers.keyBytes()) + prefixed(headers.valueBytes());
        return prefixed(keyBytes(record.key()))
                + prefixed(record.size())
                + varint(headers.count())
                + headers.count() * header;
    }

    private static long prefixed(long bytes) {
        return bytes < 0 ? 1 : varint(bytes) + bytes;
    }

    /** Bytes of a zigzag varint. */
    private static int varint(long value) {
        return (Long.SIZE - Long.numberOfLeadingZeros(value << 1 | 1) + 6) / 7;
    }

    /** The shortest key; -1 for none. */
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
        return switch (type(key)) {
            case INTEGER -> Integer.BYTES;
            case BYTES -> Long.BYTES;
            case STRING -> 1;
        };
    }

    private static KeySpec.Type type(KeySpec key) {
        if (key instanceof KeySpec.Sequential sequential) {
            return sequential.type();
        }
        if (key instanceof KeySpec.Uniform uniform) {
            return uniform.type();
        }
        if (key instanceof KeySpec.RoundRobin roundRobin) {
            return roundRobin.type();
        }
        if (key instanceof KeySpec.Zipf zipf) {
            return zipf.type();
        }
        return ((KeySpec.Fixed) key).type();
    }
}
