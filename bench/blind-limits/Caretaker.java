import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An operator that changes the cluster while it is in use. Arguments: the action (archive, move, grow, purge or drop), the
 * bootstrap servers, a topic for grow, purge and drop, and the new number of partitions for grow. Waits for the first byte on
 * standard input, and runs until standard input ends. Only archive starts at once and ends by itself.
 */
public final class Caretaker {
    private static final String ARCHIVE = "archive";
    private static final int BROKERS = 3;
    private static final int ARCHIVE_PARTITIONS = 12;
    private static final int ARCHIVE_RECORDS = 3600;
    private static final int ARCHIVE_RECORD_BYTES = 50_000;
    private static final long PURGE_EVERY_MILLIS = 300;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("archive")) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[1]))) {
                placeArchive(admin);
            }
            fillArchive(args[1]);
            return;
        }
        if (System.in.read() < 0) {
            return;
        }
        Thread work = new Thread(() -> {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[1]))) {
                switch (args[0]) {
                    case "move" -> moveArchive(admin);
                    case "grow" -> grow(admin, args[2], Integer.parseInt(args[3]));
                    case "purge" -> purge(admin, args[2]);
                    case "drop" -> admin.deleteTopics(List.of(args[2])).all().get();
                    default -> throw new IllegalArgumentException(args[0]);
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

    private static int home(int partition) {
        return partition % BROKERS + 1;
    }

    /** Creates the archive with replication factor 1, and a third of its partitions on each broker. */
    private static void placeArchive(Admin admin) throws Exception {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (admin.describeCluster().nodes().get().size() < BROKERS) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not all brokers are there");
            }
            Thread.sleep(200);
        }
        Map<Integer, List<Integer>> replicas = new HashMap<>();
        for (int p = 0; p < ARCHIVE_PARTITIONS; p++) {
            replicas.put(p, List.of(home(p)));
        }
        admin.createTopics(List.of(new NewTopic(ARCHIVE, replicas))).all().get();
    }

    private static void fillArchive(String brokers) {
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers, "acks", "1", "batch.size", 500_000, "linger.ms", 5), bytes, bytes)) {
            for (int i = 0; i < ARCHIVE_RECORDS; i++) {
                producer.send(new ProducerRecord<>(ARCHIVE, i % ARCHIVE_PARTITIONS, null, new byte[ARCHIVE_RECORD_BYTES]));
            }
            producer.flush();
        }
    }

    /** Moves all partitions of the archive to the next broker, at once and without a throttle. */
    private static void moveArchive(Admin admin) throws Exception {
        Map<TopicPartition, Optional<NewPartitionReassignment>> order = new HashMap<>();
        for (int p = 0; p < ARCHIVE_PARTITIONS; p++) {
            order.put(new TopicPartition(ARCHIVE, p), Optional.of(new NewPartitionReassignment(List.of(home(p + 1)))));
        }
        admin.alterPartitionReassignments(order).all().get();
    }

    private static void grow(Admin admin, String topic, int partitions) throws Exception {
        Map<String, NewPartitions> larger = new HashMap<>();
        larger.put(topic, NewPartitions.increaseTo(partitions));
        admin.createPartitions(larger).all().get();
    }

    /** Deletes all records of the topic, repeatedly. */
    private static void purge(Admin admin, String topic) throws Exception {
        int partitions = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
        Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
        for (int p = 0; p < partitions; p++) {
            // Up to the high watermark.
            all.put(new TopicPartition(topic, p), RecordsToDelete.beforeOffset(-1L));
        }
        while (true) {
            try {
                admin.deleteRecords(all).all().get();
            } catch (ExecutionException e) {
                // Try again in the next round.
            }
            Thread.sleep(PURGE_EVERY_MILLIS);
        }
    }
}
