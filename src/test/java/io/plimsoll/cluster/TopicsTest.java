package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics.Readers;
import io.plimsoll.cluster.Topics.TopicReport;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.testing.Acls;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsResult;
import org.apache.kafka.clients.admin.DescribeStreamsGroupsResult;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListGroupsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.StreamsGroupDescription;
import org.apache.kafka.clients.admin.internals.CoordinatorKey;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Topics are created, described and deleted, and usable immediately. */
class TopicsTest {
    private static final Duration WAIT = Duration.ofSeconds(30);

    private static ClusterConnection connection;
    private static Admin admin;
    private static Topics topics;

    private final String name = "topics-test-" + UUID.randomUUID();

    @BeforeAll
    static void connect() {
        connection = new ClusterConnection(SharedLab.threeBrokers().bootstrapServers(), Map.of());
        admin = connection.admin();
        topics = new Topics(admin);
    }

    @AfterAll
    static void disconnect() {
        admin.close();
    }

    private static PlimsollException failureOf(Runnable action) {
        return catchThrowableOfType(PlimsollException.class, action::run);
    }

    private static NewTopic topic(String name) {
        return new NewTopic(name, 1, (short) 1);
    }

    private void send(int partition, int records) throws Exception {
        Map<String, Object> config = new HashMap<>(connection.clientProperties());
        // No second attempt: a partition that is not usable yet would show.
        config.put("retries", "0");
        config.put("enable.idempotence", "false");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(name, partition, null, new byte[] {1}))
                        .get();
            }
        }
    }

    @Test
    void topicsAreUsableAtOnceAndCanBeRecreated() throws Exception {
        for (int round = 0; round < 3; round++) {
            topics.create(List.of(new NewTopic(name, 6, (short) 3)), WAIT);
            assertThat(topics.leaders(Set.of(name))).hasSize(6).doesNotContainValue(-1);
            for (int partition = 0; partition < 6; partition++) {
                send(partition, 1);
            }
            assertThat(topics.endOffsets(Set.of(name)).values()).containsOnly(1L);
            topics.delete(Set.of(name), WAIT);
            assertThat(topics.names(true)).doesNotContain(name);
            assertThat(topics.lookup(Set.of(name))).containsEntry(name, Optional.empty());
        }
    }

    @Test
    void reportsOffsetsConfigurationAndSize() throws Exception {
        TopicSpec spec = TopicSpec.of(name)
                .with(TopicSpec.PARTITIONS, 2)
                .with(TopicSpec.REPLICATION, 2)
                .with(TopicSpec.CONFIG, Map.of("retention.ms", "3600000"));
        topics.create(List.of(Topics.newTopic(spec)), WAIT);
        send(1, 5);
        assertThat(topics.endOffsets(Set.of(name)))
                .isEqualTo(Map.of(new TopicPartition(name, 0), 0L, new TopicPartition(name, 1), 5L));
        assertThat(topics.earliestOffsets(Set.of(name)).values()).containsOnly(0L);
        assertThat(topics.configs(Set.of(name))).containsEntry(name, Map.of("retention.ms", "3600000"));
        Map<TopicPartition, Long> sizes = topics.sizesOnDisk(Set.of(name)).orElseThrow();
        assertThat(sizes).hasSize(2).containsEntry(new TopicPartition(name, 0), 0L);
        assertThat(sizes.get(new TopicPartition(name, 1))).isPositive();
        TopicReport report = TopicReport.of(topics, Set.of(name)).get(0);
        assertThat(report.records()).isEqualTo(5);
        assertThat(report.replication()).isEqualTo(2);
        assertThat(report.bytes()).isEqualTo(sizes.get(new TopicPartition(name, 1)));
        assertThat(report.partitions().get(1).inSync()).hasSize(2);
        topics.delete(Set.of(name), WAIT);
    }

    @Test
    void createsAllOrNone() {
        topics.create(List.of(topic(name)), WAIT);
        String other = name + "-other";
        PlimsollException failure = failureOf(() -> topics.create(List.of(topic(other), topic(name)), WAIT));
        assertThat(failure.exit()).isEqualTo(Exit.USAGE);
        assertThat(failure.getMessage()).contains(name, "already exists");
        // The deletion of created topics has started; wait until every broker has finished it.
        long deadline = System.nanoTime() + WAIT.toNanos();
        Set<String> left = topics.names(false);
        while (left.contains(other) && System.nanoTime() < deadline) {
            left = topics.names(false);
        }
        assertThat(left).contains(name).doesNotContain(other);
        topics.delete(Set.of(name), WAIT);
    }

    private List<NewTopic> many(int count, int partitions) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        new NewTopic(name + "-" + i, partitions, (short) 1).configs(Map.of("retention.ms", "3600000")))
                .toList();
    }

    /** Controllers refuse a request with more than 10,000 partitions. */
    @Test
    void validatesMorePartitionsThanRequestLimit() {
        List<Sentence> refusals = new ArrayList<>();
        topics.tryToCreate(many(12, 1000), refusals::add);
        assertThat(refusals).isEmpty();
        assertThat(topics.accepts(many(12, 1000))).isTrue();
        assertThat(topics.accepts(List.of(topic(name), new NewTopic(name + "-x", 1, (short) 4))))
                .isFalse();
    }

    /** Controllers refuse a request with more than 10,000 changes: here, a topic, a partition and a setting each. */
    @Test
    @Tag("nightly")
    void createsMoreTopicsThanRequestLimit() throws Exception {
        try (Lab lab = Lab.start(LabOptions.ephemeral(1));
                Admin own = new ClusterConnection(lab.bootstrapServers(), Map.of()).admin()) {
            Topics there = new Topics(own);
            List<NewTopic> many = many(3400, 1);
            assertThat(there.create(many, WAIT)).hasSize(3400).doesNotContainValue(Uuid.ZERO_UUID);
            assertThat(there.names(false)).hasSize(3400);
            there.delete(there.names(false), WAIT);
            assertThat(there.names(false)).isEmpty();
        }
    }

    @Test
    void explainsRefusedAndMissingTopics() {
        PlimsollException tooMany = failureOf(() -> topics.create(List.of(new NewTopic(name, 1, (short) 4)), WAIT));
        assertThat(tooMany.exit()).isEqualTo(Exit.USAGE);
        assertThat(tooMany.sentence().english()).contains(name).containsPattern(Said.en("cluster.tooManyReplicas"));
        PlimsollException config =
                failureOf(() -> topics.create(List.of(topic(name).configs(Map.of("retention.sm", "1"))), WAIT));
        assertThat(config.exit()).isEqualTo(Exit.USAGE);
        assertThat(config.getMessage()).contains(name, "retention.sm");
        PlimsollException missing = failureOf(() -> topics.describe(Set.of(name)));
        assertThat(missing.exit()).isEqualTo(Exit.USAGE);
        assertThat(missing.getMessage()).contains(name, "no such topic");
    }

    private static <T> T made(Class<T> type, Class<?> parameter, Object argument) throws ReflectiveOperationException {
        Constructor<T> constructor = type.getDeclaredConstructor(parameter);
        constructor.setAccessible(true);
        return constructor.newInstance(argument);
    }

    /** A cluster with a broker that does not list its groups, and with one group that the user may not read. */
    private static Object answer(String method, Map<TopicPartition, OffsetAndMetadata> committed)
            throws ReflectiveOperationException {
        KafkaFutureImpl<Map<TopicPartition, OffsetAndMetadata>> refused = new KafkaFutureImpl<>();
        refused.completeExceptionally(new GroupAuthorizationException("secret"));
        KafkaFuture<ConsumerGroupDescription> empty = KafkaFuture.completedFuture(new ConsumerGroupDescription(
                "g",
                false,
                List.of(),
                "",
                GroupType.CLASSIC,
                GroupState.EMPTY,
                Node.noNode(),
                Set.of(),
                Optional.empty(),
                Optional.empty()));
        return switch (method) {
            case "listGroups" ->
                made(
                        ListGroupsResult.class,
                        KafkaFuture.class,
                        KafkaFuture.completedFuture(List.of(
                                new TimeoutException("no response"),
                                new GroupListing("app", Optional.of(GroupType.STREAMS), "streams", Optional.empty()),
                                new GroupListing("payments", Optional.empty(), "consumer", Optional.empty()),
                                new GroupListing("secret", Optional.empty(), "consumer", Optional.empty()),
                                new GroupListing("workers", Optional.empty(), "connect", Optional.empty()))));
            case "describeStreamsGroups" ->
                new DescribeStreamsGroupsResult(Map.of(
                        "app",
                        KafkaFuture.completedFuture(new StreamsGroupDescription(
                                "app", 1, 1, 1, List.of(), List.of(), GroupState.EMPTY, Node.noNode(), Set.of()))));
            case "describeConsumerGroups" ->
                new DescribeConsumerGroupsResult(Map.of("payments", empty, "secret", empty));
            default ->
                made(
                        ListConsumerGroupOffsetsResult.class,
                        Map.class,
                        Map.of(
                                CoordinatorKey.byGroupId("app"),
                                KafkaFuture.completedFuture(committed),
                                CoordinatorKey.byGroupId("payments"),
                                KafkaFuture.completedFuture(committed),
                                CoordinatorKey.byGroupId("secret"),
                                refused));
        };
    }

    @Test
    void countsReadersDespiteUnreadableGroup() {
        TopicPartition partition = new TopicPartition("orders", 0);
        Map<TopicPartition, OffsetAndMetadata> committed = Map.of(partition, new OffsetAndMetadata(7));
        Admin some = (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (p, m, a) -> answer(m.getName(), committed));
        assertThat(new Topics(some).readers(Map.of(partition, 10L))).isEqualTo(Map.of("orders", new Readers(0, 0, 6)));
    }

    /** Another client can delete it between the check and the deletion. */
    @Test
    void deletingMissingTopicSucceeds() {
        topics.delete(Set.of(name), WAIT);
        assertThat(topics.names(false)).doesNotContain(name);
    }

    @Test
    void stopsWaitingAtTimeout() {
        PlimsollException late = failureOf(() -> topics.awaitUsable(Set.of(name), Duration.ofMillis(200)));
        assertThat(late.exit()).isEqualTo(Exit.CLUSTER);
        assertThat(late.getMessage()).contains(name, Said.text("«cluster.notKnown¦" + name + "»"));
    }

    @Test
    void reportsMissingAclUntilGranted() throws Exception {
        ClusterConnection asAdmin = SecuredLab.saslConnection(SecuredLab.ADMIN, SecuredLab.adminPassword());
        ClusterConnection asAlice = SecuredLab.saslConnection(SecuredLab.ALICE, SecuredLab.alicePassword());
        try (Admin admins = asAdmin.admin();
                Admin alices = asAlice.admin()) {
            Topics hers = new Topics(alices);
            PlimsollException create = failureOf(() -> hers.create(List.of(topic(name)), WAIT));
            assertThat(create.exit()).isEqualTo(Exit.CLUSTER);
            assertThat(create.getMessage()).contains("create topic " + name, "not authorized");
            new Topics(admins).create(List.of(topic(name)), WAIT);
            PlimsollException describe = failureOf(() -> hers.describe(Set.of(name)));
            assertThat(describe.exit()).isEqualTo(Exit.CLUSTER);
            assertThat(describe.getMessage())
                    .contains("topic " + name + ": not authorized; request an ACL on the topic");
            AclBinding look = new AclBinding(
                    new ResourcePattern(ResourceType.TOPIC, name, PatternType.LITERAL),
                    new AccessControlEntry(
                            "User:" + SecuredLab.ALICE, "*", AclOperation.DESCRIBE, AclPermissionType.ALLOW));
            Acls.create(admins, List.of(look));
            assertThat(hers.describe(Set.of(name))).containsKey(name);
            assertThat(hers.sizesOnDisk(Set.of(name))).isEmpty();
            new Topics(admins).delete(Set.of(name), WAIT);
        }
    }
}
