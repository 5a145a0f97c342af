package io.plimsoll.load.raw;

import io.plimsoll.wire.Codec;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The producer properties that the raw engine supports, with their meaning in Kafka's producer.
 * @param acks 0, 1 or −1
 * @param retries maximum per batch
 * @param maxInFlight maximum requests in flight per connection
 * @param sendBufferBytes of the sockets; −1 for the operating system's default
 * @param connections per broker
 * @param ignoreKeys whether records with keys are routed like records without keys
 */
record RawSettings(
        short acks,
        boolean idempotent,
        int retries,
        long retryBackoffNanos,
        long deliveryTimeoutNanos,
        int maxRequestBytes,
        int maxInFlight,
        int requestTimeoutMillis,
        int sendBufferBytes,
        int connections,
        BatchShape batch,
        long lingerNanos,
        long bufferBytes,
        boolean ignoreKeys) {

    /** Whether the log keeps the order of a partition's records. Kafka's producer gives the same guarantee with these settings. */
    boolean ordered() {
        return idempotent || maxInFlight == 1;
    }

    static RawSettings of(ProducerConfig config, int connections) {
        String acks = config.getString(ProducerConfig.ACKS_CONFIG);
        Codec codec = Codec.of(config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG));
        int batchBytes = config.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
        return new RawSettings(
                acks.equals("all") ? -1 : Short.parseShort(acks),
                config.getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG),
                config.getInt(ProducerConfig.RETRIES_CONFIG),
                config.getLong(ProducerConfig.RETRY_BACKOFF_MS_CONFIG) * 1_000_000,
                config.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG) * 1_000_000L,
                config.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                config.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION),
                config.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                config.getInt(ProducerConfig.SEND_BUFFER_CONFIG),
                connections,
                new BatchShape(codec, codec.level(config), batchBytes, Integer.MAX_VALUE),
                config.getLong(ProducerConfig.LINGER_MS_CONFIG) * 1_000_000,
                config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG),
                config.getBoolean(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG));
    }
}
