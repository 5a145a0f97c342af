package io.plimsoll.load.client;

import io.plimsoll.Exit;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.ClientProperties.BorrowedBytesDeserializer;
import io.plimsoll.load.ConsumerKind.Entry;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.RecordIntake;
import io.plimsoll.load.Slice;
import io.plimsoll.load.ThreadedConsumers;
import io.plimsoll.load.Waiter;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Rewind;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ClientInternals;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/** The consumer groups of one entry on the official client, with a thread per member. */
class ClientConsumers extends ThreadedConsumers<MemberLoop> {
    private static final long LOOK_NANOS = 5_000_000;

    /** Number of partitions that a group reads, summed over all groups; 0 until known. */
    private volatile int toRead;

    ClientConsumers(Entry entry) {
        super(entry, Waiter.SYSTEM);
    }

    @Override
    public void prepare(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        groupsHere().forEach(g -> {
            Slice here = membersHere(g);
            GroupState group = addGroup(g, here);
            if (context.trail() != null && !(spec.commit() instanceof ConsumerSpec.Commit.None)) {
                group.examine();
            }
            if (spec.rewind().isPresent() && here.from() == 0) {
                rewind(group, spec.topicsOf(g), spec.rewind().get());
            } else if (spec.rewind().isPresent()) {
                awaitOpen(group, deadline);
            }
            group.open();
            addMembers(group, here);
        });
        startMembers();
        if (count() > 0) {
            awaitReady(deadline);
        }
    }

    /** Sets the start offsets before the first member joins, because the offsets of a group with members cannot be set. */
    private void rewind(GroupState group, List<String> topics, Rewind to) {
        Map<String, Object> properties = ClientProperties.of(context, spec, group.id(), spec.members());
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        try (KafkaConsumer<ByteBuffer, ByteBuffer> setting = create(properties, part)) {
            MemberLoop.rewind(setting, to, of(topics, partitionsOf(setting)));
        } catch (KafkaException e) {
            throw KafkaErrors.explain(e, "set the offsets of", KafkaErrors.group(group.id()));
        }
    }

    /** Waits until the process of the first member has set the offsets. */
    private void awaitOpen(GroupState group, long deadline) {
        while (!group.openedElsewhere()) {
            Exit.CLUSTER.when(System.nanoTime() > deadline, "load.offsetsNotSet", part, group.id());
            sleep();
        }
    }

    private void sleep() {
        waiter.park(LOOK_NANOS);
        Exit.INTERRUPTED.when(Thread.currentThread().isInterrupted(), "load.interruptedJoining");
    }

    /** Writer of a member's output in a pipeline; null for other consumers. */
    @Nullable
    Forwarder forwarder(KafkaConsumer<ByteBuffer, ByteBuffer> consumer, RecordIntake intake, int member) {
        return null;
    }

    @Override
    protected MemberLoop create(GroupState group, int index, ReceiveMeter meter) {
        Map<String, Object> properties = ClientProperties.of(context, spec, group.id(), index);
        KafkaConsumer<ByteBuffer, ByteBuffer> consumer = create(properties, part);
        if (!ClientInternals.countThrottles(consumer) && count() == 0) {
            note(Sentence.of("load.throttlesUntold"));
        }
        AtomicReference<MemberLoop> made = new AtomicReference<>();
        RecordIntake intake = new RecordIntake(
                group,
                meter,
                source,
                context.runId(),
                window,
                group.number() == 0 ? feed : null,
                work(index, () -> Objects.requireNonNull(made.get()).over()),
                schemaCheck(),
                polls(group, ClientProperties.clientId(properties)));
        MemberLoop loop = new MemberLoop(consumer, spec, topicsOf(group), intake, waiter, this::note);
        made.set(loop);
        loop.forward(forwarder(consumer, intake, index));
        return loop;
    }

    static void tryOut(LoadContext context, ConsumerSpec spec, String groupId, String part) {
        create(ClientProperties.of(context, spec, groupId, 0), part).close(CloseOptions.timeout(Duration.ZERO));
    }

    static KafkaConsumer<ByteBuffer, ByteBuffer> create(Map<String, Object> properties, String part) {
        return ClientProperties.client(
                part,
                properties,
                p -> new KafkaConsumer<>(p, new BorrowedBytesDeserializer(), new BorrowedBytesDeserializer()));
    }

    private void awaitReady(long deadline) {
        Set<TopicPartition> all = partitions();
        toRead = groups.stream().mapToInt(g -> of(topicsOf(g), all).size()).sum();
        List<String> ids = groups.stream().map(GroupState::id).toList();
        try (GroupReadiness readiness = new GroupReadiness()) {
            if (!readiness.await(() -> looksReady(all), ids, deadline)) {
                throw runs().map(MemberLoop::lastError)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .map(lastError -> Exit.CLUSTER.because("load.notAssignedTold", part, lastError))
                        .orElseGet(() -> Exit.CLUSTER.because("load.notAssigned", part));
            }
        }
    }

    private boolean looksReady(Set<TopicPartition> all) {
        requireAlive();
        return runs().allMatch(MemberLoop::joined) && groups.stream().allMatch(g -> g.isReady(of(topicsOf(g), all)));
    }

    private Set<TopicPartition> partitions() {
        Map<String, Object> properties =
                ClientProperties.of(context, spec, groups.get(0).id(), spec.members());
        try (KafkaConsumer<ByteBuffer, ByteBuffer> asking = create(properties, part)) {
            return partitionsOf(asking);
        } catch (KafkaException e) {
            throw KafkaErrors.explain(e, "read the partitions of", KafkaErrors.topics(spec.topics()));
        }
    }

    private Set<TopicPartition> partitionsOf(KafkaConsumer<?, ?> asking) {
        Set<TopicPartition> all = new HashSet<>();
        for (String topic : spec.topics()) {
            for (PartitionInfo info : asking.partitionsFor(topic)) {
                all.add(new TopicPartition(topic, info.partition()));
            }
        }
        return all;
    }

    private Set<TopicPartition> of(List<String> topics, Set<TopicPartition> partitions) {
        if (!spec.oneTopicEach()) {
            return partitions;
        }
        return partitions.stream().filter(p -> topics.contains(p.topic())).collect(Collectors.toSet());
    }

    @Override
    public List<GroupDelivery> deliveries() {
        return context.trail() == null
                ? List.of()
                : groups.stream()
                        .flatMap(g -> g.deliveries(context.trail()).stream())
                        .toList();
    }

    @Override
    protected long figures(ClientFigures into) {
        settings(into, ClientProperties.config(context, spec, part));
        assignment(into);
        return super.figures(into);
    }

    private void settings(ClientFigures into, ConsumerConfig config) {
        into.set(part, "fetchMinBytes", config.getInt(ConsumerConfig.FETCH_MIN_BYTES_CONFIG));
        into.set(part, "fetchMaxWaitMs", config.getInt(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG));
        into.set(part, "fetchMaxBytes", config.getInt(ConsumerConfig.FETCH_MAX_BYTES_CONFIG));
        into.set(part, "maxPartitionFetchBytes", config.getInt(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG));
        into.set(part, "maxPollRecords", config.getInt(ConsumerConfig.MAX_POLL_RECORDS_CONFIG));
        into.set(part, "maxPollIntervalMs", config.getInt(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG));
        boolean committed = "read_committed".equals(config.getString(ConsumerConfig.ISOLATION_LEVEL_CONFIG));
        into.set(part, "readCommitted", committed ? 1 : 0);
    }

    private void assignment(ClientFigures into) {
        List<Double> each =
                runs().filter(run -> !run.over()).map(run -> run.assigned()).toList();
        if (toRead > 0 && !each.isEmpty()) {
            into.set(part, "toRead", toRead);
            into.set(part, "members", each.size());
            double sum = each.stream().mapToDouble(n -> n).sum();
            into.set(part, "assigned", sum);
            into.set(part, "noneAssigned", sum == 0 ? 1 : 0);
            each.forEach(n -> into.most(part, "mostAssigned", n));
        }
    }

    /**
     * Waits until group assignments are stable. With the consumer protocol (KIP-848), the first member keeps all
     * partitions until its next heartbeat. Members that join before that seem to have an empty assignment, and only the
     * brokers know of the pending rebalance. Used by one thread.
     */
    private final class GroupReadiness implements AutoCloseable {
        /**
         * Time in ns for which an assignment must not change, because the last member to join can cause another change.
         */
        private static final long SETTLED_NANOS = 300_000_000L;

        private static final long ASK_NANOS = 100_000_000L;

        /** Null if the members themselves know whether the group is stable. */
        private final @Nullable Admin admin;

        private long askedNanos;

        GroupReadiness() {
            Map<String, Object> properties = new HashMap<>(context.clientProperties());
            properties.keySet().retainAll(AdminClientConfig.configNames());
            properties.remove(CommonClientConfigs.CLIENT_ID_CONFIG);
            String name = ConsumerConfig.GROUP_PROTOCOL_CONFIG;
            Object protocol = spec.config().containsKey(name)
                    ? spec.config().get(name)
                    : context.clientProperties().get(name);
            boolean asks = spec.members() > 1 && "consumer".equalsIgnoreCase(String.valueOf(protocol));
            this.admin = asks ? Admin.create(properties) : null;
        }

        /**
         * @param looksReady returns whether the members report readiness; throws if a member has failed
         * @return false on timeout
         */
        boolean await(BooleanSupplier looksReady, Collection<String> ids, long deadlineNanos) {
            long readySince = 0;
            while (true) {
                boolean ready = looksReady.getAsBoolean();
                long now = System.nanoTime();
                readySince = ready ? (readySince == 0 ? now : readySince) : 0;
                // A group with one member is stable as soon as that member is ready.
                if (ready && (spec.members() == 1 || now - readySince > SETTLED_NANOS) && stable(ids, now)) {
                    return true;
                }
                if (now > deadlineNanos) {
                    return false;
                }
                sleep();
            }
        }

        private boolean stable(Collection<String> ids, long nowNanos) {
            if (admin == null) {
                return true;
            }
            if (nowNanos - askedNanos < ASK_NANOS) {
                return false;
            }
            askedNanos = nowNanos;
            try {
                for (ConsumerGroupDescription group :
                        admin.describeConsumerGroups(ids).all().get().values()) {
                    if (group.groupState() != org.apache.kafka.common.GroupState.STABLE
                            || group.members().size() < spec.members()) {
                        return false;
                    }
                }
                return true;
            } catch (ExecutionException e) {
                // Without permission to describe the group, rely on its members.
                return !(KafkaErrors.unwrap(e) instanceof RetriableException);
            } catch (InterruptedException e) {
                throw Exit.interrupted(e, "load.interruptedJoining");
            }
        }

        @Override
        public void close() {
            if (admin != null) {
                admin.close(Duration.ZERO);
            }
        }
    }
}
