package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabLogins;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.Endings;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** External interference with a load's topics or groups is reported and not attributed to the load. */
@Order(1)
class MeddledLoadTest {
    private static final String SERVERS = SharedLab.oneBroker().bootstrapServers();
    private static Admin admin;

    @TempDir
    Path out;

    @BeforeAll
    static void connect() {
        admin = Admin.create(Map.of("bootstrap.servers", SERVERS));
    }

    @AfterAll
    static void close() {
        admin.close();
    }

    private interface Deed {
        void does() throws ExecutionException, InterruptedException;
    }

    /** Once, after the first second. */
    private RunResult run(String yaml, Deed deed) {
        return run(yaml, deed, 0);
    }

    private RunResult run(String yaml, Deed deed, long second) {
        return Runs.run(yaml, SERVERS, out, atSecond(second, deed));
    }

    private static Consumer<Snapshot> atSecond(long second, Deed deed) {
        return snapshot -> {
            try {
                if (snapshot.sequence() == second) {
                    deed.does();
                }
            } catch (ExecutionException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** All reported causes: on a busy host other programs or garbage collections can come first. */
    private static String causes(RunResult result) {
        TrialResult trial = result.trials().get(0);
        assertThat(trial.judgement().limits()).isNotNull();
        return trial.judgement().limits().causes().stream()
                .map(cause -> cause.sentence().english())
                .collect(Collectors.joining("\n"));
    }

    private static String warnings(RunResult result) {
        return result.trials().get(0).judgement().warnings().toString();
    }

    /** A fenced producer sends nothing: the remaining load is invalid and passes no check. */
    @Test
    void fencedProducerInvalidatesRun() {
        Map<String, Object> same = Map.of("bootstrap.servers", SERVERS, "transactional.id", "meddled-ledger");
        try (KafkaProducer<byte[], byte[]> twin =
                new KafkaProducer<>(same, new ByteArraySerializer(), new ByteArraySerializer())) {
            RunResult result = run("""
                name: fenced
                topics: [{name: fenced, partitions: 1}]
                producers:
                  - topic: fenced
                    rate: 200/s
                    transactions: {every: 200ms}
                    existingTransactionalId: true
                    config: {transactional.id: meddled-ledger}
                duration: 4s
                warmup: 0s
                """, twin::initTransactions);
            assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
            assertThat(result.verdict().passed()).isFalse();
            assertThat(result.verdict().sentence().english()).containsPattern(Said.en("result.endedEarly"));
            assertThat(result.trials().get(0).produce().events().keySet()).anyMatch(e -> e.startsWith("ended."));
            assertThat(causes(result))
                    .as("%s", result.verdict().warnings())
                    .contains("another producer used the same transactional.id");
        }
    }

    /** If brokers accept no record at all, no check can pass. */
    @Test
    void runWithoutAcceptedRecordsIsInvalid() {
        RunResult result = Runs.run("""
            name: refused
            topics: [{name: refused, partitions: 1, config: {cleanup.policy: compact}}]
            producers:
              - topic: refused
                rate: 100/s
            duration: 3s
            warmup: 0s
            """, SERVERS, out);
        assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
        assertThat(result.verdict().sentence().english())
                .isEqualTo(Sentence.of("result.noMeasure").english() + " "
                        + Sentence.of("result.nothingArrived").english());
        assertThat(causes(result)).containsPattern(Said.en("result.advice.invalid"));
    }

    @Test
    void runWithoutRecordsToReadIsInvalid() {
        RunResult result = Runs.run("""
            name: hollow
            topics: [{name: hollow, partitions: 1}]
            consumers: [{topic: hollow}]
            duration: 2s
            warmup: 0s
            """, SERVERS, out);
        assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
        assertThat(result.verdict().sentence().english())
                .isEqualTo(Sentence.of("result.noMeasure").english() + " "
                        + Sentence.of("result.nothingArrived").english());
    }

    /** A client that requests a deleted topic blocks its sender: this is not the load generator's fault. */
    @Test
    void deletedTopicIsNotAttributedToGenerator() {
        RunResult result =
                run("""
            name: dropped
            topics: [{name: dropped-1, partitions: 1}, {name: dropped-2, partitions: 1}]
            producers:
              - topic: dropped-[1-2]
                rate: 500/s
                record: {size: 100}
                config: {acks: 1, max.block.ms: 1000, request.timeout.ms: 2000, delivery.timeout.ms: 4000}
            duration: 8s
            warmup: 0s
            """, () -> admin.deleteTopics(List.of("dropped-1")).all().get());
        TrialResult trial = result.trials().get(0);
        // On a busy host a part can be missing: the unblocked sender must wait for a core.
        assertThat(trial.observed().generator().part().missingShare())
                .as(() -> warnings(result))
                .isLessThan(0.5);
        assertThat(trial.produce().volume().recordsPerSecond()).isLessThan(250);
        assertThat(causes(result)).containsPattern(Said.en("diagnose.says.missingTopic", 1));
    }

    /** Without READ permission a member reads nothing: the remaining load passes no check. */
    @Test
    void memberLosingReadPermissionInvalidatesRun() throws ExecutionException, InterruptedException {
        ResourcePattern topic = new ResourcePattern(ResourceType.TOPIC, "banned", PatternType.LITERAL);
        ResourcePattern groups = new ResourcePattern(ResourceType.GROUP, "plimsoll-", PatternType.PREFIXED);
        // Its own lab: WRITE permission on any topic includes producer ids, which other tests cover.
        try (Lab lab = SecuredLab.start("SASL_PLAINTEXT,SCRAM-SHA-512,acls");
                Admin owner = as(lab, LabLogins.ADMIN).admin()) {
            decree(owner, topic, AclOperation.ALL, AclPermissionType.ALLOW);
            decree(owner, groups, AclOperation.ALL, AclPermissionType.ALLOW);
            RunRequest request = Runs.request("""
                name: banned
                topics: [{name: banned, partitions: 1}]
                producers: [{topic: banned, rate: 200/s, record: {size: 100}}]
                consumers: [{topic: banned}]
                duration: 5s
                warmup: 0s
                """, lab.bootstrapServers(), out)
                    .with(draft -> draft.cluster = Optional.of(as(lab, LabLogins.USER)));
            RunResult result = Runs.run(
                    request, atSecond(1, () -> decree(owner, topic, AclOperation.READ, AclPermissionType.DENY)));
            assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
            assertThat(result.verdict().sentence().english()).containsPattern(Said.en("result.endedEarly"));
            assertThat(Endings.byKind(result.trials().get(0).consume().events()))
                    .isEqualTo(Map.of("authorization", 1L));
            assertThat(causes(result)).containsPattern(Said.en("diagnose.says.membersEnded", 1));
        }
    }

    private static ClusterConnection as(Lab lab, String user) {
        return new ClusterConnection(
                lab.bootstrapServers(), lab.logins().orElseThrow().client(user, "SCRAM-SHA-512"));
    }

    private static void decree(Admin admin, ResourcePattern on, AclOperation operation, AclPermissionType what)
            throws ExecutionException, InterruptedException {
        AccessControlEntry entry = new AccessControlEntry("User:" + LabLogins.USER, "*", operation, what);
        admin.createAcls(List.of(new AclBinding(on, entry))).all().get();
    }

    @Test
    void reportsUnreadPartitions() {
        RunResult result = run("""
            name: grown-unread
            topics: [{name: grown-unread, partitions: 2}]
            producers:
              - {topic: grown-unread, rate: 500/s, record: {size: 100, key: {uniform: 1000}}, config: {metadata.max.age.ms: 300, linger.ms: 0}}
            consumers:
              - {topic: grown-unread, config: {group.protocol: classic, metadata.max.age.ms: 60000}}
            duration: 5s
            warmup: 0s
            """, () -> admin.createPartitions(Map.of("grown-unread", NewPartitions.increaseTo(8)))
                .all()
                .get());
        assertThat(warnings(result)).containsPattern(Said.en("result.unreadPartitions", 6));
        assertThat(causes(result)).containsPattern(Said.en("diagnose.says.unreadPartitions", 6, 8));
    }

    @Test
    void reportsRecordsDeletedUnread() {
        Map<TopicPartition, RecordsToDelete> all = IntStream.range(0, 2)
                .mapToObj(p -> new TopicPartition("purged", p))
                .collect(Collectors.toMap(Function.identity(), p -> RecordsToDelete.beforeOffset(-1)));
        RunResult result = run("""
            name: purged
            topics: [{name: purged, partitions: 2}]
            producers: [{topic: purged, rate: 500/s, record: {size: 100}}]
            consumers: [{topic: purged, start: {backlog: 4s}}]
            duration: 6s
            warmup: 0s
            """, () -> admin.deleteRecords(all).all().get(), 1);
        TrialResult trial = result.trials().get(0);
        assertThat(warnings(result))
                .as(() -> trial.observed().cluster() + " " + trial.detail().partitions() + " "
                        + trial.consume().groups())
                .containsPattern(Said.en("result.deletedUnread"));
        assertThat(causes(result)).containsPattern(Said.en("diagnose.says.retention"));
    }
}
