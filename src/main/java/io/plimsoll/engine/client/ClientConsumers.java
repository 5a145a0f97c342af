package io.plimsoll.engine.client;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.engine.Consumers;
import io.plimsoll.engine.EndToEndSource;
import io.plimsoll.engine.EngineContext;
import io.plimsoll.engine.GroupState;
import io.plimsoll.engine.ReadWindow;
import io.plimsoll.measure.ConsumeTally;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireCounts;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Rewind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** The consumer groups of one entry of a scenario, on the official client: a thread per member. */
public final class ClientConsumers implements Consumers {
    private static final int MAX_METERS_PER_GROUP = 16;
    /** A group that has just been assigned may be assigned anew when the last member joins. */
    private static final long SETTLED_NANOS = Duration.ofMillis(300).toNanos();
    /** Of all members together: they leave at the same time. */
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(2500);

    private final EngineContext context;
    private final ConsumerSpec spec;
    private final String part;
    private final EndToEndSource source;
    private final ReadWindow window;
    private final List<GroupState> groups = new ArrayList<>();
    private final List<ReceiveMeter> meters = new ArrayList<>();
    private final List<MemberLoop> members = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<KafkaConsumer<ByteBuffer, ByteBuffer>> consumers = new ArrayList<>();
    private final ConsumeTally tally = new ConsumeTally();
    private final Map<Integer, Double> fetchesBefore = new HashMap<>();

    public ClientConsumers(EngineContext context, ConsumerSpec spec, String part, EndToEndSource source) {
        this.context = context;
        this.spec = spec;
        this.part = part;
        this.source = source;
        this.window = new ReadWindow(spec);
    }

    @Override
    public void prepare(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (int g = 0; g < spec.groups(); g++) {
            GroupState group = new GroupState(groupId(context, spec, part, g), spec);
            groups.add(group);
            if (spec.rewind().isPresent()) {
                rewind(group, spec.topicsOf(g), spec.rewind().get());
            }
            createMembers(group, spec.topicsOf(g));
        }
        threads.forEach(Thread::start);
        awaitReady(deadline);
    }

    private static String groupId(EngineContext context, ConsumerSpec spec, String part, int index) {
        String own = context.runTag() + "-" + part + "-group-" + index;
        return spec.config().getOrDefault(ConsumerConfig.GROUP_ID_CONFIG, own);
    }

    /** The ids of the groups that {@link #prepare} will make, or use if the configuration names one. */
    public static Set<String> groupIds(EngineContext context, ConsumerSpec spec, String part) {
        Set<String> ids = new LinkedHashSet<>();
        for (int g = 0; g < spec.groups(); g++) {
            ids.add(groupId(context, spec, part, g));
        }
        return ids;
    }

    /** Before anybody joins, since the offsets of a group with members cannot be set from outside. */
    private void rewind(GroupState group, List<String> topics, Rewind to) {
        Map<String, Object> properties = ClientProperties.of(context, spec, group.id(), spec.members());
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        try (KafkaConsumer<ByteBuffer, ByteBuffer> setting = create(properties)) {
            Set<TopicPartition> all = of(topics, partitionsOf(setting));
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            offsetsAt(setting, to, all).forEach((p, offset) -> offsets.put(p, new OffsetAndMetadata(offset)));
            setting.assign(all);
            setting.commitSync(offsets);
        } catch (KafkaException e) {
            throw KafkaErrors.explain(e, "set the offsets of", "consumer group " + group.id());
        }
    }

    private static Map<TopicPartition, Long> offsetsAt(
            KafkaConsumer<?, ?> consumer, Rewind to, Set<TopicPartition> all) {
        if (!(to instanceof Rewind.ToTime time)) {
            return consumer.beginningOffsets(all);
        }
        Map<TopicPartition, Long> times = new HashMap<>();
        all.forEach(p -> times.put(p, time.time().toEpochMilli()));
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(all));
        consumer.offsetsForTimes(times).forEach((partition, found) -> {
            if (found != null) {
                offsets.put(partition, found.offset());
            }
        });
        return offsets;
    }

    private void createMembers(GroupState group, List<String> topics) {
        boolean shared = spec.members() > MAX_METERS_PER_GROUP;
        List<ReceiveMeter> own = new ArrayList<>();
        for (int m = 0; m < spec.members(); m++) {
            if (m < MAX_METERS_PER_GROUP) {
                own.add(new ReceiveMeter(group.id(), shared));
            }
            Map<String, Object> properties = ClientProperties.of(context, spec, group.id(), m);
            KafkaConsumer<ByteBuffer, ByteBuffer> consumer = create(properties);
            consumers.add(consumer);
            MemberLoop member = new MemberLoop(
                    consumer,
                    spec,
                    topics,
                    group,
                    own.get(m % MAX_METERS_PER_GROUP),
                    source,
                    context.runId(),
                    window,
                    text -> context.notes().accept(part + ": " + text));
            members.add(member);
            Thread thread = new Thread(member, "plimsoll-read-" + part + "-" + threads.size());
            thread.setDaemon(true);
            threads.add(thread);
        }
        meters.addAll(own);
    }

    /**
     * Makes a client and closes it again, without a connection.
     *
     * @throws PlimsollException {@link Exit#USAGE} if the properties do not allow that
     */
    public void tryOut() {
        create(ClientProperties.of(context, spec, groupId(context, spec, part, 0), 0))
                .close(CloseOptions.timeout(Duration.ZERO));
    }

    private KafkaConsumer<ByteBuffer, ByteBuffer> create(Map<String, Object> properties) {
        try {
            return new KafkaConsumer<>(properties, new BorrowedBytesDeserializer(), new BorrowedBytesDeserializer());
        } catch (KafkaException e) {
            throw ClientProperties.unusable(part, properties, e);
        }
    }

    private void awaitReady(long deadline) {
        Set<TopicPartition> all = null;
        long readySince = 0;
        while (true) {
            for (MemberLoop member : members) {
                if (member.fatal() != null) {
                    throw KafkaErrors.explain(
                            member.fatal(), "join a consumer group on", "topic " + String.join(", ", spec.topics()));
                }
            }
            all = all == null ? partitions() : all;
            Set<TopicPartition> expected = all;
            boolean ready = members.stream().allMatch(MemberLoop::joined)
                    && IntStream.range(0, groups.size())
                            .allMatch(g -> groups.get(g).isReady(of(spec.topicsOf(g), expected)));
            long now = System.nanoTime();
            readySince = ready ? (readySince == 0 ? now : readySince) : 0;
            // A group of one has nobody to wait for.
            if (ready && (spec.members() == 1 || now - readySince > SETTLED_NANOS)) {
                return;
            }
            if (now > deadline) {
                throw new PlimsollException(
                        Exit.CLUSTER,
                        part + ": the consumers did not get all partitions assigned within the time; is the group"
                                + " coordinator (topic __consumer_offsets) healthy?");
            }
            sleep(5);
        }
    }

    private Set<TopicPartition> partitions() {
        Map<String, Object> properties =
                ClientProperties.of(context, spec, groups.get(0).id(), spec.members());
        try (KafkaConsumer<ByteBuffer, ByteBuffer> asking = create(properties)) {
            return partitionsOf(asking);
        } catch (KafkaException e) {
            throw KafkaErrors.explain(e, "read the partitions of", "topic " + String.join(", ", spec.topics()));
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

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PlimsollException(Exit.INTERRUPTED, "interrupted while consumers were joining", e);
        }
    }

    @Override
    public void start(TrialClock clock) {
        window.start(clock);
    }

    @Override
    public void enough() {
        window.enough(System.nanoTime());
    }

    @Override
    public long openedNanos() {
        return window.openedNanos();
    }

    @Override
    public void producersDone(Map<TopicPartition, Long> endOffsets) {
        long now = System.nanoTime();
        for (int g = 0; g < groups.size(); g++) {
            List<String> topics = spec.topicsOf(g);
            Map<TopicPartition, Long> mine = new HashMap<>(endOffsets);
            mine.keySet().removeIf(p -> !topics.contains(p.topic()));
            groups.get(g).startWaiting(now);
            groups.get(g).readUpTo(mine);
        }
        window.producersDone(now);
    }

    @Override
    public boolean done() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    @Override
    public void stop() {
        members.forEach(MemberLoop::stop);
    }

    @Override
    public void close() {
        stop();
        Ending.join(threads, CLOSE_LIMIT);
        for (GroupState group : groups) {
            if (group.missing() > 0) {
                context.notes()
                        .accept(part + ": group " + group.id() + " read " + group.missing()
                                + " records fewer than asked for: nothing came for "
                                + spec.idleTimeout().toMillis() + " ms");
            }
        }
    }

    @Override
    public Reading read() {
        tally.read(meters);
        double fetches = 0;
        for (int i = 0; i < consumers.size(); i++) {
            double total = fetchTotal(consumers.get(i));
            fetches += Math.max(0, total - fetchesBefore.getOrDefault(i, 0.0));
            fetchesBefore.merge(i, total, Math::max);
        }
        WireCounts wire = new WireCounts(0, 0, 0, 0, 0, 0, 0, 0, Math.round(fetches));
        return new Reading(tally.counts(false), tally.counts(true), wire);
    }

    private static double fetchTotal(KafkaConsumer<?, ?> consumer) {
        for (Map.Entry<org.apache.kafka.common.MetricName, ? extends Metric> metric :
                consumer.metrics().entrySet()) {
            if (metric.getKey().name().equals("fetch-total")
                    && metric.getValue().metricValue() instanceof Double total) {
                return total.isNaN() ? 0 : total;
            }
        }
        return 0;
    }

    @Override
    public Map<String, Long> lag(Map<TopicPartition, Long> endOffsets) {
        Map<String, Long> lag = new TreeMap<>();
        groups.forEach(group -> lag.put(group.id(), group.lag(endOffsets)));
        return lag;
    }

    @Override
    public Map<String, Long> consumedByPartition() {
        Map<String, Long> counts = new TreeMap<>();
        groups.forEach(group -> group.consumedByPartition()
                .forEach((partition, count) -> counts.merge(partition.toString(), count.get(), Long::sum)));
        return counts;
    }

    @Override
    public List<String> groupIds() {
        return groups.stream().map(GroupState::id).toList();
    }

    @Override
    public Optional<Span> span() {
        long last =
                meters.stream().mapToLong(ReceiveMeter::lastRecordNanos).max().orElse(0);
        return window.span(last);
    }
}
