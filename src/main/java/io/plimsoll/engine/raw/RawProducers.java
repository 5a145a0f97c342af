package io.plimsoll.engine.raw;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.engine.EngineContext;
import io.plimsoll.engine.ProducerLoad;
import io.plimsoll.engine.Producers;
import io.plimsoll.engine.client.ClientProperties;
import io.plimsoll.engine.raw.kafka.RawNetwork;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.ProduceTally;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireCounts;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.SendMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The producers of one entry of a scenario, on the raw engine: a thread a client. */
public final class RawProducers implements Producers {
    private static final long TEMPLATE_MEMORY_BYTES = 128_000_000;

    private final EngineContext context;
    private final ProducerSpec spec;
    private final String part;
    private final int[] partitionCounts;
    private final ProducerLoad load;
    private final PayloadSource payload;
    private final List<RawClient> clients = new ArrayList<>();
    private final List<AckMeter> acks = new ArrayList<>();
    private final List<SendMeter> sends = new ArrayList<>();
    private final ProduceTally tally = new ProduceTally();
    private WireCounts wireBefore = WireCounts.ZERO;
    private TrialClock clock;
    private boolean closed;

    /**
     * @param partitionCounts of the entry's topics
     * @param warmupNanos length of the warm-up
     * @throws PlimsollException {@link Exit#USAGE} if a payload file cannot be read or the rate cannot be kept
     */
    public RawProducers(
            EngineContext context, ProducerSpec spec, String part, long warmupNanos, int[] partitionCounts) {
        this.context = context;
        this.spec = spec;
        this.part = part;
        this.payload = PayloadSource.load(spec.record(), context.seed());
        this.partitionCounts = partitionCounts.clone();
        double payloadBytes = generator(0).meanPayloadBytes();
        double wireBytes = ClientProperties.wireBytes(context, spec, part, payloadBytes);
        this.load = new ProducerLoad(spec, payloadBytes, wireBytes, warmupNanos, context.seed());
    }

    private RecordGenerator generator(int client) {
        return RecordGenerator.of(spec.record(), context.seed(), client, spec.clients(), context.runId(), payload);
    }

    /** @throws PlimsollException {@link Exit#USAGE} for what only the official client can do */
    public static void check(ProducerSpec spec, String part) {
        if (spec.threads() > 1) {
            throw refused(part + ".threads", "a raw client is one thread; give clients: " + spec.totalThreads());
        }
        if (!(spec.send() instanceof SendMode.Async)) {
            throw refused(part + ".send", "the raw engine sends asynchronously; use engine: client");
        }
        if (spec.transactions().enabled()) {
            throw refused(part + ".transactions", "the raw engine has none; use engine: client");
        }
        if (!(spec.record().key() instanceof KeySpec.None)) {
            throw refused(part + ".record.key", "the raw engine sends records without keys; use engine: client");
        }
    }

    private static PlimsollException refused(String where, String why) {
        return new PlimsollException(Exit.USAGE, where + ": " + why);
    }

    @Override
    public void prepare(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<String, Object> properties = ClientProperties.of(context, spec, part, 0);
        RawSettings settings = RawSettings.of(ClientProperties.parseProducer(properties, part), spec.connections());
        for (int i = 0; i < spec.clients(); i++) {
            clients.add(create(settings, i));
        }
        List<CompletableFuture<Void>> futures =
                clients.stream().map(RawClient::prepare).toList();
        for (int i = 0; i < futures.size(); i++) {
            await(clients.get(i), futures.get(i), deadline);
        }
    }

    private RawClient create(RawSettings settings, int index) {
        String clientId = context.runTag() + "-" + part + "-" + index;
        RawNetwork network = new RawNetwork(
                context.clientProperties(), clientId, settings.sendBufferBytes(), settings.requestTimeoutMillis());
        RawCluster cluster =
                new RawCluster(network, clientId, new LinkedHashSet<>(spec.topics()), settings.connections());
        TemplateRing templates = new TemplateRing(
                generator(index),
                context.runId(),
                System.currentTimeMillis() * 1_000_000,
                BatchShape.compressed(settings.codec(), settings.batchBytes()),
                TEMPLATE_MEMORY_BYTES);
        AckMeter ack = new AckMeter(partitionCounts, load.closedLoop(), false);
        SendMeter send = new SendMeter(load.closedLoop(), false);
        acks.add(ack);
        sends.add(send);
        PartitionQueue[] queues = queues(index);
        int maxRecords = templates.maxRecords();
        RecordSource source = new RecordSource(
                load.dueTimes(index, spec.clients()),
                new StickyPartitions(queues, settings.batchBytes(), context.seed() * 31 + index),
                maxRecords,
                Math.max(1, settings.batchBytes() / maxRecords),
                settings.bufferBytes(),
                send,
                ack);
        BatchSender sender = new BatchSender(settings, clientId, cluster, source, templates, ack);
        return new RawClient(
                network, clientId, cluster, source, sender, settings, spec.topics(), queues, text -> context.notes()
                        .accept(part + ": " + text));
    }

    private PartitionQueue[] queues(int client) {
        List<PartitionQueue> queues = new ArrayList<>();
        int all = java.util.Arrays.stream(partitionCounts).sum();
        for (int t = 0; t < partitionCounts.length; t++) {
            boolean used = !spec.oneTopicEach() || t == client % partitionCounts.length;
            for (int p = 0; used && p < partitionCounts[t]; p++) {
                queues.add(new PartitionQueue(t, p, client * all + queues.size()));
            }
        }
        return queues.toArray(new PartitionQueue[0]);
    }

    private void await(RawClient client, CompletableFuture<Void> ready, long deadline) {
        try {
            ready.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new PlimsollException(
                    Exit.CLUSTER,
                    part + ": no connection to the leaders of " + String.join(", ", spec.topics()) + " within the time"
                            + (client.lastError() == null ? "" : " (" + client.lastError() + ")"),
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
        clients.forEach(RawClient::end);
        for (RawClient client : clients) {
            try {
                client.join(Duration.ofSeconds(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public Reading read() {
        tally.read(acks, sends, load.due(clock));
        WireCounts now = clients.stream().map(c -> c.sender().wire()).reduce(WireCounts.ZERO, WireCounts::plus);
        WireCounts delta = now.minus(wireBefore);
        wireBefore = now;
        return new Reading(tally.counts(false), tally.counts(true), delta, 0, 0);
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
    public long lastAckNanos() {
        return acks.stream().mapToLong(AckMeter::lastAckNanos).max().orElse(0);
    }
}
