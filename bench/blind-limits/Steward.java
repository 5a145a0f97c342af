import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/**
 * An operator that sets a quota or moves leaders. Arguments: the action (quota or leaders), bootstrap servers, and a topic for
 * leaders. quota starts at once and ends by itself; leaders waits for the first byte on standard input, and runs until standard
 * input ends.
 */
public final class Steward {
    private static final double WRITTEN_BYTES_PER_SECOND = 30_000;
    private static final int THE_ONE = 1;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("quota")) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[1]))) {
                limitWriters(admin);
            }
            return;
        }
        if (System.in.read() < 0) {
            return;
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[1]))) {
            leadAll(admin, args[2]);
        }
        while (System.in.read() >= 0) {
            // Carries no data; ends when the parent process ends.
        }
    }

    /** Sets a default producer quota: each client id can write 30 KB/s to each broker. */
    private static void limitWriters(Admin admin) throws Exception {
        Map<String, String> anyClient = new HashMap<>();
        anyClient.put(ClientQuotaEntity.CLIENT_ID, null);
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(new ClientQuotaEntity(anyClient),
                List.of(new ClientQuotaAlteration.Op("producer_byte_rate", WRITTEN_BYTES_PER_SECOND))))).all().get();
    }

    /** Makes broker 1 the leader of all partitions of the topic. Replicas stay on their brokers. */
    private static void leadAll(Admin admin, String topic) throws Exception {
        Map<TopicPartition, Optional<NewPartitionReassignment>> order = new HashMap<>();
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().forEach(p -> {
            List<Integer> replicas = new ArrayList<>(p.replicas().stream().map(n -> n.id()).toList());
            replicas.remove(Integer.valueOf(THE_ONE));
            replicas.add(0, THE_ONE);
            order.put(new TopicPartition(topic, p.partition()), Optional.of(new NewPartitionReassignment(replicas)));
        });
        admin.alterPartitionReassignments(order).all().get();
        admin.electLeaders(ElectionType.PREFERRED, order.keySet()).partitions().get();
    }
}
