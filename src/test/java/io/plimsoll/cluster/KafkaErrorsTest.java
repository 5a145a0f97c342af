package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Kafka errors are explained in one sentence with a remedy. */
class KafkaErrorsTest {
    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(new TimeoutException("no answer"), "timeout"),
                Arguments.of(new java.util.concurrent.TimeoutException(), "timeout"),
                Arguments.of(new BufferExhaustedException("full"), "bufferExhausted"),
                Arguments.of(
                        new TimeoutException(
                                "Failed to allocate memory within the configured max blocking time 3000 ms."),
                        "bufferExhausted"),
                Arguments.of(
                        new TimeoutException("Expiring 3 record(s) for a-0:120004 ms has passed since batch creation"),
                        "deliveryTimeout"),
                Arguments.of(
                        new TimeoutException("Topic a not present in metadata after 60000 ms."), "metadataTimeout"),
                Arguments.of(new RecordTooLargeException("large"), "recordTooLarge"),
                Arguments.of(new NotLeaderOrFollowerException("moved"), "notLeader"),
                Arguments.of(new NetworkException("gone"), "networkDisconnect"),
                Arguments.of(DisconnectException.INSTANCE, "networkDisconnect"),
                Arguments.of(new TopicAuthorizationException("a"), "authorization"),
                Arguments.of(new SaslAuthenticationException("no"), "authentication"),
                Arguments.of(new NotEnoughReplicasException("few"), "notEnoughReplicas"),
                Arguments.of(new OutOfOrderSequenceException("gap"), "outOfOrderSequence"),
                Arguments.of(new ProducerFencedException("old"), "producerFenced"),
                Arguments.of(new BrokerNotAvailableException("x"), "brokerNotAvailable"),
                Arguments.of(new IllegalStateException("x"), "illegalState"),
                Arguments.of(new ExecutionException(new RecordTooLargeException("x")), "recordTooLarge"),
                Arguments.of(
                        new CompletionException(new KafkaException("x", new NetworkException())), "networkDisconnect"));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void mapsErrorsToStableKinds(Throwable failure, String kind) {
        assertThat(KafkaErrors.kind(failure)).isEqualTo(kind);
    }

    static Stream<Arguments> sentences() {
        return Stream.of(
                Arguments.of(new TopicExistsException("x"), Exit.USAGE, Said.text("«cluster.existsAlready»")),
                Arguments.of(
                        new UnknownTopicOrPartitionException("x"), Exit.USAGE, Said.text("«cluster.unknownTopic»")),
                Arguments.of(
                        new InvalidReplicationFactorException("3 > 1"),
                        Exit.USAGE,
                        Said.text("«cluster.tooManyReplicas¦3 > 1»")),
                Arguments.of(new ConfigException("acks", "5"), Exit.USAGE, "correct the client property"),
                Arguments.of(
                        new RecordTooLargeException("2 MB."), Exit.USAGE, Said.text("«cluster.recordTooLarge¦2 MB»")),
                Arguments.of(new TopicAuthorizationException(Set.of("t")), Exit.CLUSTER, "not authorized for topic t;"),
                Arguments.of(GroupAuthorizationException.forGroupId("g"), Exit.CLUSTER, "not authorized for group g;"),
                Arguments.of(new ClusterAuthorizationException("x"), Exit.CLUSTER, "ACL on the cluster"),
                Arguments.of(
                        new PolicyViolationException("too many"),
                        Exit.CLUSTER,
                        Said.text("«cluster.policyForbids¦too many»")),
                Arguments.of(
                        new UnsupportedVersionException("old"), Exit.CLUSTER, Said.text("«cluster.unsupported¦old»")),
                Arguments.of(new TimeoutException("30000 ms"), Exit.CLUSTER, Said.text("«cluster.noAnswer»")),
                Arguments.of(new BufferExhaustedException("full"), Exit.CLUSTER, "raise buffer.memory"),
                Arguments.of(new BrokerNotAvailableException("x"), Exit.CLUSTER, "brokerNotAvailable (x)"),
                Arguments.of(new InterruptException("x"), Exit.INTERRUPTED, "interrupted"),
                Arguments.of(new IllegalStateException("ours"), Exit.INTERNAL, "ours"));
    }

    @AfterEach
    void forgetTheInterruptThatAnInterruptExceptionSets() {
        Thread.interrupted();
    }

    @ParameterizedTest
    @MethodSource("sentences")
    void explainsInOneSentence(Throwable failure, Exit exit, String part) {
        PlimsollException explained = KafkaErrors.explain(new ExecutionException(failure), "create topic", "events");
        assertThat(explained.exit()).isEqualTo(exit);
        assertThat(explained.getMessage())
                .contains("create topic events", part)
                .doesNotContain("\n")
                .doesNotContain(".;");
    }

    @Test
    void namesMissingAclOperation() {
        assertThat(KafkaErrors.explain(new TopicAuthorizationException(Set.of("t")), "add partitions to", "t"))
                .hasMessageContaining("on the topic that allows ALTER,");
        assertThat(KafkaErrors.explain(new ClusterAuthorizationException("x"), "elect leaders of", "t"))
                .hasMessageContaining("on the cluster that allows ALTER,");
        assertThat(KafkaErrors.explain(new ClusterAuthorizationException("x"), "move partitions of", "t"))
                .hasMessageContaining("on the cluster that allows ALTER,");
        assertThat(KafkaErrors.explain(new TopicAuthorizationException(Set.of("t")), "move partitions of", "t"))
                .hasMessageContaining("on the topic that allows DESCRIBE,");
        assertThat(KafkaErrors.explain(new TopicAuthorizationException(Set.of("t")), "change settings of", "t"))
                .hasMessageContaining("on the topic that allows ALTER_CONFIGS,");
        assertThat(KafkaErrors.explain(
                        GroupAuthorizationException.forGroupId("g"), "set the settings of share group", "g"))
                .hasMessageContaining("on the group that allows ALTER_CONFIGS,");
    }

    /** The admin client answers with this exception for a group of Kafka Connect workers. */
    @Test
    void explainsGroupOfOtherKind() {
        Throwable failure = new ExecutionException(
                new IllegalArgumentException("GroupId connect is not a consumer group (connect)."));
        PlimsollException explained = KafkaErrors.explain(failure, KafkaErrors.DESCRIBE_GROUP, "connect");
        assertThat(explained.exit()).isEqualTo(Exit.CLUSTER);
        assertThat(explained).hasMessageContaining(Said.text("«cluster.notAConsumerGroup»"));
        assertThat(KafkaErrors.explain(failure, "create topic", "t").exit()).isEqualTo(Exit.INTERNAL);
    }

    @Test
    void keepsExistingExplanation() {
        PlimsollException known = new PlimsollException(Exit.AUDIT_FAILED, Sentence.verbatim("lost"));
        assertThat(KafkaErrors.explain(new ExecutionException(known), "x", "y")).isSameAs(known);
    }
}
