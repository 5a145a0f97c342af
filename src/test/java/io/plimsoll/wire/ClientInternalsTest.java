package io.plimsoll.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** A producer of many topics learns their partitions from few requests. */
class ClientInternalsTest {
    private static double requests(KafkaProducer<?, ?> producer) {
        return producer.metrics().values().stream()
                .filter(m -> m.metricName().name().equals("request-total")
                        && m.metricName().group().equals("producer-metrics"))
                .mapToDouble(m -> (Double) m.metricValue())
                .sum();
    }

    @Test
    void requestsManyTopicsAtOnce() throws Exception {
        List<String> topics = IntStream.range(0, 200).mapToObj(i -> "many-" + i).toList();
        NullBrokerOptions options = new NullBrokerOptions();
        topics.forEach(topic -> options.topic(topic, 2));
        try (NullBroker broker = NullBroker.start(options);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", broker.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            ClientInternals.request(producer, topics);
            for (String topic : topics) {
                assertThat(producer.partitionsFor(topic)).hasSize(2);
            }
            assertThat(requests(producer)).isLessThan(20);
        }
    }
}
