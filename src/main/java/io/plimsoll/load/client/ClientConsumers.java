package io.plimsoll.load.client;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.BoundedClose;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.ClientProperties.BorrowedBytesDeserializer;
import io.plimsoll.load.ConsumerKind.Entry;
import io.plimsoll.load.GroupMember;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.GroupedConsumers;
import io.plimsoll.load.RecordIntake;
import io.plimsoll.load.Slice;
import io.plimsoll.load.Waiter;
import io.plimsoll.load.Work;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Rewind;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ThrottleTotals;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** The consumer groups of one entry of a scenario, on the official client: a thread per member. */
class ClientConsumers extends GroupedConsumers {
    static final CloseOptions AT_ONCE = CloseOptions.timeout(Duration.ZERO);

    /** The time that all members together have to end: they leave at the same time. */
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(2500);

    private final List<Member> members = new CopyOnWriteArrayList<>();
    private boolean stopped; // Guarded by this object: no member is added after the last was told to stop.

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
            createMembers(group, here, g == 0 ? feed : null);
        });
        members.forEach(member -> member.thread.start());
        if (!members.isEmpty()) {
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
            if (System.nanoTime() > deadline) {
                throw Exit.CLUSTER.because("load.offsetsNotSet", part, group.id());
            }
            GroupReadiness.sleep(5);
        }
    }

    private void createMembers(GroupState group, Slice here, AuditTrail groupFeed) {
        List<ReceiveMeter> meters = addMeters(group, here.count());
        for (int m = here.from(); m < here.to(); m++) {
            members.add(new Member(group, m, meters.get(m - here.from()), groupFeed));
        }
    }

    /** What writes on the records of a member; null if nothing. */
    Forwarder forwarder(
            KafkaConsumer<ByteBuffer, ByteBuffer> consumer,
            ReceiveMeter meter,
            Work work,
            GroupState group,
            int member) {
        return null;
    }

    /** A member, its thread, and what it says of itself. */
    private final class Member implements GroupMember {
        private final GroupState group;
        private final int index;
        private final ReceiveMeter meter;
        private final AuditTrail groupFeed;
        private final MemberLoop loop;
        private final Thread thread;
        private final ConsumerFigures figures;

        Member(GroupState group, int index, ReceiveMeter meter, AuditTrail groupFeed) {
            this.group = group;
            this.index = index;
            this.meter = meter;
            this.groupFeed = groupFeed;
            KafkaConsumer<ByteBuffer, ByteBuffer> consumer =
                    create(ClientProperties.of(context, spec, group.id(), index), part);
            if (!ThrottleTotals.add(consumer) && members.isEmpty()) {
                note(Sentence.of("load.throttlesUntold"));
            }
            this.figures = new ConsumerFigures(consumer);
            RecordIntake intake =
                    new RecordIntake(group, meter, source, context.runId(), window, groupFeed, work(index, this::over));
            this.loop = new MemberLoop(
                    consumer, spec, topicsOf(group), group, meter, intake, window, waiter, ClientConsumers.this::note);
            this.loop.forward(forwarder(consumer, meter, intake.work(), group, index));
            this.thread = Daemon.thread("plimsoll-read-" + part + "-" + members.size(), loop);
        }

        private boolean over() {
            return loop.over();
        }

        @Override
        public String name() {
            return "member " + index + " of " + group.id();
        }

        @Override
        public boolean alive() {
            return thread.isAlive();
        }

        @Override
        public void kill() {
            loop.kill();
        }

        @Override
        public void pause() {
            loop.pause(true);
        }

        @Override
        public void resume() {
            loop.pause(false);
        }

        @Override
        public boolean joined() {
            return loop.joined();
        }

        @Override
        public void leave() {
            loop.leave();
        }

        @Override
        public Runnable another() {
            synchronized (ClientConsumers.this) {
                if (stopped || group.done()) {
                    return () -> {};
                }
                int next = members.stream().mapToInt(m -> m.index).max().orElse(index) + 1;
                Member added = new Member(group, next, addMeters(group, 1).get(0), groupFeed);
                members.add(added);
                added.thread.start();
                return added::leave;
            }
        }

        @Override
        public void replace() {
            // A meter has one writer at a time.
            BoundedClose.join(List.of(thread), CLOSE_LIMIT);
            synchronized (ClientConsumers.this) {
                if (!stopped && !thread.isAlive() && !group.done()) {
                    Member replacing = new Member(group, index, meter, groupFeed);
                    members.add(replacing);
                    replacing.thread.start();
                }
            }
        }
    }

    @Override
    protected boolean joined(GroupState group) {
        return members.stream().filter(m -> m.group == group).allMatch(m -> m.loop.joined());
    }

    @Override
    public List<GroupMember> members() {
        return List.copyOf(members);
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the properties do not allow to make a client */
    static KafkaConsumer<ByteBuffer, ByteBuffer> create(Map<String, Object> properties, String part) {
        try {
            return new KafkaConsumer<>(properties, new BorrowedBytesDeserializer(), new BorrowedBytesDeserializer());
        } catch (KafkaException e) {
            throw ClientProperties.unusable(part, properties, e);
        }
    }

    private void awaitReady(long deadline) {
        Set<TopicPartition> all = partitions();
        List<String> ids = groups.stream().map(GroupState::id).toList();
        try (GroupReadiness readiness = new GroupReadiness(context, spec)) {
            if (!readiness.await(() -> looksReady(all), ids, deadline)) {
                throw Exit.CLUSTER.because("load.notAssigned", part);
            }
        }
    }

    private boolean looksReady(Set<TopicPartition> all) {
        for (Member member : members) {
            if (member.loop.fatal() != null) {
                throw KafkaErrors.explain(
                        member.loop.fatal(), "join a consumer group on", KafkaErrors.topics(spec.topics()));
            }
        }
        return members.stream().allMatch(m -> m.loop.joined())
                && groups.stream().allMatch(g -> g.isReady(of(topicsOf(g), all)));
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

    /** They look anyway, several times a second. */
    @Override
    protected void wakeup() {}

    @Override
    public boolean done() {
        return members.stream().noneMatch(Member::alive);
    }

    @Override
    public synchronized void stop() {
        stopped = true;
        members.forEach(member -> member.loop.stop());
    }

    @Override
    protected void end() {
        BoundedClose.join(members.stream().map(m -> m.thread).toList(), CLOSE_LIMIT);
    }

    @Override
    protected long fetches() {
        long now = waiter.nanoTime();
        return Math.round(members.stream().mapToDouble(m -> m.figures.read(now)).sum());
    }

    @Override
    public void figures(ClientFigures into) {
        workFigures(into, true);
        ConsumerFigures.settings(into, part, ClientProperties.config(context, spec, part));
        members.forEach(member -> member.figures.add(into, part));
    }
}
