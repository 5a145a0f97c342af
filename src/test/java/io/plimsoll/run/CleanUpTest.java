package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.TopicMark;
import io.plimsoll.cluster.Topics;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.run.guards.ForeignCluster.ClusterGuard;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DeleteTopicsResult;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With permission to read only some marks, those topics are cleaned, and deletion of the rest needs consent. */
class CleanUpTest {
    private static final String MARK =
            new TopicMark(7, Instant.parse("2026-01-01T00:00:00Z"), Duration.ofMinutes(1)).text();
    private static final Uuid ID = Uuid.randomUuid();

    private final AtomicLong offset = new AtomicLong();

    /**
     * A cluster that reveals only the configuration of topics with the prefix {@code own}. A producer writes to topics
     * with the suffix {@code busy}; topics with the suffix {@code unled} have a partition without a leader, and all
     * other topics have no partition.
     */
    private Admin admin() {
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "describeConfigs" -> configs((Collection<?>) arguments[0]);
                    case "describeTopics" -> descriptions((Collection<?>) arguments[0]);
                    case "deleteTopics" -> nothingDeleted();
                    default -> offsets((Map<?, ?>) arguments[0]);
                });
    }

    /** Offsets that grow with each request. */
    private ListOffsetsResult offsets(Map<?, ?> partitions) {
        Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> answers = new HashMap<>();
        partitions.keySet().forEach(each -> {
            ListOffsetsResultInfo next = new ListOffsetsResultInfo(offset.incrementAndGet(), -1, Optional.empty());
            answers.put((TopicPartition) each, KafkaFuture.completedFuture(next));
        });
        return new ListOffsetsResult(answers);
    }

    private static DescribeConfigsResult configs(Collection<?> topics) throws ReflectiveOperationException {
        Map<ConfigResource, KafkaFuture<Config>> answers = new HashMap<>();
        topics.forEach(each -> answers.put((ConfigResource) each, answer(((ConfigResource) each).name())));
        Constructor<DescribeConfigsResult> made = DescribeConfigsResult.class.getDeclaredConstructor(Map.class);
        made.setAccessible(true);
        return made.newInstance(answers);
    }

    private static DescribeTopicsResult descriptions(Collection<?> topics) throws ReflectiveOperationException {
        Map<String, KafkaFuture<TopicDescription>> answers = new HashMap<>();
        Node leader = new Node(1, "broker", 9092);
        TopicPartitionInfo written = new TopicPartitionInfo(0, leader, List.of(leader), List.of(leader));
        TopicPartitionInfo unled = new TopicPartitionInfo(0, null, List.of(leader), List.of());
        topics.forEach(each -> {
            String name = (String) each;
            List<TopicPartitionInfo> partitions =
                    name.endsWith("busy") ? List.of(written) : name.endsWith("unled") ? List.of(unled) : List.of();
            answers.put(name, KafkaFuture.completedFuture(new TopicDescription(name, false, partitions, Set.of(), ID)));
        });
        Constructor<DescribeTopicsResult> made =
                DescribeTopicsResult.class.getDeclaredConstructor(Map.class, Map.class);
        made.setAccessible(true);
        return made.newInstance(null, answers);
    }

    private static DeleteTopicsResult nothingDeleted() throws ReflectiveOperationException {
        Constructor<DeleteTopicsResult> made = DeleteTopicsResult.class.getDeclaredConstructor(Map.class, Map.class);
        made.setAccessible(true);
        return made.newInstance(Map.of(), null);
    }

    private static KafkaFuture<Config> answer(String topic) {
        KafkaFutureImpl<Config> answer = new KafkaFutureImpl<>();
        if (topic.startsWith("own")) {
            ConfigEntry.ConfigSource set = ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG;
            answer.complete(new Config(List.of(new ConfigEntry(
                    TopicMark.PROPERTY, MARK, set, false, false, List.of(), ConfigEntry.ConfigType.LONG, null))));
        } else {
            answer.completeExceptionally(new TopicAuthorizationException(Set.of(topic)));
        }
        return answer;
    }

    @Test
    void keepsTopicsWithUnreadableMarks() {
        List<Sentence> leftAlone = new ArrayList<>();
        assertThat(CleanUp.marks(new Topics(admin()), List.of("orders", "own", "payments"), leftAlone))
                .containsOnlyKeys("own")
                .allSatisfy(
                        (topic, mark) -> assertThat(mark.orElseThrow().run()).isEqualTo(7));
        assertThat(leftAlone)
                .extracting(Sentence::english)
                .containsExactly(Said.text("«run.clean.untold¦2¦orders and payments»"));
        leftAlone.clear();
        assertThat(CleanUp.marks(new Topics(admin()), List.of("own"), leftAlone))
                .containsOnlyKeys("own");
        assertThat(leftAlone).isEmpty();
    }

    @Test
    void countsRunWithoutClusterIdAsWrittenElsewhere(@TempDir Path runs) throws IOException {
        for (String id : List.of("null", "\"here\"")) {
            Path run = Files.createDirectory(runs.resolve("run-" + id.length()));
            Files.writeString(run.resolve(RunDirectory.TIMELINE), """
                {"type":"run","name":"s","at":"2026-01-01T00:00:00Z",\
                "environment":{"host":{},"cluster":{"id":ID,"brokers":[],"lab":false}}}
                """.replace("ID", id));
        }
        assertThat(CleanUp.allWritten(runs, "here")).hasSize(1);
        assertThat(CleanUp.allWritten(runs, null)).isEmpty();
    }

    @Test
    void requiresConsentToDeleteTopicsOfUnknownOwnerOrInUse() {
        assertThat(new ClusterGuard(admin(), false)
                        .deleting(List.of("orders", "orders-unled", "own", "own-busy"))
                        .beyond())
                .containsExactly(
                        Sentence.of("guards.deletesWritten", "own-busy"),
                        Sentence.of("guards.deletes", "orders", 0),
                        Sentence.of("guards.deletesUnknown", "orders-unled"));
    }

    @Test
    void keepsTopicRecreatedAfterCheck() {
        CleanUp clean = new CleanUp(new ClusterConnection("localhost:1", Map.of()), admin(), Instant.EPOCH);
        CleanUp.Found found =
                new CleanUp.Found(Map.of("own", Sentence.NONE), Map.of("own", Uuid.randomUuid()), Map.of(), List.of());
        assertThat(clean.remove(found)).containsExactly("own");
    }

    @Test
    void namesPermissionMissingForAllTopics() {
        assertThatThrownBy(() -> CleanUp.marks(new Topics(admin()), List.of("orders"), new ArrayList<>()))
                .hasMessageContaining("DESCRIBE_CONFIGS")
                .hasMessageContaining("orders");
    }
}
