package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.FencedLeaderEpochException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicDeletionDisabledException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Explains failures of Kafka's clients to users, and names them for counting. Stateless. */
public final class KafkaErrors {
    static final String DESCRIBE_GROUP = "describe consumer group";

    /** Names for the counts of errors, where they differ from the name of the exception class. */
    private static final Map<Class<? extends Throwable>, String> KINDS = Map.of(
            RecordBatchTooLargeException.class, "recordTooLarge",
            NotLeaderOrFollowerException.class, "notLeader",
            FencedLeaderEpochException.class, "notLeader",
            DisconnectException.class, "networkDisconnect",
            NetworkException.class, "networkDisconnect",
            AuthorizationException.class, "authorization",
            AuthenticationException.class, "authentication",
            OutOfOrderSequenceException.class, "outOfOrderSequence",
            InvalidProducerEpochException.class, "producerFenced",
            InterruptException.class, "interrupted");

    /** Subclasses come first, because the first match applies. */
    private static final List<Meaning> MEANINGS = List.of(
            telling(AuthenticationException.class, Exit.CLUSTER, "cluster.authenticationFailed"),
            telling(ConfigException.class, Exit.USAGE, "cluster.wrongProperty"),
            telling(UnsupportedVersionException.class, Exit.CLUSTER, "cluster.unsupported"),
            plain(TopicExistsException.class, Exit.USAGE, "cluster.existsAlready"),
            plain(UnknownTopicOrPartitionException.class, Exit.USAGE, "cluster.unknownTopic"),
            plain(UnknownTopicIdException.class, Exit.USAGE, "cluster.unknownTopic"),
            telling(InvalidReplicationFactorException.class, Exit.USAGE, "cluster.tooManyReplicas"),
            telling(InvalidTopicException.class, Exit.USAGE, "cluster.wrongTopic"),
            telling(InvalidPartitionsException.class, Exit.USAGE, "cluster.wrongTopic"),
            telling(InvalidConfigurationException.class, Exit.USAGE, "cluster.wrongTopic"),
            telling(InvalidReplicaAssignmentException.class, Exit.USAGE, "cluster.wrongTopic"),
            telling(PolicyViolationException.class, Exit.CLUSTER, "cluster.policyForbids"),
            plain(TopicDeletionDisabledException.class, Exit.CLUSTER, "cluster.deletionForbidden"),
            plain(SecurityDisabledException.class, Exit.CLUSTER, "cluster.noAuthorizer"),
            plain(ThrottlingQuotaExceededException.class, Exit.CLUSTER, "cluster.mutationQuota"),
            telling(RecordTooLargeException.class, Exit.USAGE, "cluster.recordTooLarge"),
            telling(RecordBatchTooLargeException.class, Exit.USAGE, "cluster.recordTooLarge"),
            plain(NotEnoughReplicasException.class, Exit.CLUSTER, "cluster.notEnoughReplicas"),
            plain(NotEnoughReplicasAfterAppendException.class, Exit.CLUSTER, "cluster.notEnoughReplicas"),
            telling(OffsetOutOfRangeException.class, Exit.USAGE, "cluster.offsetOutOfRange"),
            plain(BufferExhaustedException.class, Exit.CLUSTER, "cluster.bufferFull"),
            telling(TimeoutException.class, Exit.CLUSTER, "cluster.noAnswer"),
            telling(java.util.concurrent.TimeoutException.class, Exit.CLUSTER, "cluster.noAnswer"));

    /** Actions that need READ permission; actions not listed in any set need DESCRIBE. */
    private static final Set<String> READING =
            Set.of("read", "read from topic", "join a consumer group on", "read the first unread records of group");

    private static final Set<String> WRITING =
            Set.of("send to topic", "prepare a producer for", "get a producer id for");

    private static final Set<String> ALTERING = Set.of("add partitions to", "elect leaders of");

    private static final Set<String> CONFIGURING = Set.of("change settings of", "set the settings of share group");

    /**
     * Explains a failure in one sentence, "cannot DOING SUBJECT: problem; remedy". {@code doing} is an action such as
     * {@code create topic}; {@code subject} is a name or a sentence. Returns a {@link PlimsollException} unchanged.
     */
    public static PlimsollException explain(Throwable t, String doing, Object subject) {
        Throwable cause = unwrap(t);
        if (cause instanceof PlimsollException known) {
            return known;
        }
        Sentence what = Sentence.term("cluster.doing.", doing);
        if (cause instanceof InterruptException || cause instanceof InterruptedException) {
            return Exit.INTERRUPTED.because(t, "cluster.interruptedTrying", what, subject);
        }
        if (cause instanceof AuthorizationException refused) {
            return Exit.CLUSTER.because(t, "cluster.cannot", what, subject, notAuthorized(refused, doing));
        }
        if (cause instanceof IllegalArgumentException && doing.equals(DESCRIBE_GROUP)) {
            // The admin client rejects the answer for a group of another protocol.
            return Exit.CLUSTER.because(t, "cluster.cannot", what, subject, Sentence.of("cluster.notAConsumerGroup"));
        }
        for (Meaning meaning : MEANINGS) {
            if (meaning.failure.isInstance(cause)) {
                return meaning.exit.because(t, "cluster.cannot", what, subject, meaning.of(cause));
            }
        }
        return cause instanceof KafkaException
                ? Exit.CLUSTER.because(
                        t,
                        "cluster.cannot",
                        what,
                        subject,
                        Sentence.of("cluster.otherFailure", kind(cause), text(cause)))
                : Exit.INTERNAL.because(t, "cluster.cannot", what, subject, cause);
    }

    /** Topics as the subject of an error message. */
    public static Sentence topics(Collection<String> names) {
        return Sentence.of("cluster.topics", List.copyOf(names), Sentence.list(List.copyOf(names), 3));
    }

    /** A consumer group as the subject of an error message. */
    public static Sentence group(String id) {
        return Sentence.of("cluster.group", id);
    }

    /** A short stable name of an error for counting, such as {@code timeout}; by default the class name without "Exception". */
    public static String kind(Throwable t) {
        Throwable cause = unwrap(t);
        if (cause instanceof BufferExhaustedException || says(cause, "within the configured max blocking time")) {
            return "bufferExhausted";
        }
        if (cause instanceof TimeoutException && says(cause, "since batch creation")) {
            return "deliveryTimeout";
        }
        if (cause instanceof TimeoutException && says(cause, "present in metadata")) {
            return "metadataTimeout";
        }
        for (Map.Entry<Class<? extends Throwable>, String> kind : KINDS.entrySet()) {
            if (kind.getKey().isInstance(cause)) {
                return kind.getValue();
            }
        }
        String name = cause.getClass().getSimpleName().replaceFirst("(Exception|Error)$", "");
        return name.isEmpty() ? "unknown" : Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /** The cause of a failure, without the wrappers of futures and client constructors. */
    public static Throwable unwrap(Throwable t) {
        Throwable cause = t;
        while (cause.getCause() != null
                && (cause instanceof ExecutionException
                        || cause instanceof CompletionException
                        || cause.getClass() == KafkaException.class)) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Explanation of a failure: the sentence key, and whether the sentence includes Kafka's message. */
    private record Meaning(Class<? extends Throwable> failure, Exit exit, String key, boolean telling) {
        Sentence of(Throwable e) {
            return telling ? Sentence.of(key, text(e)) : Sentence.of(key);
        }
    }

    private static Meaning telling(Class<? extends Throwable> failure, Exit exit, String key) {
        return new Meaning(failure, exit, key, true);
    }

    private static Meaning plain(Class<? extends Throwable> failure, Exit exit, String key) {
        return new Meaning(failure, exit, key, false);
    }

    private static Sentence notAuthorized(AuthorizationException e, String doing) {
        String on = "cluster.onIt";
        Sentence forWhat = Sentence.NONE;
        if (e instanceof TopicAuthorizationException topics) {
            on = "cluster.onTopic";
            forWhat = topics.unauthorizedTopics().isEmpty()
                    ? Sentence.NONE
                    : Sentence.of("cluster.forTopic", List.copyOf(topics.unauthorizedTopics()));
        } else if (e instanceof GroupAuthorizationException group) {
            on = "cluster.onGroup";
            forWhat = group.groupId() == null ? Sentence.NONE : Sentence.of("cluster.forGroup", group.groupId());
        } else if (e instanceof ClusterAuthorizationException) {
            on = "cluster.onCluster";
        } else if (e instanceof TransactionalIdAuthorizationException) {
            on = "cluster.onTransactionalId";
        }
        return Sentence.of(
                "cluster.notAuthorized",
                forWhat,
                Sentence.of(on),
                right(e, doing) == AclOperation.IDEMPOTENT_WRITE
                        ? Sentence.of("cluster.idempotentWrite")
                        : right(e, doing).name());
    }

    /** The missing permission. READ, WRITE, and DELETE imply DESCRIBE. */
    private static AclOperation right(AuthorizationException e, String doing) {
        if (doing.startsWith("create")) {
            return AclOperation.CREATE;
        }
        boolean moves = doing.equals("move partitions of") && e instanceof ClusterAuthorizationException;
        if (moves || ALTERING.contains(doing)) {
            return AclOperation.ALTER;
        }
        if (CONFIGURING.contains(doing)) {
            return AclOperation.ALTER_CONFIGS;
        }
        if (doing.startsWith("delete")) {
            return AclOperation.DELETE;
        }
        if (doing.startsWith("read the configuration")) {
            return AclOperation.DESCRIBE_CONFIGS;
        }
        if (doing.startsWith("describe") || doing.startsWith("read the offsets")) {
            return AclOperation.DESCRIBE;
        }
        boolean reads = READING.contains(doing);
        if (e instanceof GroupAuthorizationException || (e instanceof TopicAuthorizationException && reads)) {
            return AclOperation.READ;
        }
        if (e instanceof ClusterAuthorizationException) {
            return WRITING.contains(doing) ? AclOperation.IDEMPOTENT_WRITE : AclOperation.DESCRIBE;
        }
        return WRITING.contains(doing) ? AclOperation.WRITE : AclOperation.DESCRIBE;
    }

    private static boolean says(Throwable e, String part) {
        return e.getMessage() != null && e.getMessage().contains(part);
    }

    /** The error message without its final period, for use within a sentence. */
    private static String text(Throwable e) {
        String message = e.getMessage();
        if (message == null || message.isBlank()) {
            return e.getClass().getSimpleName();
        }
        return message.strip().replaceAll("\\s+", " ").replaceFirst("\\.$", "");
    }
}
