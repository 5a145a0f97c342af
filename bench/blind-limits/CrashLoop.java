import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * An instance of a service that is started again and again because it fails in its first second: joins the consumer group,
 * reads nothing, commits nothing, leaves, and comes back. Arguments: brokers, topic, group. Begins with the first byte of its
 * standard input, and ends with that.
 */
public final class CrashLoop {
    public static void main(String[] args) throws Exception {
        Properties config = new Properties();
        config.putAll(Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, args[0],
                ConsumerConfig.GROUP_ID_CONFIG, args[2],
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "1"));
        if (System.in.read() < 0) {
            return;
        }
        Thread load = new Thread(() -> {
            while (true) {
                fail(config, args[1]);
            }
        });
        load.setDaemon(true);
        load.start();
        while (System.in.read() >= 0) {
            // Nothing is said on it: its end is the end of who started this.
        }
    }

    private static void fail(Properties config, String topic) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config, bytes, bytes)) {
            consumer.subscribe(List.of(topic));
            for (long end = System.nanoTime() + 5_000_000_000L; System.nanoTime() < end; ) {
                consumer.poll(Duration.ofMillis(100));
                if (!consumer.assignment().isEmpty()) {
                    consumer.pause(consumer.assignment());
                    Thread.sleep(500);
                    return;
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
