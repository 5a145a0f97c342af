package io.plimsoll.cluster;

import io.plimsoll.Daemon;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ApiLevels;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Determines the capabilities of a cluster by trying each supported request on a temporary topic. Deletes the topic and
 * its groups at the end. Used by one thread.
 */
public final class ClusterProbe {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(1);
    private static final int RECORD_BYTES = 100;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final ClusterConnection connection;
    private final Admin admin;
    private final String own = "plimsoll-probe-" + UUID.randomUUID().toString().substring(0, 8);
    private final TopicPartition partition = new TopicPartition(own, 0);
    private final Map<Ability, Found> found = new EnumMap<>(Ability.class);

    /** Result for one ability: whether it works, and the observation or the error, which can be empty. */
    public record Found(boolean works, Sentence detail) {}

    /** @param features finalized features of the cluster with their levels */
    public record Findings(
            ClusterDescription cluster,
            ApiLevels levels,
            Map<String, Integer> features,
            Map<Ability, Found> abilities) {}

    private ClusterProbe(ClusterConnection connection, Admin admin) {
        this.connection = connection;
        this.admin = admin;
    }

    /** @throws PlimsollException if the cluster is unreachable */
    public static Findings of(ClusterConnection connection) {
        ClusterDescription cluster = connection.check();
        ApiLevels levels = ApiLevels.ask(connection.clientProperties());
        try (Admin admin = connection.admin()) {
            // The clean-up completes even if the process is being terminated.
            ClusterProbe probe = new ClusterProbe(connection, admin);
            Runnable stop = Thread.currentThread()::interrupt;
            return Daemon.untilSignal(stop, PATIENCE.multipliedBy(2), () -> {}, () -> probe.all(cluster, levels));
        }
    }

    private Findings all(ClusterDescription cluster, ApiLevels levels) {
        for (Ability ability : Ability.values()) {
            if (!ability.in(levels)) {
                List<String> lacking = ability.requests().stream()
                        .filter(request -> !levels.has(request))
                        .toList();
                found.put(ability, new Found(false, Sentence.of("cluster.requestsUnknown", lacking)));
            }
        }
        try {
            records();
            groups();
            settings(cluster);
            counted(Ability.REASSIGNMENT, () -> get(admin.listPartitionReassignments()
                            .reassignments())
                    .keySet());
            tryOut(Ability.ELECTION, () -> {
                get(admin.electLeaders(ElectionType.PREFERRED, Set.of(partition))
                        .partitions());
                return "";
            });
            tell(
                    Ability.CONTROLLERS,
                    () -> Sentence.of(
                            "cluster.ledBy",
                            get(admin.describeMetadataQuorum().quorumInfo()).leaderId()));
            counted(
                    Ability.ACLS,
                    () -> get(admin.describeAcls(AclBindingFilter.ANY).values()));
            tryOut(Ability.TELEMETRY, () -> "");
            Map<String, Integer> features = new HashMap<>();
            tryOut(Ability.FEATURES, () -> {
                get(admin.describeFeatures().featureMetadata())
                        .finalizedFeatures()
                        .forEach((name, level) -> features.put(name, (int) level.maxVersionLevel()));
                return "";
            });
            return new Findings(cluster, levels, Map.copyOf(features), Map.copyOf(found));
        } finally {
            // Clear the interrupt, because the clean-up has to wait for responses.
            boolean unused = Thread.interrupted();
            remove();
        }
    }

    private void records() {
        tryOut(Ability.TOPICS, () -> {
            NewTopic topic = new NewTopic(own, Optional.of(1), Optional.empty());
            TopicMark mark = new TopicMark(ThreadLocalRandom.current().nextInt(1 << 24), Instant.now(), LONGEST);
            try {
                // Allows "plimsoll clean" to find the leftovers of a killed probe.
                get(admin.createTopics(Set.of(topic.configs(Map.of(TopicMark.PROPERTY, mark.text()))))
                        .all());
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof PolicyViolationException
                        || e.getCause() instanceof InvalidConfigurationException)) {
                    throw e;
                }
                get(admin.createTopics(Set.of(topic.configs(Map.of()))).all());
            }
            return "";
        });
        tryOut(Ability.PRODUCE, () -> send(Map.of("acks", "all", "enable.idempotence", false)));
        tryOut(Ability.IDEMPOTENCE, () -> send(Map.of("acks", "all", "enable.idempotence", true)));
        tryOut(Ability.TRANSACTIONS, () -> send(Map.of("transactional.id", own)));
        tryOut(Ability.COMPRESSION, () -> {
            List<String> codecs = new ArrayList<>();
            for (String codec : List.of("gzip", "snappy", "lz4", "zstd")) {
                send(Map.of("compression.type", codec, "enable.idempotence", false));
                codecs.add(codec);
            }
            return String.join(", ", codecs);
        });
        tryOut(Ability.FETCH, () -> {
            try (KafkaConsumer<byte[], byte[]> consumer = consumer(Map.of())) {
                consumer.assign(Set.of(partition));
                some(consumer);
                return "";
            }
        });
    }

    private void groups() {
        tryOut(Ability.GROUPS, () -> join("classic"));
        tryOut(Ability.CONSUMER_GROUPS, () -> join("consumer"));
        tryOut(Ability.SHARE_GROUPS, () -> {
            Map<String, Object> config = client(Map.of("group.id", own + "-share"));
            try (KafkaShareConsumer<byte[], byte[]> consumer =
                    new KafkaShareConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                consumer.subscribe(Set.of(own));
                consumer.poll(Duration.ofSeconds(2));
                return "";
            }
        });
    }

    private void settings(ClusterDescription cluster) {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, own);
        int first = cluster.ids().stream()
                .filter(id -> !cluster.unreachable().containsKey(id))
                .findFirst()
                .orElse(cluster.ids().get(0));
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "" + first);
        tryOut(Ability.LIMITS, () -> {
            Config of = config(broker);
            return Stream.of("message.max.bytes", "num.io.threads", "num.network.threads", "min.insync.replicas")
                    .filter(name -> of.get(name) != null)
                    .map(name -> name + "=" + of.get(name).value())
                    .collect(Collectors.joining(", "));
        });
        tryOut(Ability.CONFIGS, () -> set(topic, "max.message.bytes", "900000"));
        tryOut(Ability.TIMESTAMPS, () -> {
            String usual = config(topic).get("message.timestamp.type").value();
            set(topic, "message.timestamp.type", "LogAppendTime");
            return usual + ", LogAppendTime";
        });
        counted(Ability.LOG_DIRS, () -> get(Objects.requireNonNull(
                        admin.describeLogDirs(Set.of(first)).descriptions().get(first)))
                .keySet());
        counted(Ability.QUOTAS, () -> get(admin.describeClientQuotas(ClientQuotaFilter.all())
                        .entities())
                .keySet());
    }

    private String set(ConfigResource topic, String name, String value) throws Exception {
        get(admin.incrementalAlterConfigs(Map.of(
                        topic, List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
                .all());
        return name;
    }

    private String send(Map<String, Object> settings) throws Exception {
        Map<String, Object> config = client(settings);
        // Otherwise each send to a missing topic would wait for a minute.
        config.put("max.block.ms", PATIENCE.toMillis());
        KafkaProducer<byte[], byte[]> producer = connection.producer(config);
        try {
            boolean transactional = settings.containsKey("transactional.id");
            if (transactional) {
                producer.initTransactions();
                producer.beginTransaction();
            }
            RecordMetadata sent = producer.send(new ProducerRecord<>(own, 0, null, new byte[RECORD_BYTES]))
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (transactional) {
                producer.commitTransaction();
            }
            return sent.hasOffset() ? "" : "offset?";
        } finally {
            // Without enough in-sync replicas, the record would otherwise wait for two minutes.
            producer.close(CLOSING);
        }
    }

    private String join(String protocol) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                consumer(Map.of("group.id", own + "-" + protocol, "group.protocol", protocol))) {
            consumer.subscribe(Set.of(own));
            some(consumer);
            consumer.commitSync(PATIENCE);
            return "";
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> settings) {
        Map<String, Object> config = client(settings);
        config.put("auto.offset.reset", "earliest");
        return connection.consumer(config);
    }

    private static ConsumerRecords<byte[], byte[]> some(KafkaConsumer<byte[], byte[]> consumer) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(500));
        while (records.isEmpty() && System.nanoTime() < deadline) {
            records = consumer.poll(Duration.ofMillis(500));
        }
        if (records.isEmpty()) {
            throw new TimeoutException("no records came");
        }
        return records;
    }

    private Map<String, Object> client(Map<String, Object> settings) {
        Map<String, Object> config = new HashMap<>(connection.clientProperties());
        config.put("client.id", own);
        config.putAll(settings);
        return config;
    }

    private void tryOut(Ability ability, Callable<String> trial) {
        tell(ability, () -> Sentence.verbatim(trial.call()));
    }

    private void tell(Ability ability, Callable<Sentence> trial) {
        if (found.containsKey(ability)) {
            return;
        }
        try {
            found.put(ability, new Found(true, trial.call()));
        } catch (InterruptedException e) {
            throw Answers.interrupted(e, "probe", own);
        } catch (Exception e) {
            boolean ofCluster = ability == Ability.LIMITS || ability == Ability.QUOTAS || ability == Ability.ACLS;
            Sentence why = KafkaErrors.explain(
                            KafkaErrors.unwrap(e),
                            doing(ability),
                            ofCluster ? Sentence.of("cluster.onCluster") : Sentence.verbatim(own))
                    .sentence();
            found.put(ability, new Found(false, why));
        }
    }

    /** The attempted action, from which an error derives the missing permission. */
    private static String doing(Ability ability) {
        return switch (ability) {
            case TOPICS -> "create topic";
            case PRODUCE, IDEMPOTENCE, TRANSACTIONS, COMPRESSION -> "send to topic";
            case FETCH, GROUPS, CONSUMER_GROUPS, SHARE_GROUPS -> "read from topic";
            case CONFIGS, TIMESTAMPS -> "change settings of";
            case LIMITS, QUOTAS -> "read the configuration of";
            case ACLS -> "read the ACLs of";
            case ELECTION -> "elect leaders of";
            default -> "try";
        };
    }

    private void counted(Ability ability, Callable<Collection<?>> trial) {
        tell(ability, () -> Sentence.of("cluster.counted", trial.call().size()));
    }

    private Config config(ConfigResource of) throws Exception {
        return get(Objects.requireNonNull(
                admin.describeConfigs(Set.of(of)).values().get(of)));
    }

    private static <T> T get(KafkaFuture<T> future) throws Exception {
        return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Deletes the created resources, as far as the cluster allows it. */
    private void remove() {
        remove(admin.deleteConsumerGroups(List.of(own + "-classic", own + "-consumer"))
                .all());
        remove(admin.deleteShareGroups(List.of(own + "-share")).all());
        remove(admin.deleteTopics(Set.of(own)).all());
    }

    private static void remove(KafkaFuture<Void> removal) {
        try {
            get(removal);
        } catch (Exception e) {
            // The resource does not exist, expires by itself, or cannot be deleted; its name identifies it.
        }
    }
}
