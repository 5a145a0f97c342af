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
 * One who hands out what a cluster has. Arguments: what it does, brokers, and with leaders a topic. With quota it is done at once,
 * and ends by itself; with leaders it begins with the first byte of its standard input, and ends with that.
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
            // Nothing is said on it: its end is the end of who started this.
        }
    }

    /** Whoever writes may write so many bytes a second to each broker. */
    private static void limitWriters(Admin admin) throws Exception {
        Map<String, String> anyClient = new HashMap<>();
        anyClient.put(ClientQuotaEntity.CLIENT_ID, null);
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(new ClientQuotaEntity(anyClient),
                List.of(new ClientQuotaAlteration.Op("producer_byte_rate", WRITTEN_BYTES_PER_SECOND))))).all().get();
    }

    /** One broker leads all partitions of the topic; the copies stay where they are. */
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
