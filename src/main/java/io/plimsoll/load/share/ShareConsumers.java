package io.plimsoll.load.share;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Groups;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.ClientProperties.BorrowedBytesDeserializer;
import io.plimsoll.load.ConsumerKind.Entry;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.RecordIntake;
import io.plimsoll.load.Slice;
import io.plimsoll.load.ThreadedConsumers;
import io.plimsoll.load.Waiter;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.text.Sentence;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The share groups of one entry of a scenario: one thread per member, and one thread that queries the lag of the groups. */
final class ShareConsumers extends ThreadedConsumers<ShareLoop> {
    private static final long ASK_NANOS = 500_000_000;
    private static final long LOOK_NANOS = 50_000_000;
    private static final String POLL = "max.poll.records";
    private static final String DEFAULT_POLL = "500";

    private final Map<GroupState, ShareLedger> ledgers = new HashMap<>();
    /** Previous settings of the groups that this object has changed. */
    private final Map<String, Map<String, String>> changed = new TreeMap<>();

    private final Map<GroupState, Map<TopicPartition, SharePartitionOffsetInfo>> offsetsAtEnd = new HashMap<>();
    private @Nullable Admin admin;
    private @Nullable PeriodicTask asking;
    private volatile boolean ready;
    /** Maximum number of records that the members of all groups can acquire at a time. */
    private long locks;
    /** Maximum time until the records of a killed member are redelivered. */
    private Duration held = Duration.ZERO;

    ShareConsumers(Entry entry) {
        super(entry, Waiter.SYSTEM);
    }

    @Override
    public void prepare(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<String, Object> properties = new HashMap<>(context.clientProperties());
        properties.keySet().retainAll(AdminClientConfig.configNames());
        Admin own = Admin.create(properties);
        admin = own;
        Groups cluster = new Groups(own);
        groupsHere().forEach(g -> {
            Slice here = membersHere(g);
            GroupState group = addGroup(g, here);
            if (here.from() == 0) {
                Map<String, String> settings = ShareSettings.group(spec);
                changed.put(group.id(), settings.isEmpty() ? Map.of() : cluster.configure(group.id(), settings));
            }
            Groups.Limits limits = cluster.limits(group.id());
            ledgers.put(group, new ShareLedger(limits.deliveries()));
            locks += (long) limits.recordLocks() * partitionCount;
            held = limits.lock().plus(limits.session());
            group.open();
            addMembers(group, here);
        });
        startMembers();
        awaitReady(cluster, deadline);
        asking = PeriodicTask.each(
                "plimsoll-share-" + part,
                System.nanoTime(),
                ASK_NANOS,
                1,
                () -> groups.forEach(group -> ask(cluster, group)));
    }

    private void awaitReady(Groups cluster, long deadline) {
        for (GroupState group : groups) {
            while (!cluster.ready(group.id(), spec.members())) {
                requireAlive();
                Exit.CLUSTER.when(System.nanoTime() > deadline, "load.shareNotReady", part, group.id());
                waiter.park(LOOK_NANOS);
                Exit.INTERRUPTED.when(Thread.currentThread().isInterrupted(), "load.interruptedJoining");
            }
        }
        ready = true;
    }

    /** Queries the cluster, which alone knows the position of a share group. */
    private void ask(Groups cluster, GroupState group) {
        Map<TopicPartition, Long> targets = group.targets();
        Map<TopicPartition, SharePartitionOffsetInfo> offsets;
        try {
            offsets = cluster.shareOffsets(group.id());
        } catch (PlimsollException e) {
            return;
        }
        List<Optional<Long>> lags = offsets.values().stream()
                .filter(Objects::nonNull)
                .map(SharePartitionOffsetInfo::lag)
                .toList();
        // If the lag of one partition is missing, the sum would be too small.
        if (changed.containsKey(group.id()) && lags.stream().allMatch(Optional::isPresent)) {
            group.reportedLag(lags.stream().mapToLong(Optional::orElseThrow).sum());
        }
        boolean over = targets.entrySet().stream().allMatch(t -> isOver(offsets.get(t.getKey()), t.getValue()));
        if (over && !targets.isEmpty()) {
            group.end();
        }
    }

    private static boolean isOver(@Nullable SharePartitionOffsetInfo info, long end) {
        return end == 0
                || (info != null && (info.startOffset() >= end || info.lag().orElse(1L) == 0));
    }

    @Override
    protected ShareLoop create(GroupState group, int index, ReceiveMeter meter) {
        Map<String, Object> properties = ShareSettings.client(context, spec, group.id(), index);
        AtomicReference<ShareLoop> made = new AtomicReference<>();
        RecordIntake intake = new RecordIntake(
                group,
                meter,
                source,
                context.runId(),
                window,
                null,
                work(index, () -> Objects.requireNonNull(made.get()).over()),
                schemaCheck(),
                polls(group, ClientProperties.clientId(properties)));
        ShareLoop loop = new ShareLoop(
                create(properties, part),
                spec,
                intake,
                waiter,
                new ShareLoop.Who(
                        index,
                        context.seed() * 31 + count(),
                        topicsOf(group),
                        ledger(group),
                        () -> ready,
                        () -> endLimit().toNanos()),
                this::note);
        made.set(loop);
        return loop;
    }

    static KafkaShareConsumer<ByteBuffer, ByteBuffer> create(Map<String, Object> properties, String part) {
        return ClientProperties.client(
                part,
                properties,
                p -> new KafkaShareConsumer<>(p, new BorrowedBytesDeserializer(), new BorrowedBytesDeserializer()));
    }

    /** Unread records are unknown here if members are in other processes. */
    @Override
    protected Map<TopicPartition, Long> unread(GroupState group) {
        Map<TopicPartition, Long> unread = new HashMap<>();
        if (!group.spread()) {
            group.targets().forEach((partition, end) -> {
                SharePartitionOffsetInfo info =
                        offsetsAtEnd.getOrDefault(group, Map.of()).get(partition);
                if (info != null && !isOver(info, end)) {
                    unread.put(partition, info.startOffset());
                }
            });
        }
        return unread;
    }

    @Override
    protected boolean missed(GroupState group, TopicPartition partition, long offset) {
        return !ledger(group).isOver(partition, offset);
    }

    private ShareLedger ledger(GroupState group) {
        return Objects.requireNonNull(ledgers.get(group));
    }

    @Override
    public List<GroupDelivery> deliveries() {
        List<GroupDelivery> all = new ArrayList<>();
        // Ledgers do not cover the records of members in other processes.
        ledgers.forEach((group, ledger) -> {
            AuditTrail trail = context.trail();
            if (trail != null && !group.spread()) {
                all.addAll(ledger.deliveries(group.id(), group.targets().keySet(), trail));
            }
        });
        return all;
    }

    /**
     * Records of a killed member are redelivered when their locks expire. Its partitions are reassigned when its
     * session expires.
     */
    @Override
    public Duration endLimit() {
        return runs().anyMatch(ShareLoop::killed) ? held : Duration.ZERO;
    }

    @Override
    protected void end() {
        if (asking != null) {
            asking.end(0);
        }
        super.end();
        if (!endLimit().isZero()) {
            groups.forEach(g -> g.lag(Map.of())
                    .ifPresent(left -> note(Sentence.of("load.shareWaited", g.id(), held.toSeconds(), left))));
        }
        if (admin != null) {
            Groups cluster = new Groups(admin);
            groups.stream().filter(g -> !g.targets().isEmpty()).forEach(g -> noteOffsets(cluster, g));
            changed.forEach((group, before) -> restore(cluster, group, before));
            admin.close(Duration.ofSeconds(1));
        }
    }

    private void noteOffsets(Groups cluster, GroupState group) {
        try {
            offsetsAtEnd.put(group, cluster.shareOffsets(group.id()));
        } catch (PlimsollException e) {
            // Without a response, the lag is unknown.
        }
    }

    private void restore(Groups cluster, String group, Map<String, String> before) {
        try {
            if (!before.isEmpty()) {
                cluster.set(group, before);
            }
        } catch (PlimsollException e) {
            note(e.sentence());
        }
    }

    @Override
    protected long figures(ClientFigures into) {
        into.set(part, "recordLocks", locks);
        into.set(part, "maxPollRecords", Integer.parseInt(spec.config().getOrDefault(POLL, DEFAULT_POLL)));
        return super.figures(into);
    }
}
