package io.plimsoll.nullbroker;

import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.wire.Codec;
import io.plimsoll.wire.server.SyntheticLog;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link NullBroker}. Defaults: a free port, one thread, auto-created topics with one partition, no
 * log, no deviations. Not thread-safe; do not change after the broker's start. Setters throw {@link
 * IllegalArgumentException} for values out of range.
 */
public final class NullBrokerOptions {
    int port;
    int threads = 1;
    int partitions = 1;
    final Map<String, Integer> topics = new LinkedHashMap<>();
    boolean checkCrc;
    final Map<Short, Short> maxVersions = new LinkedHashMap<>();
    SyntheticLog.Shape log = new SyntheticLog.Shape(0, 100, 150, Codec.NONE);

    @Nullable
    Supplier<byte[]> values;

    NullBrokerBehaviour behaviour = NullBrokerBehaviour.NONE;

    /** Sets the port on 127.0.0.1; 0 (the default) for a free port. */
    public NullBrokerOptions port(int value) {
        port = within("port", value, 0, 65535);
        return this;
    }

    /** Sets the number of event loops; default 1. */
    public NullBrokerOptions threads(int value) {
        threads = within("threads", value, 1, 256);
        return this;
    }

    /** Sets the number of partitions of auto-created topics; default 1. */
    public NullBrokerOptions partitions(int value) {
        partitions = within("partitions", value, 1, 100_000);
        return this;
    }

    /** Adds a topic that exists from the start. */
    public NullBrokerOptions topic(String name, int partitionCount) {
        topics.put(name, within("partitions", partitionCount, 1, 100_000));
        return this;
    }

    /** Sets whether to reject batches with a wrong CRC; the check reads every byte of a batch. Default: no check. */
    public NullBrokerOptions checkCrc(boolean value) {
        checkCrc = value;
        return this;
    }

    /** Sets the maximum version of an API, to emulate an older broker. */
    public NullBrokerOptions maxVersion(int apiKey, int version) {
        maxVersions.put((short) within("API key", apiKey, 0, Short.MAX_VALUE), (short)
                within("version", version, 0, Short.MAX_VALUE));
        return this;
    }

    /**
     * Sets the records that every partition contains at the start; default 0. Produced records are not stored: fetches
     * of their offsets also return records of this shape.
     *
     * @param records per partition
     * @param recordBytes value size, 0 to 2^24; keys are null
     * @param recordsPerBatch 1 to 100,000
     * @param compression none, gzip, snappy, lz4 or zstd
     */
    public NullBrokerOptions log(long records, int recordBytes, int recordsPerBatch, String compression) {
        log = new SyntheticLog.Shape(records, recordBytes, recordsPerBatch, Codec.of(compression));
        return this;
    }

    /** Sets the source of the log's values; the log repeats at most a few thousand values. Default: random bytes. */
    public NullBrokerOptions values(Supplier<byte[]> source) {
        values = source;
        return this;
    }

    public NullBrokerOptions behaviour(NullBrokerBehaviour value) {
        behaviour = value;
        return this;
    }

    private static int within(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new InvalidValueException("nullbroker.outOfRange", what, least, most, value);
        }
        return value;
    }
}
