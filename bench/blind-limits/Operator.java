import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * An operator of the cluster. Arguments: the action (offsets, quota, deny or trace), bootstrap servers, and a topic for deny.
 * Waits for the first byte on standard input, and runs until standard input ends. Only offsets starts at once and ends by
 * itself.
 */
public final class Operator {
    private static final String ANYBODY = "User:*";
    private static final String OFFSETS = "__consumer_offsets";
    private static final int OFFSETS_PARTITIONS = 4;
    private static final int THE_ONE = 3;
    private static final double BYTES_PER_SECOND = 100_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("offsets")) {
            with(args[1], Operator::placeOffsets);
            return;
        }
        if (System.in.read() < 0) {
            return;
        }
        with(args[1], admin -> {
            switch (args[0]) {
                case "quota" -> limitReaders(admin);
                case "deny" -> deny(admin, args[2]);
                case "trace" -> trace(admin);
                default -> throw new IllegalArgumentException(args[0]);
            }
        });
        while (System.in.read() >= 0) {
            // Carries no data; ends when the parent process ends.
        }
    }

    private interface Work {
        void on(Admin admin) throws Exception;
    }

    private static void with(String brokers, Work work) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            work.on(admin);
        }
    }

    /** Sets a default consumer quota: each client id can read 100 KB/s from each broker. */
    private static void limitReaders(Admin admin) throws Exception {
        Map<String, String> anyClient = new HashMap<>();
        anyClient.put(ClientQuotaEntity.CLIENT_ID, null);
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(new ClientQuotaEntity(anyClient),
                List.of(new ClientQuotaAlteration.Op("consumer_byte_rate", BYTES_PER_SECOND))))).all().get();
    }

    /** Denies writes to the topic to all users; all other operations stay allowed. */
    private static void deny(Admin admin, String topic) throws Exception {
        ResourcePattern there = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
        admin.createAcls(List.of(
                new AclBinding(there, new AccessControlEntry(ANYBODY, "*", AclOperation.ALL, AclPermissionType.ALLOW)),
                new AclBinding(there, new AccessControlEntry(ANYBODY, "*", AclOperation.WRITE, AclPermissionType.DENY))))
                .all().get();
    }

    /** Sets all loggers of all brokers to TRACE. */
    private static void trace(Admin admin) throws Exception {
        for (var node : admin.describeCluster().nodes().get()) {
            ConfigResource loggers = new ConfigResource(ConfigResource.Type.BROKER_LOGGER, node.idString());
            Collection<AlterConfigOp> all = new ArrayList<>();
            for (ConfigEntry logger : admin.describeConfigs(List.of(loggers)).all().get().get(loggers).entries()) {
                all.add(new AlterConfigOp(new ConfigEntry(logger.name(), "TRACE"), AlterConfigOp.OpType.SET));
            }
            admin.incrementalAlterConfigs(Map.of(loggers, all)).all().get();
        }
    }

    /** Creates __consumer_offsets with its only replica on broker 3, as on a cluster that started with one broker. */
    private static void placeOffsets(Admin admin) throws Exception {
        Map<Integer, List<Integer>> replicas = new HashMap<>();
        for (int p = 0; p < OFFSETS_PARTITIONS; p++) {
            replicas.put(p, List.of(THE_ONE));
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (admin.describeCluster().nodes().get().stream().noneMatch(n -> n.id() == THE_ONE)) {
            pause(deadline);
        }
        admin.createTopics(List.of(new NewTopic(OFFSETS, replicas).configs(Map.of("cleanup.policy", "compact"))))
                .all().get();
        while (!led(admin)) {
            pause(deadline);
        }
    }

    private static boolean led(Admin admin) throws InterruptedException {
        try {
            return admin.describeTopics(List.of(OFFSETS)).allTopicNames().get().get(OFFSETS).partitions().stream()
                    .allMatch(p -> p.leader() != null && p.leader().id() == THE_ONE);
        } catch (java.util.concurrent.ExecutionException e) {
            if (e.getCause() instanceof KafkaException) {
                return false;
            }
            throw new IllegalStateException(e);
        }
    }

    private static void pause(long deadline) throws InterruptedException {
        if (System.nanoTime() > deadline) {
            throw new IllegalStateException("broker " + THE_ONE + " does not lead " + OFFSETS);
        }
        Thread.sleep(200);
    }
}
