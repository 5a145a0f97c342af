package io.plimsoll.load.raw;

import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.ProducerKind.Entry;
import io.plimsoll.load.ProducerLoad;
import io.plimsoll.load.Producers;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.ProduceTally;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireCounts;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.wire.Codec;
import io.plimsoll.wire.RawNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** The producers of one entry of a scenario, on the raw engine: a thread a client. */
public final class RawProducers implements Producers {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final LoadContext context;
    private final ProducerSpec spec;
    private final Slice slice;
    private final String part;
    private final int[] partitionCounts;
    private final ProducerLoad load;
    private final PayloadSource payload;
    private final List<RawClient> clients = new ArrayList<>();
    private final List<AckMeter> acks = new ArrayList<>();
    private final List<SendMeter> sends = new ArrayList<>();
    private final ProduceTally tally = new ProduceTally();
    private final RawFigures figures;
    private WireCounts wireBefore = WireCounts.ZERO;
    private WireCounts lastWire = WireCounts.ZERO;
    private TrialClock clock;
    private boolean closed;

    RawProducers(Entry entry) {
        this.context = entry.context();
        this.spec = entry.spec();
        this.slice = entry.slice();
        this.part = entry.part();
        this.figures = new RawFigures(part);
        this.payload = PayloadSource.load(spec.record(), context.seed());
        this.partitionCounts = entry.partitions().apply(spec.topics());
        for (int t = 0; t < partitionCounts.length; t++) {
            ProducerLoad.checkPartitions(spec, part, t, partitionCounts[t]);
        }
        this.load = ProducerLoad.of(context, spec, slice, part, generator(0), entry.warmupNanos());
    }

    private RecordGenerator generator(int client) {
        return RecordGenerator.of(spec.record(), context.seed(), client, spec.clients(), context.runId(), payload);
    }

    private static RawSettings settings(LoadContext context, ProducerSpec spec, String part) {
        Map<String, Object> properties = ClientProperties.of(context, spec, part, 0);
        return RawSettings.of(ClientProperties.parseProducer(properties, part), spec.connections());
    }

    @Override
    public void prepare(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        RawSettings settings = settings(context, spec, part);
        if (settings.batch().codec() != Codec.NONE) {
            context.notes()
                    .accept(part
                            + ": the records of a compressed batch of the raw engine carry no identity of their own,"
                            + " only the batch has one; end-to-end latency counts from the intended time of a batch's"
                            + " first record");
        }
        for (int i = slice.from(); i < slice.to(); i++) {
            clients.add(create(settings, i));
        }
        clients.forEach(RawClient::prepare);
        RawThread.awaitReady(
                clients, part, "connection to the leaders of " + String.join(", ", spec.topics()), deadline);
    }

    private RawClient create(RawSettings settings, int index) {
        String clientId = context.runTag() + "-" + part + "-" + index;
        RawNetwork network = new RawNetwork(
                context.clientProperties(),
                clientId,
                settings.requests().sendBufferBytes(),
                settings.requests().timeoutMillis());
        RawCluster cluster = new RawCluster(
                network,
                clientId,
                new LinkedHashSet<>(spec.topics()),
                settings.requests().connections());
        AckMeter ack = new AckMeter(partitionCounts, load.closedLoop(), false);
        SendMeter send = new SendMeter(load.closedLoop(), false);
        acks.add(ack);
        sends.add(send);
        AuditTrail.Entry audited = ClientProperties.audited(context, spec, part);
        PartitionPlan routes = new PartitionPlan(
                spec,
                settings,
                partitionCounts,
                index,
                context.seed() * 31 + index,
                context.trail() == null ? null : () -> context.trail().producer(audited));
        routes.build(() -> generator(index), templates -> ring(templates, settings));
        RecordSource source = new RecordSource(load.dueTimes(index, spec.clients()), routes, settings, send, ack);
        BatchSender sender = new BatchSender(settings, clientId, cluster, source, ack, context.trail());
        return new RawClient(cluster, source, sender, settings, spec.topics(), routes.queues(), text -> context.notes()
                .accept(part + ": " + text));
    }

    private TemplateRing ring(PartitionPlan.Templates templates, RawSettings settings) {
        return new TemplateRing(
                templates.generator(),
                templates.keys(),
                context.runId(),
                System.currentTimeMillis() * 1_000_000,
                settings.batch(),
                templates.memoryBytes());
    }

    @Override
    public void start(TrialClock trialClock) {
        clock = load.clock(trialClock);
        acks.forEach(meter -> meter.start(clock));
        sends.forEach(meter -> meter.start(clock));
        clients.forEach(client -> client.start(clock));
    }

    @Override
    public boolean sent() {
        return clients.stream().allMatch(RawClient::sent);
    }

    @Override
    public void stop() {
        clients.forEach(RawClient::stop);
    }

    @Override
    public boolean awaitSent(Duration timeout) throws InterruptedException {
        return await(timeout, this::sent);
    }

    @Override
    public boolean drain(Duration timeout) throws InterruptedException {
        clients.forEach(RawClient::flush);
        return await(timeout, () -> clients.stream().allMatch(RawClient::drained));
    }

    private static boolean await(Duration timeout, java.util.function.BooleanSupplier condition)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(2);
        }
        return true;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        RawThread.end(clients, CLOSE_LIMIT);
    }

    @Override
    public Reading read() {
        tally.read(acks, sends, load.due(clock));
        WireCounts now = wire();
        WireCounts delta = now.minus(wireBefore);
        wireBefore = now;
        lastWire = delta;
        return new Reading(tally.counts(false), tally.counts(true), delta, 0, 0);
    }

    @Override
    public void figures(ClientFigures into) {
        figures.producers(into, settings(context, spec, part), clients, lastWire);
    }

    private WireCounts wire() {
        return clients.stream().map(c -> c.sender().wire()).reduce(WireCounts.ZERO, WireCounts::plus);
    }

    /** Produce requests since the start. */
    long requests() {
        return wire().requests();
    }

    @Override
    public Map<String, Long> acknowledgedByPartition() {
        return load.acknowledgedByPartition(acks, partitionCounts);
    }

    @Override
    public long acknowledgedBytes() {
        return acks.stream().mapToLong(AckMeter::acknowledgedBytes).sum();
    }

    @Override
    public List<ClientShare> shares() {
        return load.shares(acks, part, clock);
    }

    @Override
    public Map<String, Long> markersByPartition() {
        return Map.of();
    }

    @Override
    public long acknowledgedTotal() {
        return acks.stream().mapToLong(AckMeter::acknowledgedTotal).sum();
    }

    @Override
    public long lastAckNanos() {
        return acks.stream().mapToLong(AckMeter::lastAckNanos).max().orElse(0);
    }
}
