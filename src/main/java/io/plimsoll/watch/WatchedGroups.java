package io.plimsoll.watch;

import io.plimsoll.Daemon;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.watch.Attempts.Attempt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Commits an offset twice per second in a group of each broker, and joins the groups of the brokers in turn. No other
 * client uses these groups. Thread-safe.
 */
final class WatchedGroups implements AutoCloseable {
    private static final long COMMIT_EVERY_NANOS = 500_000_000L;
    /** Interval in ns at which a denied commit is retried. */
    private static final long REFUSED_NANOS = 30_000_000_000L;

    private static final long JOIN_LOOK_NANOS = 1_000_000_000L;
    private static final int JOIN_EVERY = 30;
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(500);
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(5);

    private final WatchSettings settings;
    private final Ledger ledger;
    private final Refusals refusals;
    private final TopicPartition first;
    private final Map<Integer, Committing> committing = new TreeMap<>();
    private final Thread committer;
    private final PeriodicTask joining;
    private volatile Map<Integer, String> wanted = Map.of();
    private volatile Map<Integer, String> joined = Map.of();
    private volatile Set<Integer> brokers = Set.of();
    /** Due time of the next commit, for each broker that coordinates no group of the watch. */
    private final Map<Integer, Long> unmadeNanos = new TreeMap<>();

    private volatile boolean ended;
    private int turn;

    WatchedGroups(WatchSettings settings, Ledger ledger, Refusals refusals) {
        this.settings = settings;
        this.ledger = ledger;
        this.refusals = refusals;
        this.first = new TopicPartition(settings.topic(), 0);
        committer = Daemon.start("plimsoll-watch-commit", this::commit);
        joining = new PeriodicTask("plimsoll-watch-join", System.nanoTime(), JOIN_LOOK_NANOS, 0, this::join);
    }

    /** Switches to these groups, by coordinator; {@code all} includes brokers without a group. */
    void use(Set<Integer> all, Map<Integer, String> commits, Map<Integer, String> joins) {
        brokers = Set.copyOf(all);
        wanted = Map.copyOf(commits);
        joined = Map.copyOf(joins);
    }

    private KafkaConsumer<byte[], byte[]> consumer(String group) {
        Map<String, Object> own = Map.of(
                "group.id",
                group,
                "enable.auto.commit",
                false,
                "allow.auto.create.topics",
                false,
                "auto.offset.reset",
                "latest",
                "request.timeout.ms",
                5000);
        return new KafkaConsumer<>(
                settings.client(group, own, Map.of()), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private void commit() {
        while (!ended) {
            try {
                follow(wanted);
            } catch (KafkaException e) {
                // Try again to create the consumer, for example after a DNS failure.
                Daemon.pause(POLL.toMillis());
            }
            // Divide the time of one poll among all brokers; otherwise, many brokers would delay each response.
            Duration each = Duration.ofMillis(Math.max(1, POLL.toMillis() / Math.max(1, committing.size())));
            committing.values().forEach(committed -> committed.tend(each));
            countUnmade();
            if (committing.isEmpty()) {
                Daemon.pause(POLL.toMillis());
            }
        }
        committing.values().forEach(Committing::end);
    }

    private void follow(Map<Integer, String> groups) {
        for (int broker : List.copyOf(committing.keySet())) {
            if (!Objects.requireNonNull(committing.get(broker)).group.equals(groups.get(broker))) {
                committing.remove(broker).end();
            }
        }
        groups.forEach((broker, group) -> committing.computeIfAbsent(broker, b -> new Committing(b, group)));
    }

    private void countUnmade() {
        Set<Integer> others = new TreeSet<>(brokers);
        others.removeAll(committing.keySet());
        unmadeNanos.keySet().retainAll(others);
        long now = System.nanoTime();
        for (int broker : others) {
            if (now >= unmadeNanos.computeIfAbsent(broker, id -> now + COMMIT_EVERY_NANOS)) {
                unmadeNanos.put(broker, now + COMMIT_EVERY_NANOS);
                ledger.unmade(Signal.COMMIT, broker);
            }
        }
    }

    private static boolean isRefused(@Nullable Exception failure) {
        return failure != null && KafkaErrors.unwrap(failure) instanceof AuthorizationException;
    }

    /** A consumer that commits offsets without being a member of the group. */
    private final class Committing {
        private final int broker;
        private final String group;
        private final KafkaConsumer<byte[], byte[]> consumer;
        private long nextNanos = System.nanoTime();
        private boolean refused;
        private long number;

        Committing(int broker, String group) {
            this.broker = broker;
            this.group = group;
            consumer = consumer(group);
            consumer.assign(List.of(first));
            consumer.pause(List.of(first));
        }

        void tend(Duration poll) {
            long now = System.nanoTime();
            if (refused && now < nextNanos) {
                LockSupport.parkNanos(poll.toNanos());
                return;
            }
            try {
                if (now >= nextNanos) {
                    refused = false;
                    nextNanos = now + COMMIT_EVERY_NANOS;
                    Attempt attempt = ledger.begin(Signal.COMMIT, broker);
                    consumer.commitAsync(Map.of(first, new OffsetAndMetadata(number++)), (offsets, failure) -> {
                        if (failure != null) {
                            failed(failure);
                        }
                        if (isRefused(failure)) {
                            ledger.drop(Signal.COMMIT, broker, attempt);
                        } else {
                            ledger.end(Signal.COMMIT, broker, attempt, failure == null);
                        }
                    });
                }
                consumer.poll(poll);
            } catch (KafkaException e) {
                // The commit in flight fails, and the coordinator is looked up again.
                nextNanos = now + COMMIT_EVERY_NANOS;
                failed(e);
            }
        }

        private void failed(Exception failure) {
            refusals.report(failure, "set the offsets of", KafkaErrors.group(group));
            if (isRefused(failure)) {
                // A denied commit is not an outage, so it does not count.
                refused = true;
                nextNanos = System.nanoTime() + REFUSED_NANOS;
                ledger.forget(Signal.COMMIT, broker);
            } else {
                ledger.tell(Signal.COMMIT, broker, KafkaErrors.kind(failure));
            }
        }

        void end() {
            consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
            ledger.forget(Signal.COMMIT, broker);
            ledger.forget(Signal.JOIN, broker);
        }
    }

    private int join() {
        Map<Integer, String> groups = joined;
        Set<Integer> all = new TreeSet<>(brokers);
        all.addAll(groups.keySet());
        if (groups.isEmpty() || ended) {
            return 1;
        }
        int broker = List.copyOf(all).get(turn++ % all.size());
        if (groups.containsKey(broker)) {
            join(broker, groups.get(broker));
        } else {
            ledger.unmade(Signal.JOIN, broker);
        }
        return JOIN_EVERY;
    }

    /** Joins a group, waits for the assignment, and leaves. */
    private void join(int broker, String group) {
        Attempt attempt = ledger.begin(Signal.JOIN, broker);
        boolean assigned = false;
        long deadline = System.nanoTime() + settings.slow().toNanos() * Signal.JOIN.patience;
        try (KafkaConsumer<byte[], byte[]> member = consumer(group)) {
            member.subscribe(List.of(settings.topic()));
            while (!assigned && !ended && System.nanoTime() < deadline) {
                member.poll(POLL);
                assigned = !member.assignment().isEmpty();
            }
            if (assigned || !ended) {
                ledger.end(Signal.JOIN, broker, attempt, assigned);
            } else {
                ledger.drop(Signal.JOIN, broker, attempt);
            }
            member.close(CloseOptions.timeout(ended ? CLOSE_LIMIT : LEAVE_LIMIT));
        } catch (KafkaException e) {
            refusals.report(e, "join a consumer group on", settings.topic());
            if (isRefused(e)) {
                ledger.drop(Signal.JOIN, broker, attempt);
                ledger.forget(Signal.JOIN, broker);
            } else {
                ledger.tell(Signal.JOIN, broker, KafkaErrors.kind(e));
                ledger.end(Signal.JOIN, broker, attempt, false);
            }
        }
    }

    @Override
    public void close() {
        ended = true;
        joining.end(CLOSE_LIMIT.toMillis() * 2);
        Daemon.join(committer, CLOSE_LIMIT.toMillis() * 2);
    }
}
