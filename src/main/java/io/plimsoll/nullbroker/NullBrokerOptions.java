package io.plimsoll.nullbroker;

import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.wire.Codec;
import io.plimsoll.wire.server.SyntheticLog;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The options of a {@link NullBroker}: at first a free port, one thread, topics of one partition that come into being when
 * asked for, no log, no misbehaviour. Not safe for several threads, and not to be changed once a broker has them. Every
 * setter checks its range and throws {@link IllegalArgumentException}.
 */
public final class NullBrokerOptions {
    int port;
    int threads = 1;
    int partitions = 1;
    final Map<String, Integer> topics = new LinkedHashMap<>();
    boolean checkCrc;
    final Map<Short, Short> maxVersions = new LinkedHashMap<>();
    SyntheticLog.Shape log = new SyntheticLog.Shape(0, 100, 150, Codec.NONE);
    Supplier<byte[]> values;
    NullBrokerBehaviour behaviour = NullBrokerBehaviour.NONE;

    /** On 127.0.0.1; 0 (the default): a free one. */
    public NullBrokerOptions port(int value) {
        port = within("port", value, 0, 65535);
        return this;
    }

    /** Event loops that share the connections; default 1. */
    public NullBrokerOptions threads(int value) {
        threads = within("threads", value, 1, 256);
        return this;
    }

    /** The partitions of topics that come into being because a client asks for them; default 1. */
    public NullBrokerOptions partitions(int value) {
        partitions = within("partitions", value, 1, 100_000);
        return this;
    }

    /** A topic that is there from the start. */
    public NullBrokerOptions topic(String name, int partitionCount) {
        topics.put(name, within("partitions", partitionCount, 1, 100_000));
        return this;
    }

    /** Reject batches with a wrong CRC, which requires a pass over every byte; default: no check. */
    public NullBrokerOptions checkCrc(boolean value) {
        checkCrc = value;
        return this;
    }

    /** Speak an API at most in this version, as an older broker does. */
    public NullBrokerOptions maxVersion(int apiKey, int version) {
        maxVersions.put((short) within("API key", apiKey, 0, Short.MAX_VALUE), (short)
                within("version", version, 0, Short.MAX_VALUE));
        return this;
    }

    /**
     * The records that every partition holds before the first one is produced; default 0. Records that
     * are produced are not stored: fetches of their offsets get records of this shape, too.
     *
     * @param records per partition
     * @param recordBytes of a value, 0 to 2^24; keys are null
     * @param recordsPerBatch 1 to 100,000
     * @param compression none, gzip, snappy, lz4 or zstd
     */
    public NullBrokerOptions log(long records, int recordBytes, int recordsPerBatch, String compression) {
        log = new SyntheticLog.Shape(records, recordBytes, recordsPerBatch, Codec.of(compression));
        return this;
    }

    /** Makes the values of the log's records, which has a few thousand at most and repeats them; default: random bytes. */
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
