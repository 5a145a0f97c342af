package io.plimsoll.load.raw;

import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.PreciseWait;
import io.plimsoll.load.ProducerKind.Entry;
import io.plimsoll.load.ProducerLoad;
import io.plimsoll.load.Producers;
import io.plimsoll.load.Waiter;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.WireUse;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.Codec;
import io.plimsoll.wire.RawNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** The producers of one entry on the raw engine, with a thread per client. */
final class RawProducers extends Producers {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final int[] partitionCounts;
    private final RawSettings settings;
    private final List<RawClient> clients = new ArrayList<>();
    private long figuresNanos;

    RawProducers(Entry entry) {
        super(entry, Waiter.SYSTEM);
        this.settings = RawSettings.of(ClientProperties.config(context, spec, part), spec.get(RawKind.CONNECTIONS));
        this.partitionCounts = entry.partitions().apply(spec.topics());
        for (int t = 0; t < partitionCounts.length; t++) {
            ProducerLoad.checkPartitions(spec, part, t, partitionCounts[t]);
        }
    }

    @Override
    public void prepare(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        if (settings.batch().codec() != Codec.NONE) {
            note(Sentence.of("load.batchIdentity"));
        }
        for (int i = slice.from(); i < slice.to(); i++) {
            clients.add(create(i));
        }
        if (!spec.record().schemas().isEmpty()) {
            note(Sentence.of("load.preEncoded", part));
        }
        long begun = System.nanoTime();
        clients.forEach(RawClient::prepare);
        RawThread.awaitReady(
                clients, part, Sentence.of("load.connectionToLeaders", String.join(", ", spec.topics())), deadline);
        connected(System.nanoTime() - begun);
        clients.forEach(client -> knowsMetadata(client.cluster.knownNanos() - begun));
    }

    private RawClient create(int index) {
        String clientId = ClientProperties.clientId(ClientProperties.of(context, spec, part, index));
        RawNetwork network = new RawNetwork(
                        ClientProperties.ofConnections(context, spec.config()),
                        clientId,
                        settings.sendBufferBytes(),
                        settings.requestTimeoutMillis())
                .tell(context.events());
        RawCluster cluster =
                new RawCluster(network, clientId, new LinkedHashSet<>(spec.topics()), settings.connections());
        int here = index - slice.from();
        AckMeter ack = acks(here, partitionCounts);
        SendMeter send = sends(here, slice.count());
        ProducerProfile audited = ClientProperties.audited(context, spec, part);
        AuditTrail trail = context.trail();
        PartitionPlan routes = new PartitionPlan(
                spec,
                settings,
                partitionCounts,
                index,
                context.seed() * 31 + index,
                trail == null ? null : () -> trail.producer(audited, spec.topics()));
        routes.build(() -> load.generator(index, spec.clients(), RecordGenerator.NO_PRODUCER), context.runId());
        RecordSource source = new RecordSource(load.dueTimes(index, spec.clients()), routes, settings, send, ack);
        BatchSender sender = new BatchSender(settings, clientId, cluster, source, trail);
        return new RawClient(
                cluster,
                source,
                sender,
                settings,
                spec.topics(),
                routes.queues,
                new PreciseWait(waiter, context.cores()),
                this::note);
    }

    @Override
    protected List<RawClient> senders() {
        return clients;
    }

    @Override
    protected int[] partitions() {
        return partitionCounts;
    }

    @Override
    public boolean drain(Duration timeout) throws InterruptedException {
        clients.forEach(RawClient::flush);
        return waiter.await(() -> clients.stream().allMatch(RawClient::drained), timeout);
    }

    @Override
    protected void abandon() {
        RawThread.end(clients, CLOSE_LIMIT);
    }

    @Override
    protected void readClients(MeterReading into) {
        Counts.Sum sum = Counts.Sum.overTime();
        clients.forEach(client -> client.sender.read(sum));
        Counts sent = sum.total();
        into.whole().add(sent);
        figures(into.clients(), sent);
    }

    private void figures(ClientFigures into, Counts sent) {
        into.set(part, "clients", clients.size());
        into.set(part, "batchSize", settings.batch().batchBytes());
        into.set(part, "lingerMs", settings.lingerNanos() / 1e6);
        into.set(part, "bufferMemory", settings.bufferBytes());
        into.set(part, "maxInFlight", settings.maxInFlight() * (double) settings.connections());
        into.set(part, "acks", settings.acks());
        long now = System.nanoTime();
        double seconds = figuresNanos == 0 ? 0 : (now - figuresNanos) / 1e9;
        figuresNanos = now;
        into.add(part, "clientSeconds", seconds * clients.size());
        into.add(part, "batches", sent.get(WireUse.BATCHES));
        into.add(part, "throttleMs", sent.get(WireUse.THROTTLED_NANOS) / 1e6);
        long queued = 0;
        for (RawClient client : clients) {
            queued += client.sender.queuedNanos.drain();
            client.sender.roundTrips.read((broker, trips) -> {
                String where = part + " broker " + broker;
                for (String each : List.of(part, where)) {
                    into.add(each, "requests", trips.answers());
                    into.add(each, "requestMs", trips.millis());
                }
                into.add(where, "clientSeconds", seconds);
                into.add(where, "bytesOut", trips.bytes());
            });
        }
        into.add(part, "queueMs", queued / 1e6);
    }
}
