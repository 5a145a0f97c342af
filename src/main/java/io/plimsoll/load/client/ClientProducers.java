package io.plimsoll.load.client;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.BoundedClose;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.Concurrently;
import io.plimsoll.load.PreciseWait;
import io.plimsoll.load.ProducerKind.Entry;
import io.plimsoll.load.ProducerLoad;
import io.plimsoll.load.ProducerTrail;
import io.plimsoll.load.Producers;
import io.plimsoll.load.Waiter;
import io.plimsoll.load.client.SendLoop.Records;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.SendMode;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ClientInternals;
import io.plimsoll.wire.ProducerConnections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.header.Header;

/** The producers of one entry on the official client: {@code clients × threads} sending threads. */
final class ClientProducers extends Producers {
    /** For all sending threads together, after their clients are closed. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final ProducerConfig config;
    /** Whether each topic has append times; null if none has. */
    private final boolean[] appendTimes;

    private final List<ProducerClient> clients = new ArrayList<>();
    private final List<ProducerFigures> figures = new ArrayList<>();

    private final List<SendLoop> loops = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private int[] partitions;
    private Thread flusher;

    ClientProducers(Entry entry) {
        super(entry, Waiter.SYSTEM);
        this.config = ClientProperties.config(context, spec, part);
        this.appendTimes =
                entry.appendTimes().isEmpty() ? null : new boolean[spec.topics().size()];
        for (int t = 0; appendTimes != null && t < appendTimes.length; t++) {
            appendTimes[t] = entry.appendTimes().contains(spec.topics().get(t));
        }
    }

    @Override
    public void prepare(Duration timeout) {
        long deadline = waiter.nanoTime() + timeout.toNanos();
        for (int i = slice.from(); i < slice.to(); i++) {
            long begun = waiter.nanoTime();
            KafkaProducer<byte[], byte[]> producer =
                    ClientProperties.producer(ClientProperties.of(context, spec, part, i), part);
            try {
                Set<Node> leaders = metadata(producer, i);
                knowsMetadata(waiter.nanoTime() - begun);
                clients.add(new ProducerClient(
                        producer,
                        acks(i - slice.from(), partitions),
                        waiter,
                        spec.transactions().enabled(),
                        partitions));
                clients.get(clients.size() - 1).appendTimes(appendTimes);
                if (!ClientInternals.countThrottles(producer) && i == slice.from()) {
                    note(Sentence.of("load.throttlesUntold"));
                }
                figures.add(new ProducerFigures(producer));
                if (spec.transactions().enabled()) {
                    producer.initTransactions();
                }
                connect(producer, leaders, deadline);
                connected(waiter.nanoTime() - begun);
            } catch (KafkaException e) {
                if (clients.size() == i - slice.from()) {
                    BoundedClose.closeAtOnce(producer);
                }
                throw KafkaErrors.explain(e, "prepare a producer for", KafkaErrors.topics(spec.topics()));
            }
        }
        createLoops();
        threads.forEach(Thread::start);
    }

    private int topicOf(int client) {
        return client % spec.topics().size();
    }

    /** The first client queries all topics for their partitions; other clients query only topics that they send to. */
    private Set<Node> metadata(KafkaProducer<byte[], byte[]> producer, int client) {
        Set<Node> leaders = new LinkedHashSet<>();
        int[] counts = new int[spec.topics().size()];
        for (int t = 0; t < counts.length; t++) {
            boolean used = !spec.oneTopicEach() || t == topicOf(client);
            if (!used && partitions != null) {
                continue;
            }
            List<PartitionInfo> infos = producer.partitionsFor(spec.topics().get(t));
            counts[t] = infos.size();
            ProducerLoad.checkPartitions(spec, part, t, counts[t]);
            infos.stream()
                    .map(PartitionInfo::leader)
                    .filter(n -> used && n != null && !n.isEmpty())
                    .forEach(leaders::add);
        }
        if (partitions == null) {
            partitions = counts;
        }
        return leaders;
    }

    private void connect(KafkaProducer<?, ?> producer, Set<Node> leaders, long deadline) {
        CompletableFuture<Void> opened = ProducerConnections.open(producer, leaders);
        try {
            opened.get(Math.max(1, deadline - waiter.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            opened.cancel(false);
            throw Exit.CLUSTER.because(e, "load.notConnected", part, leaders.toString());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException refused) {
                throw refused;
            }
            note(Sentence.of("load.notOpened", String.valueOf(e.getCause().getMessage())));
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "load.interruptedConnecting");
        }
    }

    private void createLoops() {
        int count = spec.totalThreads();
        int first = slice.from() * spec.threads();
        int last = slice.to() * spec.threads();
        boolean intercepted =
                ClientProperties.of(context, spec, part, 0).containsKey(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
        for (int i = first; i < last; i++) {
            ProducerClient client = clients.get(i / spec.threads() - slice.from());
            ProducerTrail trail = context.trail() == null
                    ? null
                    : context.trail().producer(ClientProperties.audited(context, spec, part), spec.topics());
            RecordGenerator generator = load.generator(i, count, trail == null ? RecordGenerator.NOBODY : trail.id());
            Records records = new Records(
                    spec.topics(),
                    spec.oneTopicEach() ? topicOf(i / spec.threads()) : -1,
                    spec.partitions(),
                    headers(generator),
                    generator.stamped() && !intercepted && replies == null);
            SendLoop.Task task = new SendLoop.Task(
                    records, load.dueTimes(i, count), spec.send(), !generator.stamped(), generator, trail, replies, i);
            SendLoop loop = new SendLoop(
                    client,
                    sends(i - first, last - first),
                    task,
                    new TransactionPacer(client, spec.transactions(), context.seed() + i, trail),
                    waiter,
                    new PreciseWait(waiter, context.cores()),
                    this::note);
            loops.add(loop);
            threads.add(Daemon.thread("plimsoll-send-" + part + "-" + i, loop));
        }
    }

    private record FixedHeader(String key, byte[] value) implements Header {}

    private static List<Header> headers(RecordGenerator generator) {
        List<Header> headers = new ArrayList<>();
        for (int i = 0; i < generator.headerNames().length; i++) {
            headers.add(new FixedHeader(generator.headerNames()[i], generator.headerValues()[i]));
        }
        return List.copyOf(headers);
    }

    @Override
    protected List<SendLoop> senders() {
        return loops;
    }

    @Override
    protected int[] partitions() {
        return partitions;
    }

    @Override
    public boolean drain(Duration timeout) throws InterruptedException {
        if (flusher == null) {
            figures.forEach(ProducerFigures::ending);
            // Sequentially: the clients send concurrently anyway.
            flusher = Daemon.start("plimsoll-flush-" + part, () -> {
                try {
                    clients.forEach(client -> client.producer.flush());
                } catch (KafkaException | IllegalStateException e) {
                    // Closed or interrupted: close() charges the remaining records.
                }
            });
        }
        TimeUnit.NANOSECONDS.timedJoin(flusher, timeout.toNanos());
        return !flusher.isAlive();
    }

    @Override
    protected void abandon() {
        // Closing takes time, in which the remaining clients would continue to send.
        Concurrently.run(clients.stream()
                .map(client -> (Runnable) client::abandonAndClose)
                .toList());
        if (flusher != null) {
            flusher.interrupt();
        }
        BoundedClose.join(threads, CLOSE_LIMIT);
    }

    @Override
    protected void readClients(MeterReading into) {
        ClientFigures said = into.clients();
        said.set(part, "clients", clients.size());
        said.set(part, "threads", spec.totalThreads());
        ProducerFigures.settings(said, part, config);
        if (spec.send() instanceof SendMode.Sync) {
            said.set(part, "synchronous", 1);
        }
        long now = waiter.nanoTime();
        figures.forEach(client -> client.read(into, part, now));
    }

    @Override
    public Map<String, Long> markersByPartition() {
        return byPartition((topic, partition) -> clients.stream()
                .mapToLong(client -> client.markersOf(topic, partition))
                .sum());
    }
}
