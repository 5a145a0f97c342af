import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A service instance in a crash loop: joins the consumer group, leaves half a second after it gets partitions, without reading
 * or committing, and joins again. Arguments: bootstrap servers, topic, group. Waits for the first byte on standard input, and
 * runs until standard input ends.
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
            // Carries no data; ends when the parent process ends.
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
