package io.plimsoll.load.client;

import io.plimsoll.load.LoadContext;
import io.plimsoll.Exit;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.ClientProperties.BorrowedBytesDeserializer;
import io.plimsoll.load.ConsumerFigures;
import io.plimsoll.load.ConsumerKind.Entry;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.GroupState.GroupDelivery;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** The consumer groups of one entry of a scenario, on the official client: a thread per member. */
class ClientConsumers extends ThreadedConsumers<MemberLoop> {
    /** Partitions that all groups together read; 0 until they are known. */
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

    /** Before anybody joins, since the offsets of a group with members cannot be set from outside. */
    private void rewind(GroupState group, List<String> topics, Rewind to) {
        Map<String, Object> properties = ClientProperties.of(context, spec, group.id(), spec.members());
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        try (KafkaConsumer<ByteBuffer, ByteBuffer> setting = create(properties, part)) {
            StartPositions.rewind(setting, to, of(topics, partitionsOf(setting)));
        } catch (KafkaException e) {
            throw KafkaErrors.explain(e, "set the offsets of", KafkaErrors.group(group.id()));
        }
    }

    /** The process with the group's first member sets its offsets; the others wait for that. */
    private void awaitOpen(GroupState group, long deadline) {
        while (!group.openedElsewhere()) {
            Exit.CLUSTER.when(System.nanoTime() > deadline, "load.offsetsNotSet", part, group.id());
            GroupReadiness.sleep(5);
        }
    }

    /** What writes on the records of a member; null if nothing. */
    Forwarder forwarder(KafkaConsumer<ByteBuffer, ByteBuffer> consumer, RecordIntake intake, int member) {
        return null;
    }

    @Override
    protected MemberLoop create(GroupState group, int index, ReceiveMeter meter) {
        KafkaConsumer<ByteBuffer, ByteBuffer> consumer =
                create(ClientProperties.of(context, spec, group.id(), index), part);
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
                work(index, () -> made.get().over()));
        made.set(new MemberLoop(consumer, spec, topicsOf(group), intake, waiter, this::note));
        made.get().forward(forwarder(consumer, intake, index));
        return made.get();
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
        try (GroupReadiness readiness = new GroupReadiness(context, spec)) {
            if (!readiness.await(() -> looksReady(all), ids, deadline)) {
                throw runs().map(MemberLoop::told)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .map(told -> Exit.CLUSTER.because("load.notAssignedTold", part, told))
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
    protected void figures(ClientFigures into) {
        super.figures(into);
        ConsumerFigures.settings(into, part, ClientProperties.config(context, spec, part));
        assignment(into);
    }

    /** How the partitions are shared out among the members that are there. */
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
}
