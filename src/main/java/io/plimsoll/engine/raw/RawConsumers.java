package io.plimsoll.engine.raw;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.engine.Consumers;
import io.plimsoll.engine.EndToEndSource;
import io.plimsoll.engine.EngineContext;
import io.plimsoll.engine.GroupState;
import io.plimsoll.engine.ReadWindow;
import io.plimsoll.engine.client.ClientProperties;
import io.plimsoll.engine.raw.kafka.RawNetwork;
import io.plimsoll.measure.ConsumeTally;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireCounts;
import io.plimsoll.scenario.ConsumerSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;

/**
 * The consumer groups of one entry of a scenario, on the raw engine. No group exists on the cluster: each reads every
 * partition once, its members are threads that share the partitions in fixed parts, and nothing is committed.
 */
public final class RawConsumers implements Consumers {
    private static final int MAX_METERS_PER_GROUP = 16;
    private static final Duration END_PATIENCE = Duration.ofSeconds(4);

    private final EngineContext context;
    private final ConsumerSpec spec;
    private final String part;
    private final EndToEndSource source;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final ReadWindow window;
    private final List<GroupState> groups = new ArrayList<>();
    private final List<ReceiveMeter> meters = new ArrayList<>();
    private final List<RawReader> readers = new ArrayList<>();
    private final ConsumeTally tally = new ConsumeTally();
    private final AtomicBoolean compressedNoted = new AtomicBoolean();
    private long fetchesBefore;
    private boolean closed;

    /** @param partitionCounts of the entry's topics */
    public RawConsumers(
            EngineContext context, ConsumerSpec spec, String part, EndToEndSource source, int[] partitionCounts) {
        this.context = context;
        this.spec = spec;
        this.part = part;
        this.source = source;
        this.window = new ReadWindow(spec);
        for (int t = 0; t < partitionCounts.length; t++) {
            for (int p = 0; p < partitionCounts[t]; p++) {
                partitions.add(new TopicPartition(spec.topics().get(t), p));
            }
        }
    }

    /** @throws PlimsollException {@link Exit#USAGE} for what only the official client can do */
    public static void check(ConsumerSpec spec, String part) {
        if (spec.commit() instanceof ConsumerSpec.Commit.Sync || spec.commit() instanceof ConsumerSpec.Commit.Async) {
            throw new PlimsollException(
                    Exit.USAGE,
                    part + ".commit: the raw engine commits no offsets; use engine: client or commit: none");
        }
        if ("none".equals(spec.config().get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG))) {
            throw new PlimsollException(
                    Exit.USAGE,
                    part + ".config.auto.offset.reset: the raw engine has no committed offsets to start from; give"
                            + " earliest or latest, or use engine: client");
        }
    }

    @Override
    public void prepare(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (int g = 0; g < spec.groups(); g++) {
            GroupState group = new GroupState(groupId(context, part, g), spec);
            groups.add(group);
            createReaders(group, spec.topicsOf(g));
        }
        List<CompletableFuture<Void>> futures =
                readers.stream().map(RawReader::prepare).toList();
        for (int i = 0; i < futures.size(); i++) {
            await(readers.get(i), futures.get(i), deadline);
        }
    }

    private static String groupId(EngineContext context, String part, int index) {
        return context.runTag() + "-" + part + "-group-" + index;
    }

    /** The names of the groups that {@link #prepare} makes; the cluster does not know them. */
    public static Set<String> groupIds(EngineContext context, ConsumerSpec spec, String part) {
        Set<String> ids = new LinkedHashSet<>();
        for (int g = 0; g < spec.groups(); g++) {
            ids.add(groupId(context, part, g));
        }
        return ids;
    }

    private void createReaders(GroupState group, List<String> topics) {
        boolean shared = spec.members() > MAX_METERS_PER_GROUP;
        List<TopicPartition> all = partitionsOf(topics);
        int count = Math.min(spec.members(), all.size());
        List<ReceiveMeter> own = new ArrayList<>();
        for (int m = 0; m < count; m++) {
            if (m < MAX_METERS_PER_GROUP) {
                own.add(new ReceiveMeter(group.id(), shared));
            }
            List<TopicPartition> share = new ArrayList<>();
            for (int i = m; i < all.size(); i += count) {
                share.add(all.get(i));
            }
            readers.add(create(group, own.get(m % MAX_METERS_PER_GROUP), m, topics, share));
        }
        meters.addAll(own);
    }

    private List<TopicPartition> partitionsOf(List<String> topics) {
        return partitions.stream().filter(p -> topics.contains(p.topic())).toList();
    }

    private RawReader create(
            GroupState group, ReceiveMeter meter, int member, List<String> topics, List<TopicPartition> share) {
        String clientId = group.id() + "-" + member;
        Map<String, Object> properties = ClientProperties.of(context, spec, group.id(), member);
        FetchSettings settings = FetchSettings.of(ClientProperties.parseConsumer(properties, part), spec);
        RawNetwork network = new RawNetwork(
                context.clientProperties(), clientId, settings.receiveBufferBytes(), settings.requestTimeoutMillis());
        RawCluster cluster = new RawCluster(network, clientId, new LinkedHashSet<>(topics), 1);
        BatchTaker taker = new BatchTaker(
                new BatchReader(settings.checkCrcs(), source, context.runId()),
                source,
                settings.limits().readCommitted(),
                group,
                window,
                meter,
                this::noteCompressed);
        return new RawReader(
                network,
                clientId,
                cluster,
                settings,
                share(settings, share),
                taker,
                group,
                meter,
                window,
                spec.idleTimeout(),
                text -> context.notes().accept(part + ": " + text));
    }

    private static ReadPartition[] share(FetchSettings settings, List<TopicPartition> partitions) {
        long lookFor = settings.lookFor(System.currentTimeMillis());
        return partitions.stream().map(p -> new ReadPartition(p, lookFor)).toArray(ReadPartition[]::new);
    }

    private void noteCompressed() {
        if (!compressedNoted.getAndSet(true)) {
            String latency = source == EndToEndSource.STAMP ? "; their end-to-end latency is not measured" : "";
            context.notes()
                    .accept(part + ": the raw engine does not decompress: of compressed batches the bytes read are"
                            + " those of the batches" + latency);
        }
    }

    private void await(RawReader reader, CompletableFuture<Void> ready, long deadline) {
        try {
            ready.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new PlimsollException(
                    Exit.CLUSTER,
                    part + ": no connection to the leaders of " + String.join(", ", spec.topics())
                            + ", or no offsets to start from, within the time"
                            + (reader.lastError() == null ? "" : " (" + reader.lastError() + ")"),
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PlimsollException known) {
                throw known;
            }
            throw new PlimsollException(
                    Exit.CLUSTER,
                    part + ": the raw engine cannot connect: " + e.getCause().getMessage(),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PlimsollException(Exit.INTERRUPTED, "interrupted while connecting", e);
        }
    }

    @Override
    public void start(TrialClock clock) {
        window.start(clock);
        readers.forEach(RawReader::wakeup);
    }

    @Override
    public void enough() {
        window.enough(System.nanoTime());
        readers.forEach(RawReader::wakeup);
    }

    @Override
    public long openedNanos() {
        return window.openedNanos();
    }

    @Override
    public void producersDone(Map<TopicPartition, Long> endOffsets) {
        long now = System.nanoTime();
        for (int g = 0; g < groups.size(); g++) {
            Map<TopicPartition, Long> mine = new HashMap<>(endOffsets);
            mine.keySet().retainAll(partitionsOf(spec.topicsOf(g)));
            groups.get(g).startWaiting(now);
            groups.get(g).readUpTo(mine);
        }
        window.producersDone(now);
        readers.forEach(RawReader::wakeup);
    }

    @Override
    public boolean done() {
        return readers.stream().allMatch(RawReader::ended);
    }

    @Override
    public void stop() {
        readers.forEach(RawReader::stop);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        stop();
        for (RawReader reader : readers) {
            try {
                reader.join(END_PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
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
        long fetches = requests();
        WireCounts wire = new WireCounts(0, 0, 0, 0, 0, 0, 0, 0, fetches - fetchesBefore);
        fetchesBefore = fetches;
        return new Reading(tally.counts(false), tally.counts(true), wire);
    }

    /** Fetch requests since the start. */
    long requests() {
        return readers.stream().mapToLong(RawReader::fetches).sum();
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

    /** None: these groups are not known to the cluster. */
    @Override
    public List<String> groupIds() {
        return List.of();
    }

    @Override
    public Optional<Span> span() {
        long last =
                meters.stream().mapToLong(ReceiveMeter::lastRecordNanos).max().orElse(0);
        return window.span(last);
    }
}
