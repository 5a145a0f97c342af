import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/**
 * The hand of an administrator. Argument: brokers. Does what each line of its standard input says, and answers each with a line:
 * microseconds since the epoch before and after. Lines: {@code ready}, {@code controller} (its id comes first),
 * {@code quota BYTES_PER_SECOND [KEY]} (0 lifts it), {@code prepare TOPIC FROM TO}, after which {@code lead TOPIC} makes the
 * broker TO the leader of the partitions that FROM leads, and {@code move TOPIC FROM TO}, which at once also takes FROM's
 * replicas of these away.
 */
public final class Hand {
    public static void main(String[] args) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]));
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                long from = micros();
                if (words[0].equals("controller")) {
                    System.out.println(admin.describeMetadataQuorum().quorumInfo().get().leaderId() + " 0");
                    continue;
                }
                switch (words[0]) {
                    case "quota" -> quota(
                            admin, Double.parseDouble(words[1]), words.length > 2 ? words[2] : "producer_byte_rate");
                    case "prepare", "move" -> from = reassign(
                            admin, words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]), words[0].equals("move"));
                    case "lead" -> from = lead(admin, words[1]);
                    default -> admin.describeCluster().nodes().get();
                }
                System.out.println(from + " " + micros());
            }
        }
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private static void quota(Admin admin, double bytesPerSecond, String key) throws Exception {
        ClientQuotaEntity all = new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.CLIENT_ID, null));
        Double value = bytesPerSecond == 0 ? null : bytesPerSecond;
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                        all, List.of(new ClientQuotaAlteration.Op(key, value)))))
                .all()
                .get();
    }

    /** Another order of the replicas, with no change of leaders yet; or, if {@code away}, replicas without the leader. */
    private static long reassign(Admin admin, String topic, int from, int to, boolean away) throws Exception {
        Map<TopicPartition, Optional<NewPartitionReassignment>> orders = new HashMap<>();
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().forEach(partition -> {
            if (partition.leader().id() == from) {
                List<Integer> replicas = new ArrayList<>(List.of(to));
                partition.replicas().stream()
                        .map(node -> node.id())
                        .filter(id -> id != to && !(away && id == from))
                        .forEach(replicas::add);
                orders.put(new TopicPartition(topic, partition.partition()), Optional.of(new NewPartitionReassignment(replicas)));
            }
        });
        long began = micros();
        admin.alterPartitionReassignments(orders).all().get();
        return began;
    }

    private static long lead(Admin admin, String topic) throws Exception {
        Set<TopicPartition> all = new java.util.HashSet<>();
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions()
                .forEach(partition -> all.add(new TopicPartition(topic, partition.partition())));
        long began = micros();
        admin.electLeaders(ElectionType.PREFERRED, all).partitions().get();
        return began;
    }
}
