package io.plimsoll.load.raw;

import io.plimsoll.wire.Codec;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The producer properties that the raw engine keeps to, with their meaning in Kafka's producer.
 *
 * @param acks 0, 1 or −1
 * @param maxInFlight per connection
 * @param ignoreKeys {@code partitioner.ignore.keys}: records with keys go where those without would
 * @param connections per broker
 */
record RawSettings(
        short acks,
        long lingerNanos,
        int batchBytes,
        long bufferBytes,
        int maxRequestBytes,
        int maxInFlight,
        int requestTimeoutMillis,
        long deliveryTimeoutNanos,
        long retryBackoffNanos,
        int retries,
        boolean idempotent,
        Codec codec,
        int sendBufferBytes,
        boolean ignoreKeys,
        int connections) {

    static RawSettings of(ProducerConfig config, int connections) {
        String acks = config.getString(ProducerConfig.ACKS_CONFIG);
        return new RawSettings(
                acks.equals("all") ? -1 : Short.parseShort(acks),
                config.getLong(ProducerConfig.LINGER_MS_CONFIG) * 1_000_000,
                config.getInt(ProducerConfig.BATCH_SIZE_CONFIG),
                config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG),
                config.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                config.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION),
                config.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                config.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG) * 1_000_000L,
                config.getLong(ProducerConfig.RETRY_BACKOFF_MS_CONFIG) * 1_000_000,
                config.getInt(ProducerConfig.RETRIES_CONFIG),
                config.getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG),
                Codec.of(config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG)),
                config.getInt(ProducerConfig.SEND_BUFFER_CONFIG),
                config.getBoolean(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG),
                connections);
    }
}
