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
 * Another instance of a service that was deployed with the same name as the first. Arguments: producer, brokers, transactional.id;
 * or member, brokers, topic, group, group.instance.id. It begins two seconds after the first byte of its standard input, is
 * started again whenever it fails, and ends with its standard input.
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
            // Nothing is said on it: its end is the end of who started this.
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
            // Started again.
        }
    }

    /** From its start on no other producer may use the name; it has nothing to send. */
    private static void produce(String brokers, String id) {
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers, "transactional.id", id), bytes, bytes)) {
            producer.initTransactions();
        }
    }

    /** It is given what the first had, and reads nothing. */
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
