package io.plimsoll.load.raw;

import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.wire.FetchSession;
import io.plimsoll.wire.OffsetLookup;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * The consumer properties that the raw engine supports, with their meaning in Kafka's consumer.
 * @param reset {@code auto.offset.reset}; earliest for a rewound group
 * @param rewindEpochMillis reading starts with the first record at or after this time
 * @param receiveBufferBytes of the sockets; −1 for the operating system's default
 */
record FetchSettings(
        FetchSession.Limits limits,
        boolean checkCrcs,
        String reset,
        OptionalLong rewindEpochMillis,
        int requestTimeoutMillis,
        long retryBackoffNanos,
        int receiveBufferBytes) {
    /** Maximum response size that fits into a core's cache; compared with 6 MB, it halves the measured CPU per record. */
    private static final int CACHED_BYTES = 1 << 20;

    private static final String BY_DURATION = "by_duration:";

    static FetchSettings of(ConsumerConfig config, ConsumerSpec spec) {
        boolean readCommitted =
                config.getString(ConsumerConfig.ISOLATION_LEVEL_CONFIG).equalsIgnoreCase("read_committed");
        int maxBytes = config.getInt(ConsumerConfig.FETCH_MAX_BYTES_CONFIG);
        return new FetchSettings(
                new FetchSession.Limits(
                        config.getInt(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG),
                        config.getInt(ConsumerConfig.FETCH_MIN_BYTES_CONFIG),
                        spec.config().containsKey(ConsumerConfig.FETCH_MAX_BYTES_CONFIG)
                                ? maxBytes
                                : Math.min(maxBytes, CACHED_BYTES),
                        maxBytes,
                        config.getInt(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
                        readCommitted),
                config.getBoolean(ConsumerConfig.CHECK_CRCS_CONFIG),
                // Rewinding to the beginning is the same as having no position and looking up the earliest offset.
                spec.rewind().isPresent() ? "earliest" : config.getString(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG),
                spec.rewind().map(FetchSettings::rewind).orElse(OptionalLong.empty()),
                config.getInt(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                config.getLong(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG) * 1_000_000,
                // The client's default of 64 KiB would split a large response into many small reads.
                spec.config().containsKey(ConsumerConfig.RECEIVE_BUFFER_CONFIG)
                        ? config.getInt(ConsumerConfig.RECEIVE_BUFFER_CONFIG)
                        : -1);
    }

    private static OptionalLong rewind(ConsumerSpec.Rewind to) {
        return to instanceof ConsumerSpec.Rewind.ToTime time
                ? OptionalLong.of(time.time().toEpochMilli())
                : OptionalLong.empty();
    }

    long lookFor(long nowEpochMillis) {
        if (rewindEpochMillis.isPresent()) {
            return rewindEpochMillis.getAsLong();
        }
        if (reset.startsWith(BY_DURATION)) {
            return nowEpochMillis
                    - Duration.parse(reset.substring(BY_DURATION.length())).toMillis();
        }
        return reset.equals("latest") ? OffsetLookup.LATEST : OffsetLookup.EARLIEST;
    }
}
