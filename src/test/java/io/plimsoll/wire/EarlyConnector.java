package io.plimsoll.wire;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A producer of its class loader's client version: opens its connections, then sends a record. */
public final class EarlyConnector implements Consumer<Map<String, Runnable>> {
    private final String servers;

    public EarlyConnector(String servers) {
        this.servers = servers;
    }

    /** Calls "opened" once the connections are open, and "sent" once a record is acknowledged. */
    @Override
    public void accept(Map<String, Runnable> events) {
        Map<String, Object> properties = Map.of("bootstrap.servers", servers, "linger.ms", 0);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            Set<Node> leaders = new HashSet<>();
            producer.partitionsFor("early").forEach(partition -> leaders.add(partition.leader()));
            ProducerConnections.open(producer, leaders).get(30, TimeUnit.SECONDS);
            events.get("opened").run();
            producer.send(new ProducerRecord<>("early", new byte[10])).get(30, TimeUnit.SECONDS);
            events.get("sent").run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
