import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Two more instances of a service. The first joins the group and stops polling, like a service that waits for a database, while
 * its heartbeats continue. Then the second joins, and the group waits for the first to join again. Arguments: bootstrap
 * servers, topic, group. Waits for the first byte on standard input, and runs until standard input ends.
 */
public final class Sleeper {
    /** A reference keeps it alive, and with it the thread that sends its heartbeats. */
    private static KafkaConsumer<byte[], byte[]> busy;

    public static void main(String[] args) throws Exception {
        if (System.in.read() < 0) {
            return;
        }
        Thread work = new Thread(() -> {
            busy = member(args);
            while (busy.assignment().isEmpty()) {
                busy.poll(Duration.ofMillis(100));
                busy.pause(busy.assignment());
            }
            KafkaConsumer<byte[], byte[]> next = member(args);
            while (true) {
                next.poll(Duration.ofMillis(100));
                next.pause(next.assignment());
            }
        });
        work.setDaemon(true);
        work.start();
        while (System.in.read() >= 0) {
            // Carries no data; ends when the parent process ends.
        }
    }

    private static KafkaConsumer<byte[], byte[]> member(String[] args) {
        Properties config = new Properties();
        config.putAll(Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, args[0],
                ConsumerConfig.GROUP_ID_CONFIG, args[2],
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "1"));
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config, bytes, bytes);
        consumer.subscribe(List.of(args[1]));
        return consumer;
    }
}
