import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Instances of another deployment with the same group.id by mistake. They join the group, get partitions, keep them with regular
 * heartbeats and polls, and read nothing. Arguments: bootstrap servers, topic, group, number of instances. Waits for the first
 * byte on standard input, and runs until standard input ends.
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
            // Carries no data; ends when the parent process ends.
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
