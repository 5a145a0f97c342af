package io.plimsoll.nullbroker;

import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.wire.Codec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The options of a {@link NullBroker}; immutable, made by {@link #builder()}. */
public final class NullBrokerOptions {
    final int port;
    final int threads;
    final int partitions;
    final Map<String, Integer> topics;
    final boolean checkCrc;
    final int maxFrameBytes;
    final Map<Short, Short> maxVersions;
    final SyntheticLog.Shape log;
    final Supplier<byte[]> values;
    final long seed;
    final NullBrokerBehaviour behaviour;

    private NullBrokerOptions(Builder values) {
        port = values.port;
        threads = values.threads;
        partitions = values.partitions;
        topics = Map.copyOf(values.topics);
        checkCrc = values.checkCrc;
        maxFrameBytes = values.maxFrameBytes;
        maxVersions = Map.copyOf(values.maxVersions);
        log = values.log;
        this.values = values.values;
        seed = values.seed;
        behaviour = values.behaviour;
    }

    /** A free port, one thread, topics of one partition that come into being when asked for, no log, no misbehaviour. */
    public static NullBrokerOptions defaults() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Not safe for several threads. Every setter checks its range and throws {@link IllegalArgumentException}. */
    public static final class Builder {
        private int port;
        private int threads = 1;
        private int partitions = 1;
        private final Map<String, Integer> topics = new LinkedHashMap<>();
        private boolean checkCrc;
        private int maxFrameBytes = 100 << 20;
        private final Map<Short, Short> maxVersions = new LinkedHashMap<>();
        private SyntheticLog.Shape log = new SyntheticLog.Shape(0, 100, 150, Codec.NONE);
        private Supplier<byte[]> values;
        private long seed = 1;
        private NullBrokerBehaviour behaviour = NullBrokerBehaviour.NONE;

        /** On 127.0.0.1; 0 (the default): a free one. */
        public Builder port(int value) {
            port = within("port", value, 0, 65535);
            return this;
        }

        /** Event loops that share the connections; default 1. */
        public Builder threads(int value) {
            threads = within("threads", value, 1, 256);
            return this;
        }

        /** The partitions of topics that come into being because a client asks for them; default 1. */
        public Builder partitions(int value) {
            partitions = within("partitions", value, 1, 100_000);
            return this;
        }

        /** A topic that is there from the start. */
        public Builder topic(String name, int partitionCount) {
            topics.put(name, within("partitions", partitionCount, 1, 100_000));
            return this;
        }

        /** Refuse batches whose CRC is wrong, which costs a pass over every byte; default: believe it. */
        public Builder checkCrc(boolean value) {
            checkCrc = value;
            return this;
        }

        /** A larger request closes its connection; default 100 MiB, as brokers have it. */
        public Builder maxFrameBytes(int value) {
            maxFrameBytes = within("maxFrameBytes", value, 64, Integer.MAX_VALUE);
            return this;
        }

        /** Speak an API at most in this version, as an older broker does. */
        public Builder maxVersion(int apiKey, int version) {
            maxVersions.put((short) within("API key", apiKey, 0, Short.MAX_VALUE), (short)
                    within("version", version, 0, Short.MAX_VALUE));
            return this;
        }

        /**
         * The records that every partition holds before the first one is produced; default 0. Records that
         * are produced are not kept: who fetches their offsets gets records of this shape too.
         *
         * @param records per partition
         * @param recordBytes of a value, 0 to 2^24; keys are null
         * @param recordsPerBatch 1 to 100,000
         * @param compression none, gzip, snappy, lz4 or zstd
         */
        public Builder log(long records, int recordBytes, int recordsPerBatch, String compression) {
            log = new SyntheticLog.Shape(records, recordBytes, recordsPerBatch, Codec.of(compression));
            return this;
        }

        /** Makes the values of the log's records, which has a few thousand at most and repeats them; default: random bytes. */
        public Builder values(Supplier<byte[]> source) {
            values = source;
            return this;
        }

        /** The seed of the log's payload and of the choice of refused requests; default 1. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        public Builder behaviour(NullBrokerBehaviour value) {
            behaviour = value;
            return this;
        }

        public NullBrokerOptions build() {
            return new NullBrokerOptions(this);
        }

        private static int within(String what, int value, int least, int most) {
            if (value < least || value > most) {
                throw new InvalidValueException("nullbroker.outOfRange", what, least, most, value);
            }
            return value;
        }
    }
}
