package io.plimsoll.load.share;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.cluster.ShareGroups;
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
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.AbruptEnd;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;

/** The share groups of one entry of a scenario: a thread per member, and one that asks the cluster how far the groups are. */
final class ShareConsumers extends GroupedConsumers {
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(2500);
    private static final long ASK_NANOS = 500_000_000;
    private static final long LOOK_NANOS = 50_000_000;

    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final Map<GroupState, ShareLedger> ledgers = new HashMap<>();
    /** Groups whose settings were changed here, and what these were before. */
    private final Map<String, Map<String, String>> changed = new TreeMap<>();

    private Admin admin;
    private ShareGroups cluster;
    private PeriodicTask asking;
    private boolean stopped; // Guarded by this object: no member is added after the last was told to stop.
    private double fetchesBefore;

    ShareConsumers(Entry entry) {
        super(entry, Waiter.SYSTEM);
    }

    @Override
    public void prepare(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<String, Object> properties = new HashMap<>(context.clientProperties());
        properties.keySet().retainAll(AdminClientConfig.configNames());
        admin = Admin.create(properties);
        cluster = new ShareGroups(admin);
        groupsHere().forEach(g -> {
            Slice here = membersHere(g);
            GroupState group = addGroup(g, here);
            if (here.from() == 0) {
                Map<String, String> settings = ShareSettings.group(spec);
                changed.put(group.id(), settings.isEmpty() ? Map.of() : cluster.configure(group.id(), settings));
            }
            ShareLedger ledger = new ShareLedger(cluster.deliveryLimit(group.id()));
            ledgers.put(group, ledger);
            group.open();
            List<ReceiveMeter> meters = addMeters(group, here.count());
            for (int m = here.from(); m < here.to(); m++) {
                members.add(new Member(group, m, meters.get(m - here.from())));
            }
        });
        members.forEach(member -> member.thread.start());
        awaitReady(deadline);
        asking = new PeriodicTask("plimsoll-share-" + part, System.nanoTime(), ASK_NANOS, 1, () -> {
            groups.forEach(this::ask);
            return 1;
        });
    }

    private void awaitReady(long deadline) {
        for (GroupState group : groups) {
            while (!cluster.ready(group.id(), spec.members())) {
                for (Member member : members) {
                    if (member.loop.fatal() != null) {
                        throw KafkaErrors.explain(
                                member.loop.fatal(), "join a consumer group on", KafkaErrors.topics(spec.topics()));
                    }
                }
                if (System.nanoTime() > deadline) {
                    throw Exit.CLUSTER.because("load.shareNotReady", part, group.id());
                }
                waiter.park(LOOK_NANOS);
                if (Thread.currentThread().isInterrupted()) {
                    throw Exit.INTERRUPTED.because("load.interruptedJoining");
                }
            }
        }
        members.forEach(member -> member.loop.ready());
    }

    /** Only the cluster knows how far a share group is. */
    private void ask(GroupState group) {
        Map<TopicPartition, Long> targets = group.targets();
        Map<TopicPartition, SharePartitionOffsetInfo> offsets;
        try {
            offsets = cluster.offsets(group.id());
        } catch (PlimsollException e) {
            return;
        }
        if (changed.containsKey(group.id())) {
            group.toldLag(offsets.values().stream()
                    .filter(Objects::nonNull)
                    .mapToLong(info -> info.lag().orElse(0L))
                    .sum());
        }
        boolean over = targets.entrySet().stream().allMatch(t -> isOver(offsets.get(t.getKey()), t.getValue()));
        if (over && !targets.isEmpty()) {
            group.end();
        }
    }

    private static boolean isOver(SharePartitionOffsetInfo info, long end) {
        return end == 0
                || (info != null && (info.startOffset() >= end || info.lag().orElse(1L) == 0));
    }

    private final class Member implements GroupMember {
        private final GroupState group;
        private final int index;
        private final ReceiveMeter meter;
        private final KafkaShareConsumer<ByteBuffer, ByteBuffer> consumer;
        private final ShareLoop loop;
        private final Thread thread;

        Member(GroupState group, int index, ReceiveMeter meter) {
            this.group = group;
            this.index = index;
            this.meter = meter;
            this.consumer = create(ShareSettings.client(context, spec, group.id(), index), part);
            RecordIntake intake =
                    new RecordIntake(group, meter, source, context.runId(), window, null, work(index, this::over));
            this.loop = new ShareLoop(
                    consumer,
                    spec,
                    topicsOf(group),
                    intake,
                    ledgers.get(group),
                    waiter,
                    new ShareLoop.Who(index, context.seed() * 31 + members.size()),
                    ShareConsumers.this::note);
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
            boolean abrupt = AbruptEnd.of(consumer);
            if (!abrupt) {
                note(Sentence.of("load.shareLeaves"));
            }
            loop.kill(abrupt);
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
        public void leave() {
            loop.stop();
        }

        @Override
        public void replace() {
            // A meter has one writer at a time.
            BoundedClose.join(List.of(thread), CLOSE_LIMIT);
            synchronized (ShareConsumers.this) {
                if (!stopped && !thread.isAlive() && !group.done()) {
                    Member replacing = new Member(group, index, meter);
                    replacing.loop.ready();
                    members.add(replacing);
                    replacing.thread.start();
                }
            }
        }
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the properties do not allow to make a client */
    static KafkaShareConsumer<ByteBuffer, ByteBuffer> create(Map<String, Object> properties, String part) {
        try {
            return new KafkaShareConsumer<>(
                    properties, new BorrowedBytesDeserializer(), new BorrowedBytesDeserializer());
        } catch (KafkaException e) {
            throw ClientProperties.unusable(part, properties, e);
        }
    }

    @Override
    public List<GroupMember> members() {
        return List.copyOf(members);
    }

    @Override
    public List<GroupDelivery> deliveries() {
        List<GroupDelivery> all = new ArrayList<>();
        // What members in other processes were given, nobody here knows.
        ledgers.forEach((group, ledger) -> {
            if (context.trail() != null && !group.spread()) {
                all.addAll(ledger.deliveries(group.id(), context.trail()));
            }
        });
        return all;
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
        if (asking != null) {
            asking.end(0);
        }
        BoundedClose.join(members.stream().map(m -> m.thread).toList(), CLOSE_LIMIT);
        if (admin != null) {
            changed.forEach(this::restore);
            admin.close(Duration.ofSeconds(1));
        }
    }

    private void restore(String group, Map<String, String> before) {
        try {
            if (!before.isEmpty()) {
                cluster.set(group, before);
            }
        } catch (PlimsollException e) {
            note(e.sentence());
        }
    }

    @Override
    protected long fetches() {
        double now = members.stream().mapToDouble(m -> metric(m, "fetch-total")).sum();
        long since = Math.round(Math.max(0, now - fetchesBefore));
        fetchesBefore = now;
        return since;
    }

    private static double metric(Member member, String name) {
        for (Map.Entry<MetricName, ? extends Metric> metric :
                member.consumer.metrics().entrySet()) {
            boolean ofAll = metric.getKey().name().equals(name)
                    && !metric.getKey().tags().containsKey("topic");
            if (ofAll && metric.getValue().metricValue() instanceof Double value && Double.isFinite(value)) {
                return value;
            }
        }
        return 0;
    }

    @Override
    public void figures(ClientFigures into) {
        workFigures(into, false);
    }
}
