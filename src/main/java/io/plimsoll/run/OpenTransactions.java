package io.plimsoll.run;

import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.IncidentSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds transactions that are open for much longer than usual. Until such a transaction ends, {@code read_committed}
 * consumers receive no record of a partition from the transaction's first record onward. Finds none before Kafka 3.0 or
 * without permission.
 */
final class OpenTransactions implements IncidentSource {
    private static final long LEAST_NANOS = 100_000_000;
    private static final int OUTSTANDING = 5;
    private static final int SMOOTHED = 16;
    /** Maximum number of partitions, because each poll describes the producers of all of them. */
    private static final int MOST_PARTITIONS = 200;
    /** Maximum number of incidents of one poll. */
    private static final int MOST = 20;

    private static final int MOST_NAMES = 1_000;

    private record Open(TopicPartition partition, long producerId, long firstOffset) {}

    private final BrokerRoles roles;
    private final Collection<TopicPartition> partitions;
    private final Map<Open, Long> since = new HashMap<>();
    private final Map<Long, KafkaFuture<Collection<TransactionListing>>> names = new HashMap<>();
    private double usualNanos;
    /** The pending request; null if none. */
    private @Nullable KafkaFuture<Map<TopicPartition, PartitionProducerState>> asked;

    private long askedNanos;
    private long beforeNanos;

    /** @param partitions partitions to observe; with too many, none is observed */
    OpenTransactions(BrokerRoles roles, Collection<TopicPartition> partitions) {
        this.roles = roles;
        this.partitions = partitions.size() > MOST_PARTITIONS ? List.of() : partitions;
    }

    @Override
    public int every() {
        return 10;
    }

    @Override
    public void look(long nowNanos, IncidentSink sink) {
        if (asked != null && asked.isDone()) {
            if (!asked.isCompletedExceptionally()) {
                seen(answer(asked), sink);
            }
            asked = null;
        }
        if (asked == null && !partitions.isEmpty()) {
            askedNanos = nowNanos;
            asked = roles.producers(partitions);
        }
    }

    private void seen(Map<TopicPartition, PartitionProducerState> states, IncidentSink sink) {
        long half = beforeNanos == 0 ? 0 : (askedNanos - beforeNanos) / 2;
        beforeNanos = askedNanos;
        Set<Open> open = new HashSet<>();
        states.forEach((partition, state) -> state.activeProducers()
                .forEach(producer -> producer.currentTransactionStartOffset()
                        .ifPresent(first -> open.add(new Open(partition, producer.producerId(), first)))));
        open.forEach(each -> {
            long nanos = askedNanos - since.computeIfAbsent(each, o -> askedNanos - half);
            if (isLong(nanos) && names.size() < MOST_NAMES) {
                names.computeIfAbsent(each.producerId, id -> roles.transactions(Set.of(id)));
            }
        });
        List<Map.Entry<Open, Long>> ended = since.entrySet().stream()
                .filter(each -> !open.contains(each.getKey()))
                .sorted(Comparator.comparing((Map.Entry<Open, Long> each) ->
                                each.getKey().partition.topic())
                        .thenComparing(each -> each.getKey().partition.partition()))
                .toList();
        report(ended, askedNanos - half, half, sink);
        ended.forEach(each -> usualNanos += (askedNanos - half - each.getValue() - usualNanos) / SMOOTHED);
        since.keySet().retainAll(open);
    }

    private boolean isLong(long nanos) {
        return nanos >= LEAST_NANOS && nanos > OUTSTANDING * usualNanos;
    }

    /** @param open transactions with their estimated start times */
    private void report(Collection<Map.Entry<Open, Long>> open, long toNanos, long errorNanos, IncidentSink sink) {
        open.stream()
                .filter(each -> isLong(toNanos - each.getValue()))
                .limit(MOST)
                .forEach(each -> sink.add(
                        Kind.OPEN_TRANSACTION,
                        each.getKey().partition.toString(),
                        each.getValue(),
                        toNanos,
                        errorNanos,
                        name(each.getKey().producerId)));
    }

    private String name(long producerId) {
        KafkaFuture<Collection<TransactionListing>> found = names.get(producerId);
        return found == null || !found.isDone() || found.isCompletedExceptionally()
                ? "producerId " + producerId
                : answer(found).stream()
                        .map(TransactionListing::transactionalId)
                        .findFirst()
                        .orElse("producerId " + producerId);
    }

    private static <T> T answer(KafkaFuture<T> done) {
        try {
            return done.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void end(long nowNanos, IncidentSink sink) {
        report(since.entrySet(), nowNanos, nowNanos - beforeNanos, sink);
    }
}
