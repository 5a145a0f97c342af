import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Instances of another deployment that has the same group.id by mistake: they join the group, are given partitions, keep them
 * with heartbeats and polls in good order, and read nothing. Arguments: brokers, topic, group, how many. Begins with the first byte
 * of its standard input, and ends with that.
 */
public final class Squatter {
    public static void main(String[] args) throws Exception {
        if (System.in.read() < 0) {
            return;
        }
        for (int i = 0; i < Integer.parseInt(args[3]); i++) {
            Thread member = new Thread(() -> sit(args[0], args[1], args[2]));
            member.setDaemon(true);
            member.start();
        }
        while (System.in.read() >= 0) {
            // Nothing is said on it: its end is the end of who started this.
        }
    }

    private static void sit(String brokers, String topic, String group) {
        Properties config = new Properties();
        config.putAll(Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers,
                ConsumerConfig.GROUP_ID_CONFIG, group,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "1"));
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config, bytes, bytes);
        consumer.subscribe(List.of(topic));
        while (true) {
            consumer.poll(Duration.ofMillis(100));
            consumer.pause(consumer.assignment());
        }
    }
}
