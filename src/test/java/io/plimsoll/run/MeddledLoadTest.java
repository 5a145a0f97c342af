package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody meddles with what a load writes or reads while it goes on: the run says what that did, and calls nothing its own. */
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

    /** Once, when the first second is over. */
    private RunResult run(String yaml, Deed deed) {
        return run(yaml, deed, 0);
    }

    private RunResult run(String yaml, Deed deed, long second) {
        return Runs.run(yaml, SERVERS, out, snapshot -> {
            try {
                if (snapshot.sequence() == second) {
                    deed.does();
                }
            } catch (ExecutionException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** All that is named: on a busy host other programs, or the collections of this process, may come first. */
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

    /** Whoever is fenced sends nothing any more: what is left of the load is no measure, and passes nothing. */
    @Test
    void aProducerThatIsFencedPassesNothing() {
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
            assertThat(result.verdict().sentence().english()).contains("could not go on");
            assertThat(result.trials().get(0).produce().events().keySet()).anyMatch(e -> e.startsWith("ended."));
            assertThat(causes(result)).contains("another producer used the same transactional.id");
        }
    }

    /** Where brokers take no record at all, there is nothing that could pass. */
    @Test
    void aClusterThatTakesNothingIsNotMeasured() {
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
                .isEqualTo("Not a measure of the cluster. Not a single record was acknowledged or received.");
        assertThat(causes(result)).contains("it is compacted and they have no key");
    }

    /** A client that asks for a topic which is gone holds its sender up: that is not the load generator's doing. */
    @Test
    void aTopicThatIsDeletedIsNotTheGeneratorsDoing() {
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
        // On a busy host a part may be: the sender, no more held up, has to wait for a core.
        assertThat(trial.observed().generator().part().missingShare())
                .as(() -> warnings(result))
                .isLessThan(0.5);
        assertThat(trial.produce().volume().recordsPerSecond()).isLessThan(250);
        assertThat(causes(result)).contains("not there any more");
    }

    @Test
    void partitionsThatNobodyReadsAreTold() {
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
        assertThat(warnings(result)).contains("From 6 partitions nobody read");
        assertThat(causes(result)).contains("Nobody in the group reads 6 of 8 partitions");
    }

    @Test
    void recordsThatAreDeletedUnreadAreTold() {
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
            """, () -> admin.deleteRecords(all).all().get(), 2);
        TrialResult trial = result.trials().get(0);
        assertThat(warnings(result))
                .as(() -> trial.observed().cluster() + " " + trial.detail().partitions() + " "
                        + trial.consume().groups())
                .contains("was deleted before its consumers had read it");
        assertThat(causes(result)).contains("were deleted before their consumers came to read them");
    }
}
