import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Those who share the cluster: one who looks after it, and one who uses it. Arguments: what it does (quota or flood), brokers.
 * Begins with the first byte of its standard input, and ends with that.
 */
public final class Neighbour {
    private static final String THEIRS = "exports";

    public static void main(String[] args) throws Exception {
        if (System.in.read() < 0) {
            return;
        }
        Thread work = new Thread(() -> {
            try {
                if (args[0].equals("quota")) {
                    limit(args[1]);
                } else {
                    flood(args[1]);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        work.setDaemon(true);
        work.start();
        while (System.in.read() >= 0) {
            // Nothing is said on it: its end is the end of who started this.
        }
    }

    /** Whoever comes gets one hundredth of a broker thread. */
    private static void limit(String brokers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            Map<String, String> anyClient = new HashMap<>();
            anyClient.put(ClientQuotaEntity.CLIENT_ID, null);
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(new ClientQuotaEntity(anyClient),
                    List.of(new ClientQuotaAlteration.Op("request_percentage", 1.0))))).all().get();
        }
        Thread.sleep(Long.MAX_VALUE);
    }

    /** An export into a topic of its own, as fast as it goes. */
    private static void flood(String brokers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            admin.createTopics(List.of(new NewTopic(THEIRS, Optional.of(12), Optional.of((short) 3)))).all().get();
        }
        ByteArraySerializer bytes = new ByteArraySerializer();
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers, "acks", "1", "batch.size", 500_000, "linger.ms", 5), bytes, bytes);
        for (int i = 0; ; i++) {
            producer.send(new ProducerRecord<>(THEIRS, i % 12, null, new byte[50_000]));
        }
    }
}
