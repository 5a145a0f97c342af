import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Another client that disturbs the load unintentionally. Arguments: the action (transaction or leaders), bootstrap servers,
 * topic. Waits for the first byte on standard input, and runs until standard input ends.
 */
public final class Meddler {
    public static void main(String[] args) throws Exception {
        if (System.in.read() < 0) {
            return;
        }
        Thread work = new Thread(() -> {
            try {
                if (args[0].equals("transaction")) {
                    hang(args[1], args[2]);
                } else {
                    balance(args[1], args[2]);
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

    /** Writes to all partitions in a transaction, and never commits it. */
    private static void hang(String brokers, String topic) throws InterruptedException {
        ByteArraySerializer bytes = new ByteArraySerializer();
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers, "transactional.id", "forgetful", "transaction.timeout.ms", 120_000),
                bytes, bytes);
        producer.initTransactions();
        producer.beginTransaction();
        for (int i = 0; i < producer.partitionsFor(topic).size(); i++) {
            producer.send(new ProducerRecord<>(topic, i, null, new byte[100]));
        }
        producer.flush();
        Thread.sleep(Long.MAX_VALUE);
    }

    /** Like a faulty balancer, repeatedly rotates the replicas of all partitions and elects the preferred leaders. */
    private static void balance(String brokers, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            Map<TopicPartition, List<Integer>> replicas = new HashMap<>();
            admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().forEach(p -> replicas.put(
                    new TopicPartition(topic, p.partition()), new ArrayList<>(p.replicas().stream().map(n -> n.id()).toList())));
            while (true) {
                Map<TopicPartition, Optional<NewPartitionReassignment>> order = new HashMap<>();
                replicas.forEach((partition, of) -> {
                    Collections.rotate(of, 1);
                    order.put(partition, Optional.of(new NewPartitionReassignment(List.copyOf(of))));
                });
                admin.alterPartitionReassignments(order).all().get();
                admin.electLeaders(ElectionType.PREFERRED, replicas.keySet()).partitions().get();
                Thread.sleep(500);
            }
        }
    }
}
