package io.plimsoll.wire;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.CumulativeSum;

/**
 * Lets a client of Kafka's count for how long brokers have asked it to wait. Each answer of a broker carries that time, and the client
 * records it in a sensor, of which it shows no more than average and maximum over a window; this adds the sum of all, as one
 * more metric of the client, in milliseconds. The sensors lie in the field {@code metrics} of the producer, and behind the
 * method {@code metricsRegistry} of the consumer, neither of which is public.
 */
public final class ThrottleTotals {
    /** The metric of a producer, in the group {@code producer-metrics}. */
    public static final String PRODUCER = "produce-throttle-time-total";
    /** The metric of a consumer, in the group {@code consumer-fetch-manager-metrics}. */
    public static final String CONSUMER = "fetch-throttle-time-total";

    private ThrottleTotals() {}

    /** @return false if this client is built differently and has no such metric */
    public static boolean add(KafkaProducer<?, ?> producer) {
        try {
            Field metrics = KafkaProducer.class.getDeclaredField("metrics");
            metrics.setAccessible(true);
            return add((Metrics) metrics.get(producer), "produce-throttle-time", PRODUCER, "producer-metrics");
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    /** As {@link #add(KafkaProducer)}. */
    public static boolean add(KafkaConsumer<?, ?> consumer) {
        try {
            Method metrics = KafkaConsumer.class.getDeclaredMethod("metricsRegistry");
            metrics.setAccessible(true);
            Metrics all = (Metrics) metrics.invoke(consumer);
            return add(all, "fetch-throttle-time", CONSUMER, "consumer-fetch-manager-metrics");
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }

    private static boolean add(Metrics metrics, String sensorName, String name, String group) {
        Sensor sensor = metrics.getSensor(sensorName);
        return sensor != null && sensor.add(metrics.metricName(name, group), new CumulativeSum());
    }
}
