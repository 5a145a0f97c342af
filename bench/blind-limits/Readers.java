import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Applications beside the load, and changes by an operator before it. The first argument selects the action:
 *
 * <ul>
 *   <li>{@code topic BROKERS NAME PARTITIONS} creates a topic and ends
 *   <li>{@code drop BROKERS NAME} deletes it and ends
 *   <li>{@code quota BROKERS PROPERTY VALUE [CLIENT]} sets a quota for this client id, or a default quota, and ends
 *   <li>{@code fill BROKERS TOPIC MEGABYTES} creates a topic with records of 1 KB and ends
 *   <li>{@code member BROKERS TOPIC GROUP MICROS RECORDS [HOW]} is a group member that works MICROS on each record, polls at
 *       most RECORDS records, and commits after each poll with records. With HOW {@code cpu}, the work uses CPU time. With
 *       {@code retry}, the work on the first record of partition 0 fails, and the member reads this record again and again
 *   <li>{@code hold BROKERS TOPIC PARTITIONS MILLIS} writes to the first PARTITIONS partitions in a transaction, aborts it
 *       after MILLIS, and begins the next one
 *   <li>{@code replay BROKERS TOPIC READERS} reads a whole topic repeatedly, without a group, with READERS parallel consumers
 * </ul>
 *
 * The last three write a line to standard output when they have started, and end when standard input ends.
 */
public final class Readers {
    private static final int RECORD_BYTES = 1000;
    private static final int FILLED_PARTITIONS = 12;
    private static final long RETRY_MICROS = 200_000;

    private Readers() {}

    public static void main(String[] args) throws Exception {
        String brokers = args[1];
        switch (args[0]) {
            case "topic" -> create(brokers, args[2], Integer.parseInt(args[3]));
            case "drop" -> drop(brokers, args[2]);
            case "quota" -> quota(brokers, args[2], Double.parseDouble(args[3]), args.length > 4 ? args[4] : null);
            case "fill" -> fill(brokers, args[2], Integer.parseInt(args[3]));
            case "member" -> {
                String how = args.length > 6 ? args[6] : "wait";
                background(() -> member(brokers, args[2], args[3], Long.parseLong(args[4]), args[5], how));
            }
            case "hold" -> background(() -> hold(brokers, args[2], Integer.parseInt(args[3]), Long.parseLong(args[4])));
            case "replay" -> {
                for (int i = 1; i < Integer.parseInt(args[3]); i++) {
                    daemon(() -> replay(brokers, args[2]));
                }
                background(() -> replay(brokers, args[2]));
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void create(String brokers, String topic, int partitions) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
                    .all()
                    .get();
        }
    }

    private static void drop(String brokers, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            admin.deleteTopics(List.of(topic)).all().get();
        }
    }

    /** Sets a quota for a client id; null means each client id without a quota of its own. */
    private static void quota(String brokers, String property, double value, String client) throws Exception {
        Map<String, String> clients = new HashMap<>();
        clients.put(ClientQuotaEntity.CLIENT_ID, client);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            new ClientQuotaEntity(clients), List.of(new ClientQuotaAlteration.Op(property, value)))))
                    .all()
                    .get();
        }
    }

    private static void fill(String brokers, String topic, int megabytes) throws Exception {
        create(brokers, topic, FILLED_PARTITIONS);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers, "acks", "1", "batch.size", 200_000, "linger.ms", 5), bytes, bytes)) {
            for (int i = 0; i < megabytes * 1_000_000 / RECORD_BYTES; i++) {
                producer.send(new ProducerRecord<>(topic, i % FILLED_PARTITIONS, null, new byte[RECORD_BYTES]));
            }
            producer.flush();
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    private static void background(Runnable work) throws Exception {
        daemon(work);
        while (System.in.read() >= 0) {
            // Carries no data; ends when the parent process ends.
        }
    }

    private static void ready() {
        try {
            OutputStream out = System.out;
            out.write('\n');
            out.flush();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void member(String brokers, String topic, String group, long micros, String records, String how) {
        Properties config = new Properties();
        config.putAll(Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers,
                ConsumerConfig.GROUP_ID_CONFIG, group,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, records));
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config, bytes, bytes);
        consumer.subscribe(List.of(topic));
        boolean told = false;
        while (true) {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(100));
            if (!told && !consumer.groupMetadata().memberId().isEmpty()) {
                // Without a first commit, the lag of the group is unknown.
                consumer.assignment().forEach(consumer::position);
                consumer.commitSync();
                ready();
                told = true;
            }
            if (how.equals("cpu")) {
                burn(polled.count() * micros);
            } else {
                work(polled.count() * micros);
            }
            if (how.equals("retry")) {
                again(consumer, polled.records(new TopicPartition(topic, 0)));
            }
            if (!polled.isEmpty()) {
                consumer.commitSync();
            }
        }
    }

    /** Moves back to the first of these records, after a pause. */
    private static void again(KafkaConsumer<byte[], byte[]> consumer, List<ConsumerRecord<byte[], byte[]>> failed) {
        if (!failed.isEmpty()) {
            ConsumerRecord<byte[], byte[]> first = failed.get(0);
            consumer.seek(new TopicPartition(first.topic(), first.partition()), first.offset());
            work(RETRY_MICROS);
        }
    }

    private static void burn(long micros) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + micros * 1000;
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static void hold(String brokers, String topic, int partitions, long millis) {
        ByteArraySerializer bytes = new ByteArraySerializer();
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers, "transactional.id", "reconciliation"), bytes, bytes);
        producer.initTransactions();
        boolean first = true;
        while (true) {
            producer.beginTransaction();
            for (int i = 0; i < partitions; i++) {
                producer.send(new ProducerRecord<>(topic, i, null, new byte[RECORD_BYTES]));
            }
            producer.flush();
            if (first) {
                ready();
                first = false;
            }
            work(millis * 1000);
            producer.abortTransaction();
        }
    }

    private static void work(long micros) {
        try {
            Thread.sleep(micros / 1000, (int) (micros % 1000) * 1000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void replay(String brokers, String topic) {
        Properties config = new Properties();
        config.putAll(Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers,
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG, "200000",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "100000"));
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config, bytes, bytes);
        consumer.assign(consumer.partitionsFor(topic).stream()
                .map(p -> new TopicPartition(topic, p.partition()))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
        ready();
        while (true) {
            if (consumer.poll(Duration.ofMillis(200)).isEmpty()) {
                consumer.seekToBeginning(consumer.assignment());
            }
        }
    }
}
