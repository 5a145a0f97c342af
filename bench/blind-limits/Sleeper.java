import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Two more instances of a service, of which the first is busy: it has joined the group, and does not poll while it waits for a
 * database, though its heartbeats go on. Then the second joins, and the group waits for the first to join again. Arguments:
 * brokers, topic, group. Begins with the first byte of its standard input, and ends with that.
 */
public final class Sleeper {
    /** Its heartbeats come from a thread of its own, as long as it is there. */
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
            // Nothing is said on it: its end is the end of who started this.
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
