import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A second instance of a service, deployed with the same name as the first. Arguments: producer, bootstrap servers,
 * transactional.id; or member, bootstrap servers, topic, group, group.instance.id. Starts two seconds after the first byte on
 * standard input, starts again 0.3 s after each end, and runs until standard input ends.
 */
public final class Twin {
    private static final long AFTER_MILLIS = 2000;
    private static final long AGAIN_MILLIS = 300;

    public static void main(String[] args) throws Exception {
        if (System.in.read() < 0) {
            return;
        }
        Thread work = new Thread(() -> {
            try {
                Thread.sleep(AFTER_MILLIS);
                while (true) {
                    live(args);
                    Thread.sleep(AGAIN_MILLIS);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        work.setDaemon(true);
        work.start();
        while (System.in.read() >= 0) {
            // Carries no data; ends when the parent process ends.
        }
    }

    private static void live(String[] args) {
        try {
            if (args[0].equals("producer")) {
                produce(args[1], args[2]);
            } else {
                consume(args[1], args[2], args[3], args[4]);
            }
        } catch (KafkaException e) {
            // The caller starts it again.
        }
    }

    /** Fences all other producers with this transactional.id, and sends nothing. */
    private static void produce(String brokers, String id) {
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers, "transactional.id", id), bytes, bytes)) {
            producer.initTransactions();
        }
    }

    /** Takes over the partitions of the first instance, and reads nothing. */
    private static void consume(String brokers, String topic, String group, String instance) {
        Properties config = new Properties();
        config.putAll(Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers,
                ConsumerConfig.GROUP_ID_CONFIG, group,
                ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, instance,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "1"));
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config, bytes, bytes)) {
            consumer.subscribe(List.of(topic));
            while (true) {
                consumer.poll(Duration.ofMillis(100));
                consumer.pause(consumer.assignment());
            }
        }
    }
}
