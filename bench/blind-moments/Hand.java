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
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/**
 * Executes administrative commands from standard input. Argument: bootstrap servers. Each line is a command, and its answer is a
 * line with the start and the end of the operation in microseconds since the epoch, unless stated otherwise:
 *
 * <ul>
 *   <li>{@code ready} only sends a request
 *   <li>{@code controller} answers with the id of the controller and 0
 *   <li>{@code group NAME} answers with the number of members, and 1 if the group is stable or 0
 *   <li>{@code fence TRANSACTIONAL_ID} fences a producer
 *   <li>{@code quota BYTES_PER_SECOND [KEY [USER]]} sets a quota for a user, or the default for client ids; 0 removes it
 *   <li>{@code prepare TOPIC FROM TO} puts broker TO first in the replicas of the partitions that broker FROM leads
 *   <li>{@code lead TOPIC} then elects the preferred leaders
 *   <li>{@code move TOPIC FROM TO} does the same as prepare, and also removes FROM from these replicas
 * </ul>
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
                if (words[0].equals("group")) {
                    ConsumerGroupDescription group = admin.describeConsumerGroups(List.of(words[1])).all().get().get(words[1]);
                    System.out.println(group.members().size() + " " + (group.groupState() == GroupState.STABLE ? 1 : 0));
                    continue;
                }
                switch (words[0]) {
                    case "quota" -> quota(
                            admin,
                            Double.parseDouble(words[1]),
                            words.length > 2 ? words[2] : "producer_byte_rate",
                            words.length > 3
                                    ? Map.of(ClientQuotaEntity.USER, words[3])
                                    : Collections.singletonMap(ClientQuotaEntity.CLIENT_ID, null));
                    case "fence" -> admin.fenceProducers(List.of(words[1])).all().get();
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

    private static void quota(Admin admin, double bytesPerSecond, String key, Map<String, String> of) throws Exception {
        Double value = bytesPerSecond == 0 ? null : bytesPerSecond;
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                        new ClientQuotaEntity(of), List.of(new ClientQuotaAlteration.Op(key, value)))))
                .all()
                .get();
    }

    /** Puts broker {@code to} first in the replicas, which does not change leaders; {@code away} removes {@code from}. */
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
