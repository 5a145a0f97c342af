package io.plimsoll.wire;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Objects;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.CumulativeSum;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Utils;

/** Access to private fields, methods, and classes of Kafka's clients, in versions 4.2 and 4.3. */
public final class ClientInternals {
    /** Producer metric in the group {@code producer-metrics}. */
    public static final String PRODUCER_THROTTLES = "produce-throttle-time-total";
    /** Consumer metric in the group {@code consumer-fetch-manager-metrics}. */
    public static final String CONSUMER_THROTTLES = "fetch-throttle-time-total";

    private static final String[] WAY = {
        "delegate", "applicationEventHandler", "networkThread", "networkClientDelegate", "client"
    };

    /**
     * Adds a metric with the total throttle time in milliseconds. Every response contains a throttle time, but the
     * client exposes only the average and maximum over a window. This method adds the sum to the same sensor.
     *
     * @return false if this client version is incompatible and lacks the metric
     */
    public static boolean countThrottles(KafkaProducer<?, ?> producer) {
        try {
            Metrics metrics = (Metrics)
                    ProducerConnections.field(KafkaProducer.class, "metrics").get(producer);
            return add(metrics, "produce-throttle-time", PRODUCER_THROTTLES, "producer-metrics");
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    /** Adds the metric to a consumer, like {@link #countThrottles(KafkaProducer)}. */
    public static boolean countThrottles(KafkaConsumer<?, ?> consumer) {
        try {
            Method metrics = KafkaConsumer.class.getDeclaredMethod("metricsRegistry");
            metrics.setAccessible(true);
            Metrics all = (Metrics) metrics.invoke(consumer);
            return add(all, "fetch-throttle-time", CONSUMER_THROTTLES, "consumer-fetch-manager-metrics");
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    /**
     * Lets the producer request the partitions of these topics at once. An incompatible client requests them one by
     * one.
     */
    public static void request(KafkaProducer<?, ?> producer, Collection<String> topics) {
        try {
            ProducerMetadata metadata = (ProducerMetadata)
                    ProducerConnections.field(KafkaProducer.class, "metadata").get(producer);
            topics.forEach(topic -> metadata.add(topic, System.currentTimeMillis()));
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Then partitionsFor() sends a request for each topic.
        }
    }

    private static boolean add(Metrics metrics, String sensorName, String name, String group) {
        Sensor sensor = metrics.getSensor(sensorName);
        return sensor != null && sensor.add(metrics.metricName(name, group), new CumulativeSum());
    }

    /**
     * Terminates a share consumer as if its process were killed. Its public close method would first acknowledge
     * records and leave the group. The consumer sends nothing afterward and need not be closed. Thread-safe.
     *
     * @return false if this client version is incompatible; the caller must then close it normally
     */
    public static boolean endAbruptly(KafkaShareConsumer<?, ?> consumer) {
        try {
            Object at = consumer;
            Object thread = null;
            for (String name : WAY) {
                at = ProducerConnections.field(at.getClass(), name).get(at);
                thread = name.equals("networkThread") ? at : thread;
            }
            // Stop the thread first: a closing client sends no requests when its thread exits.
            ProducerConnections.field(Objects.requireNonNull(thread).getClass(), "running")
                    .setBoolean(thread, false);
            ((KafkaClient) at).initiateClose();
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    /** The partition that Kafka's producer selects for a key. */
    public static int partition(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }

    /** Whether the record's timestamp is the broker's append time ({@code message.timestamp.type=LogAppendTime}). */
    public static boolean isOfAppend(ConsumerRecord<?, ?> record) {
        return record.timestampType() == TimestampType.LOG_APPEND_TIME;
    }
}
