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
 * Another user of the cluster: an operator that sets a quota, or a client with a heavy load. Arguments: the action (quota or
 * flood), bootstrap servers. Waits for the first byte on standard input, and runs until standard input ends.
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
            // Carries no data; ends when the parent process ends.
        }
    }

    /** Sets a default request quota: each client id gets 1 % of a broker thread. */
    private static void limit(String brokers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            Map<String, String> anyClient = new HashMap<>();
            anyClient.put(ClientQuotaEntity.CLIENT_ID, null);
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(new ClientQuotaEntity(anyClient),
                    List.of(new ClientQuotaAlteration.Op("request_percentage", 1.0))))).all().get();
        }
        Thread.sleep(Long.MAX_VALUE);
    }

    /** Writes records of 50 KB to a separate topic, as fast as possible. */
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
