package io.plimsoll.load.raw;

import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.ConsumerKind.Entry;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.Slice;
import io.plimsoll.load.Waiter;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.OffsetLookup;
import io.plimsoll.wire.RawNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.TopicPartition;

/**
 * The consumer groups of one entry on the raw engine. The groups do not exist on the cluster. Each group reads every
 * partition once, divides the partitions among its threads, and commits no offsets.
 */
final class RawConsumers extends Consumers {
    private static final Duration END_PATIENCE = Duration.ofSeconds(4);

    private final List<TopicPartition> partitions = new ArrayList<>();
    private final List<RawReader> readers = new CopyOnWriteArrayList<>();
    private final List<ReadPartition> feedPartitions = new ArrayList<>();
    private final AtomicBoolean compressedNoted = new AtomicBoolean();
    private long figuresNanos;

    RawConsumers(Entry entry) {
        super(entry, Waiter.SYSTEM);
        int[] partitionCounts = entry.partitions().apply(spec.topics());
        for (int t = 0; t < partitionCounts.length; t++) {
            for (int p = 0; p < partitionCounts[t]; p++) {
                partitions.add(new TopicPartition(spec.topics().get(t), p));
            }
        }
    }

    @Override
    public void prepare(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        groupsHere().forEach(g -> {
            Slice here = membersHere(g);
            createReaders(addGroup(g, here), here);
        });
        readers.forEach(RawReader::prepare);
        Sentence what = Sentence.of("load.connectionOrOffsets", String.join(", ", spec.topics()));
        RawThread.awaitReady(readers, part, what, deadline);
    }

    private void createReaders(GroupState group, Slice here) {
        List<String> topics = topicsOf(group);
        Set<String> named = Set.copyOf(topics);
        List<TopicPartition> all =
                partitions.stream().filter(p -> named.contains(p.topic())).toList();
        int count = Math.min(spec.members(), all.size());
        int end = Math.min(count, here.to());
        List<ReceiveMeter> meters = addMeters(group, Math.max(0, end - here.from()));
        for (int m = here.from(); m < end; m++) {
            List<TopicPartition> share = new ArrayList<>();
            for (int i = m; i < all.size(); i += count) {
                share.add(all.get(i));
            }
            readers.add(create(group, meters.get(m - here.from()), m, topics, share));
        }
    }

    private RawReader create(
            GroupState group, ReceiveMeter meter, int member, List<String> topics, List<TopicPartition> share) {
        Map<String, Object> properties = ClientProperties.of(context, spec, group.id(), member);
        String clientId = ClientProperties.clientId(properties);
        FetchSettings settings = FetchSettings.of(ClientProperties.parseConsumer(properties, part), spec);
        RawNetwork network = new RawNetwork(
                        ClientProperties.ofConnections(context, spec.config()),
                        clientId,
                        settings.receiveBufferBytes(),
                        settings.requestTimeoutMillis())
                .tell(context.events());
        RawCluster cluster = new RawCluster(network, clientId, new LinkedHashSet<>(topics), 1);
        RawReader reader = new RawReader(
                cluster,
                settings,
                share(settings, share),
                source,
                context.runId(),
                group,
                window,
                meter,
                polls(group, clientId),
                this::noteCompressed,
                this::note);
        reader.work = work(member, () -> reader.endAsked() || group.done());
        return reader;
    }

    private ReadPartition[] share(FetchSettings settings, List<TopicPartition> names) {
        List<ReadPartition> share = new ArrayList<>();
        for (TopicPartition name : names) {
            ReadPartition partition = startOf(name, settings);
            share.add(partition);
            if (groups.size() == 1) {
                feedPartitions.add(partition);
            }
        }
        return share.toArray(new ReadPartition[0]);
    }

    private ReadPartition startOf(TopicPartition name, FetchSettings settings) {
        if (spec.start() instanceof ConsumerSpec.Start.Timestamp from) {
            return new ReadPartition(name, Math.max(0, from.time().toEpochMilli()));
        }
        if (spec.start() instanceof ConsumerSpec.Start.Offset from) {
            ReadPartition partition = new ReadPartition(name, OffsetLookup.EARLIEST);
            partition.wanted = from.offset();
            return partition;
        }
        return new ReadPartition(name, settings.lookFor(System.currentTimeMillis()));
    }

    private void noteCompressed() {
        if (!compressedNoted.getAndSet(true)) {
            note(Sentence.of(
                    "load.compressed", source == EndToEndSource.STAMP ? Sentence.of("load.noLatency") : Sentence.NONE));
        }
    }

    @Override
    protected void wakeup() {
        readers.forEach(RawReader::wakeup);
    }

    @Override
    public void start(TrialClock clock) {
        if (feed != null) {
            feedPartitions.forEach(partition -> partition.feed(feed));
        }
        super.start(clock);
    }

    @Override
    public boolean done() {
        return readers.stream().allMatch(RawReader::ended);
    }

    @Override
    public void stop() {
        readers.forEach(RawReader::askEnd);
    }

    @Override
    protected void end() {
        RawThread.end(readers, END_PATIENCE);
    }

    @Override
    protected long figures(ClientFigures into) {
        workFigures(into);
        long now = System.nanoTime();
        double seconds = figuresNanos == 0 ? 0 : (now - figuresNanos) / 1e9;
        figuresNanos = now;
        into.add(part, "clientSeconds", seconds * readers.size());
        long idle = 0;
        for (RawReader reader : readers) {
            idle += reader.idleNanos.drain();
            reader.roundTrips.read((broker, trips) -> {
                String where = part + " broker " + broker;
                for (String each : List.of(part, where)) {
                    into.add(each, "fetches", trips.answers());
                    into.add(each, "fetchMs", trips.millis());
                    into.add(each, "fetchBytes", trips.bytes());
                    into.add(each, "throttleMs", trips.throttledMillis());
                }
                into.add(where, "clientSeconds", seconds);
            });
        }
        into.add(part, "pollIdleSeconds", Math.min(seconds * readers.size(), idle / 1e9));
        return readers.stream().mapToLong(reader -> reader.fetches.drain()).sum();
    }
}
