package io.plimsoll.load.client;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.BoundedClose;
import io.plimsoll.load.ClientMetrics;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.Concurrently;
import io.plimsoll.load.PreciseWait;
import io.plimsoll.load.ProducerKind.Entry;
import io.plimsoll.load.ProducerLoad;
import io.plimsoll.load.ProducerTrail;
import io.plimsoll.load.Producers;
import io.plimsoll.load.Waiter;
import io.plimsoll.load.client.SendLoop.Records;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.WireUse;
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
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** The producers of one entry on the official client, with {@code clients × threads} sending threads. */
final class ClientProducers extends Producers {
    /** Time limit for all sending threads, after their clients are closed. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final ProducerConfig config;
    private final boolean[] appendTimes;
    private final List<ProducerClient> clients = new ArrayList<>();
    private final List<ProducerFigures> figures = new ArrayList<>();
    private final List<SendLoop> loops = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private int[] partitions = {};
    private @Nullable Thread flusher;

    ClientProducers(Entry entry) {
        super(entry, Waiter.SYSTEM);
        this.config = ClientProperties.config(context, spec, part);
        this.appendTimes = new boolean[spec.topics().size()];
        for (int t = 0; t < appendTimes.length; t++) {
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
                        partitions,
                        context.events()));
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
        ClientInternals.request(producer, partitions.length == 0 || !spec.oneTopicEach() ? spec.topics() : List.of());
        for (int t = 0; t < counts.length; t++) {
            boolean used = !spec.oneTopicEach() || t == topicOf(client);
            if (!used && partitions.length > 0) {
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
        if (partitions.length == 0) {
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
            note(Sentence.of(
                    "load.notOpened",
                    String.valueOf(Objects.requireNonNull(e.getCause()).getMessage())));
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
            RecordGenerator generator =
                    load.generator(i, count, trail == null ? RecordGenerator.NO_PRODUCER : trail.id());
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

    /** A header with the value for the current record; the client copies the value before {@code send} returns. */
    private record GeneratedHeader(String key, RecordGenerator generator, int index) implements Header {
        @Override
        public byte[] value() {
            return generator.headerValues()[index];
        }
    }

    private static List<Header> headers(RecordGenerator generator) {
        List<Header> headers = new ArrayList<>();
        for (int i = 0; i < generator.headerNames().length; i++) {
            headers.add(new GeneratedHeader(generator.headerNames()[i], generator, i));
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
        Thread flushing = flusher;
        if (flushing == null) {
            figures.forEach(ProducerFigures::ending);
            // One client after the other, because each flush already sends concurrently.
            flushing = Daemon.start("plimsoll-flush-" + part, () -> {
                try {
                    clients.forEach(client -> client.producer.flush());
                } catch (KafkaException | IllegalStateException e) {
                    // Closed or interrupted; close() charges the remaining records.
                }
            });
            flusher = flushing;
        }
        TimeUnit.NANOSECONDS.timedJoin(flushing, timeout.toNanos());
        return !flushing.isAlive();
    }

    @Override
    protected void abandon() {
        // Close concurrently: during a sequential close, the remaining clients would continue to send.
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
        figures.forEach(client -> client.read(into, part, now, context.events()));
    }

    @Override
    public Map<String, Long> markersByPartition() {
        return byPartition((topic, partition) -> clients.stream()
                .mapToLong(client -> client.markersOf(topic, partition))
                .sum());
    }

    /**
     * Reads the metrics of one producer: wire bytes, batch wait, request latency per broker, and buffer. The client
     * keeps totals of records and bytes, but only averages of other values, over a window that {@link ClientProperties}
     * sets to one second. If the metrics are read once a second, total ÷ average is the number of batches, and averages
     * weighted by counts can be added. {@link ClientInternals} counts throttle times. Used by one thread.
     */
    static final class ProducerFigures {
        private static final Set<String> OF_NODES =
                Set.of("request-total", "outgoing-byte-total", "request-latency-avg");
        private static final String BYTES = "topics";

        /** Metrics of waits that block callers and have no figure of their own. */
        private static final List<String> HELD = List.of("metadata-wait-time-ns-total", "txn-abort-time-ns-total");

        /** Minimum wait of callers for metadata per second, in ns; shorter waits do not count. */
        private static final double LEAST_WAIT_NANOS = 20e6;

        private static final String COMMITS = "txn-commit-time-ns-total";
        private static final String FLUSHES = "flush-time-ns-total";

        private final ClientMetrics metrics;
        private final Set<String> nodes = new TreeSet<>();
        private double commitNanos;
        private double flushNanos;
        private volatile boolean ending;
        /** Duration of the current wait, which the client has not yet counted. */
        private double waitingSeconds;

        ProducerFigures(KafkaProducer<byte[], byte[]> producer) {
            this.metrics = new ClientMetrics(producer::metrics, this::key);
        }

        /** From now on, excludes the times of flushes, because they block no sender. Usable by any thread. */
        void ending() {
            ending = true;
        }

        private @Nullable String key(MetricName name) {
            return switch (name.group()) {
                case "producer-metrics" -> name.name();
                case "producer-topic-metrics" -> name.name().equals("byte-total") ? BYTES : null;
                case "producer-node-metrics" -> keyOfNode(name);
                default -> null;
            };
        }

        /** Excludes nodes that are not leaders: negative node IDs are bootstrap servers, very large IDs are coordinators. */
        private @Nullable String keyOfNode(MetricName name) {
            String id = name.tags().getOrDefault("node-id", "").replace("node-", "");
            if (!id.matches("\\d{1,9}") || !OF_NODES.contains(name.name())) {
                return null;
            }
            nodes.add(id);
            return name.name() + " " + id;
        }

        static void settings(ClientFigures figures, String part, ProducerConfig config) {
            figures.set(part, "batchSize", config.getInt(ProducerConfig.BATCH_SIZE_CONFIG));
            figures.set(part, "lingerMs", config.getLong(ProducerConfig.LINGER_MS_CONFIG));
            figures.set(part, "bufferMemory", config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG));
            figures.set(part, "maxInFlight", config.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION));
            String acks = config.getString(ProducerConfig.ACKS_CONFIG);
            figures.set(part, "acks", acks.equals("all") ? -1 : Double.parseDouble(acks));
        }

        void read(MeterReading into, String part, long nowNanos, ClientEvents events) {
            ClientFigures figures = into.clients();
            double seconds = metrics.look(nowNanos);
            metrics.tell("metadata-wait-time-ns-total", LEAST_WAIT_NANOS, Incident.Kind.METADATA, events);
            metrics.tell(ClientMetrics.LOGINS, 1, Incident.Kind.REAUTHENTICATION, events);
            Counts sent = sent(toNodes(figures, part, seconds));
            into.whole().add(sent);
            long requests = sent.get(WireUse.REQUESTS);
            long batches = sent.get(WireUse.BATCHES);
            figures.add(part, "clientSeconds", seconds);
            figures.add(part, "requests", requests);
            figures.add(part, "requestMs", requests * metrics.value("request-latency-avg"));
            figures.add(part, "batches", batches);
            figures.add(part, "queueMs", batches * metrics.value("record-queue-time-avg"));
            if (sent.get(WireUse.THROTTLES_UNTOLD) == 0) {
                figures.add(part, "throttleMs", sent.get(WireUse.THROTTLED_NANOS) / 1e6);
            }
            figures.add(part, "bufferWaitSeconds", sent.get(WireUse.BUFFER_WAIT_NANOS) / 1e9);
            String available = "buffer-available-bytes";
            figures.least(part, "bufferAvailable", metrics.has(available) ? metrics.value(available) : Double.NaN);
            if (commitNanos > 0) {
                figures.add(part, "inCommits", commitNanos / 1e9);
            }
            figures.add(part, "inFlush", flushNanos / 1e9);
            figures.add(part, "connects", metrics.since("connection-creation-total"));
            figures.add(part, "ioIdleSeconds", idle(seconds));
        }

        /**
         * Idle time of the client's network thread. The client counts a wait only when the wait ends, so the current
         * wait of an idle client is added here.
         */
        private double idle(double seconds) {
            double waited = metrics.since("io-wait-time-ns-total") / 1e9;
            if (metrics.since("select-total") == 0) {
                waitingSeconds += seconds;
                return seconds;
            }
            double idle = Math.max(0, waited - waitingSeconds);
            waitingSeconds = Math.max(0, waitingSeconds - waited);
            return idle;
        }

        private double toNodes(ClientFigures figures, String part, double seconds) {
            double sum = 0;
            for (String node : nodes) {
                String where = part + " broker " + node;
                double requests = metrics.since("request-total " + node);
                figures.add(where, "clientSeconds", seconds);
                figures.add(where, "requests", requests);
                figures.add(where, "requestMs", requests * metrics.value("request-latency-avg " + node));
                figures.add(where, "bytesOut", metrics.since("outgoing-byte-total " + node));
                sum += requests;
            }
            return sum;
        }

        private Counts sent(double toNodes) {
            double records = metrics.since("record-send-total");
            double bytes = metrics.since(BYTES);
            // The averages cover only the last second, but are applied to all records since the last reading. They are
            // inexact if the reading is late and the rate changes. Requests are counted exactly; every request and
            // every batch has at least one record.
            double retries = metrics.since("record-retry-total");
            double sent = records + retries;
            double filled = divide(records, metrics.value("records-per-request-avg"));
            // A client that was closed before the first reading has no connection metrics.
            double requests = Math.min(sent, toNodes > 0 ? toNodes : filled);
            double batches = Math.min(sent, Math.max(divide(bytes, metrics.value("batch-size-avg")), filled));
            double rate = metrics.value("compression-rate-avg");
            double bufferWait = metrics.since("bufferpool-wait-time-ns-total");
            commitNanos = metrics.since(COMMITS);
            double flushed = metrics.since(FLUSHES);
            flushNanos = ending ? 0 : flushed;
            double held = bufferWait
                    + commitNanos
                    + flushNanos
                    + HELD.stream().mapToDouble(metrics::since).sum();
            return Counts.Sum.overTime()
                    .add(WireUse.REQUESTS, Math.round(requests))
                    .add(WireUse.BATCHES, Math.round(batches))
                    .add(WireUse.BATCHED_RECORDS, Math.round(records))
                    .add(WireUse.BATCH_BYTES, Math.round(bytes))
                    .add(WireUse.UNCOMPRESSED_BYTES, Math.round(rate > 0 ? bytes / rate : bytes))
                    .add(WireUse.RETRIES, Math.round(retries))
                    .add(WireUse.THROTTLED_NANOS, Math.round(metrics.since(ClientInternals.PRODUCER_THROTTLES) * 1e6))
                    .add(WireUse.BUFFER_WAIT_NANOS, Math.round(bufferWait))
                    .add(WireUse.HELD_NANOS, Math.round(held))
                    .add(WireUse.THROTTLES_UNTOLD, metrics.has(ClientInternals.PRODUCER_THROTTLES) ? 0 : 1)
                    .total();
        }

        private static double divide(double total, double average) {
            return total > 0 && average > 0 ? total / average : 0;
        }
    }
}
