package io.plimsoll.load.raw;

import io.plimsoll.wire.Codec;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The producer properties that the raw engine keeps to, with their meaning in Kafka's producer.
 *
 * @param lingerNanos {@code linger.ms}
 * @param bufferBytes {@code buffer.memory}
 * @param ignoreKeys {@code partitioner.ignore.keys}: records with keys go where those without would
 */
record RawSettings(
        Delivery delivery,
        Requests requests,
        BatchShape batch,
        long lingerNanos,
        long bufferBytes,
        boolean ignoreKeys) {

    /**
     * When a batch counts as delivered, and what is done until then.
     *
     * @param acks 0, 1 or −1
     * @param idempotent {@code enable.idempotence}
     * @param retries of a batch at most
     * @param timeoutNanos {@code delivery.timeout.ms}
     */
    record Delivery(short acks, boolean idempotent, int retries, long retryBackoffNanos, long timeoutNanos) {}

    /**
     * How requests go to a broker.
     *
     * @param maxBytes {@code max.request.size}
     * @param maxInFlight per connection
     * @param timeoutMillis {@code request.timeout.ms}
     * @param sendBufferBytes of the sockets; −1 leaves them to the operating system
     * @param connections per broker
     */
    record Requests(int maxBytes, int maxInFlight, int timeoutMillis, int sendBufferBytes, int connections) {}

    /** True if records of a partition must be in the log as they were sent: what Kafka's producer promises with these. */
    boolean ordered() {
        return delivery.idempotent() || requests.maxInFlight() == 1;
    }

    static RawSettings of(ProducerConfig config, int connections) {
        String acks = config.getString(ProducerConfig.ACKS_CONFIG);
        Delivery delivery = new Delivery(
                acks.equals("all") ? -1 : Short.parseShort(acks),
                config.getBoolean(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG),
                config.getInt(ProducerConfig.RETRIES_CONFIG),
                config.getLong(ProducerConfig.RETRY_BACKOFF_MS_CONFIG) * 1_000_000,
                config.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG) * 1_000_000L);
        Requests requests = new Requests(
                config.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                config.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION),
                config.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                config.getInt(ProducerConfig.SEND_BUFFER_CONFIG),
                connections);
        Codec codec = Codec.of(config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG));
        int batchBytes = config.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
        return new RawSettings(
                delivery,
                requests,
                new BatchShape(codec, codec.level(config), batchBytes, Integer.MAX_VALUE),
                config.getLong(ProducerConfig.LINGER_MS_CONFIG) * 1_000_000,
                config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG),
                config.getBoolean(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG));
    }
}
