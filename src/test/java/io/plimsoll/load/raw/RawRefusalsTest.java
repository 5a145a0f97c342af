package io.plimsoll.load.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Endings;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Acls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/** A user without permissions: runs check them first, but they can be revoked during the load. */
class RawRefusalsTest {
    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    private static Map<String, Object> properties(String user, String password) {
        Map<String, Object> properties = new HashMap<>(SecuredLab.saslProperties(user, password));
        properties.put("bootstrap.servers", SecuredLab.sasl().bootstrapServers());
        return properties;
    }

    private LoadContext alice(String password) {
        return new LoadContext(
                properties(SecuredLab.ALICE, password), "raw-refusals", 1, 1, n -> notes.add(n.english()));
    }

    private static void createDescribable(String topic) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
            Acls.create(admin, List.of(right(topic, AclOperation.DESCRIBE)));
        }
    }

    private static Admin admin() {
        return Admin.create(properties(SecuredLab.ADMIN, SecuredLab.adminPassword()));
    }

    private static AclBinding right(String topic, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:" + SecuredLab.ALICE, "*", operation, AclPermissionType.ALLOW));
    }

    private static ProducerSpec producer(String topic, String more) {
        String yaml =
                "topics: [{name: %1$s, partitions: 2}]\nproducers: [{topic: %1$s, engine: raw, records: 500, %2$s}]\n";
        return ScenarioReader.read(yaml.formatted(topic, more), "test", List.of(), 1)
                .trials()
                .get(0)
                .scenario()
                .producers()
                .get(0);
    }

    private static ConsumerSpec consumer(String topic) {
        String yaml = "topics: [{name: %1$s, partitions: 2}]\nconsumers: [{topic: %1$s, engine: raw}]\n";
        return ScenarioReader.read(yaml.formatted(topic), "test", List.of(), 1)
                .trials()
                .get(0)
                .scenario()
                .consumers()
                .get(0);
    }

    private RawProducers producers(String password, ProducerSpec spec) {
        return new RawProducers(new ProducerKind.Entry(
                alice(password),
                spec,
                Slice.all(spec.clients()),
                "producers-0",
                WarmupEnd.after(0),
                topics -> new int[] {2},
                Set.of()));
    }

    private static TrialClock clock() {
        long now = System.nanoTime();
        return new TrialClock(now, now, Long.MAX_VALUE, 0);
    }

    @Test
    void unauthorizedWritesFail() throws Exception {
        createDescribable("no-write");
        ProducerSpec spec = producer("no-write", "config: {enable.idempotence: false}");
        try (RawProducers producers = producers(SecuredLab.alicePassword(), spec)) {
            producers.prepare(Duration.ofSeconds(30));
            producers.start(clock());
            assertThat(producers.awaitSent(Duration.ofSeconds(30))).isTrue();
            assertThat(producers.drain(Duration.ofSeconds(30))).isTrue();
            Snapshot reading = MeterCounts.of(producers::read);
            assertThat(reading.measured().get(Produced.ACKNOWLEDGED)).isZero();
            assertThat(reading.measured().get(Produced.ERRORS)).isEqualTo(Map.of("authorization", 500L));
        }
    }

    /** As with Kafka's own producer, each record fails by itself. */
    @Test
    void producerContinuesAfterLosingWritePermission() throws Exception {
        createDescribable("no-more");
        AclBinding write = right("no-more", AclOperation.WRITE);
        try (Admin admin = admin()) {
            Acls.create(admin, List.of(write));
            try (RawProducers producers =
                    producers(SecuredLab.alicePassword(), producer("no-more", "clients: 1, rate: 500/s"))) {
                producers.prepare(Duration.ofSeconds(30));
                Acls.delete(admin, write.toFilter());
                producers.start(clock());
                assertThat(producers.awaitSent(Duration.ofSeconds(30))).isTrue();
                assertThat(producers.drain(Duration.ofSeconds(30))).isTrue();
                Snapshot reading = MeterCounts.of(producers::read);
                assertThat(reading.measured().get(Produced.ERRORS)).isEqualTo(Map.of("authorization", 500L));
                assertThat(Endings.any(reading.measured().get(Produced.EVENTS))).isFalse();
            }
        }
    }

    @Test
    void explainsRefusedProducerId() throws Exception {
        createDescribable("no-id");
        try (RawProducers producers = producers(SecuredLab.alicePassword(), producer("no-id", "clients: 1"))) {
            assertThatThrownBy(() -> producers.prepare(Duration.ofSeconds(30)))
                    .isInstanceOfSatisfying(
                            PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.CLUSTER))
                    .hasMessageContaining("producer ID");
        }
    }

    @Test
    void explainsWrongPassword() throws Exception {
        createDescribable("no-login");
        try (RawProducers producers = producers("wrong", producer("no-login", "clients: 1"))) {
            assertThatThrownBy(() -> producers.prepare(Duration.ofSeconds(5)))
                    .isInstanceOfSatisfying(
                            PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.CLUSTER))
                    .hasMessageContaining("Authentication failed")
                    .hasMessageNotContaining("wrong");
        }
    }

    @Test
    void unauthorizedReadEndsWithExplanation() throws Exception {
        createDescribable("no-read");
        try (RawConsumers consumers = new RawConsumers(new ConsumerKind.Entry(
                alice(SecuredLab.alicePassword()),
                consumer("no-read"),
                Slice.all(1),
                "consumers-0",
                EndToEndSource.NONE,
                null,
                topics -> new int[] {2}))) {
            consumers.prepare(Duration.ofSeconds(30));
            consumers.start(clock());
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (!consumers.done() && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(consumers.done()).isTrue();
            assertThat(MeterCounts.of(into -> consumers.read(into, false))
                            .measured()
                            .get(Consumed.RECORDS))
                    .isZero();
            assertThat(notes).anySatisfy(n -> assertThat(n).contains("no-read").contains("read"));
        }
    }
}
