package io.plimsoll.perf.capture;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.perf.capture.shape.TopicShape;
import io.plimsoll.perf.capture.shape.TopicTally;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.measure.Observation;
import io.plimsoll.observe.broker.BrokerObserver;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.wire.TopicRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/**
 * Captures the load on topics without joining a group or committing offsets: rates from offsets, everything else from a
 * sample of the logs and from the Admin API. Immutable.
 *
 * @param length of the window; a window that ends now begins at the start of the logs at the earliest
 * @param live whether the window begins now; otherwise it ends now
 * @param sources broker metrics for a live window
 */
public record Capture(
        ClusterConnection connection,
        Collection<String> topics,
        Duration length,
        boolean live,
        long bytesPerSecond,
        List<BrokerSource> sources) {
    private static final Duration READING = Duration.ofSeconds(60);
    private static final int USUAL_RECORD_BYTES = 500;
    private static final long RECORDS_OF_TOPIC = 32_000;
    private static final int FEWEST_STRETCHES = 8;
    private static final int MOST_STRETCHES = 48;
    private static final int MOST_LOOKUPS = 48_000;
    private static final int MOST_PASSES = 3;
    private static final int FEWEST_KEYS = 256;
    private static final int MOST_KEYS = 8192;
    /** Producers that wrote within this time count as active. */
    private static final Duration LATELY = Duration.ofMinutes(10);

    /**
     * @param readers of each topic; empty if unknown
     * @param fanOut bytes sent ÷ bytes received by brokers, by known topic
     * @param until end of the window
     * @param bytes read from the logs
     */
    public record Captured(
            List<TopicShape> topics,
            Map<String, Topics.Readers> readers,
            Map<String, Double> fanOut,
            Duration window,
            Instant until,
            long bytes) {}

    /**
     * Captures the load. Waits for the end of a live window; sampling the logs takes at most one more minute.
     * @throws PlimsollException if the cluster does not respond, access to a topic is denied, or the thread was
     *     interrupted
     */
    public Captured look() {
        try (Admin admin = connection.admin();
                FanOut counts = new FanOut(live ? sources : List.of(), topics)) {
            Topics topicClients = new Topics(admin);
            List<TopicLogs> logs = logs(new Topics(admin));
            List<TopicPartition> partitions =
                    logs.stream().flatMap(l -> l.partitions().stream()).toList();
            Window window = window(topicClients, partitions);
            List<Map<TopicPartition, Long>> edges = window.edges();
            Map<TopicPartition, Long> ends = edges.get(edges.size() - 1);
            Instant until = Instant.now();
            // Read before the sampling, because brokers count the sampled bytes as bytes sent.
            Map<String, Double> fanOut = counts.of(topics);
            long records = bytesPerSecond * READING.toSeconds() / USUAL_RECORD_BYTES / logs.size();
            List<LogSampler.Piece> pieces = new ArrayList<>();
            logs.forEach(topic -> pieces.addAll(topic.pieces(edges.get(0), ends, Math.min(RECORDS_OF_TOPIC, records))));
            // In random order, so that a sample that ends early still covers the whole window.
            Collections.shuffle(pieces, new Random(1));
            try (LogSampler sampler = new LogSampler(connection, bytesPerSecond)) {
                sampler.read(pieces, System.nanoTime() + READING.toNanos());
                Duration lately = length.compareTo(LATELY) < 0 ? length : LATELY;
                Map<String, Set<Long>> active =
                        topicClients.producers(partitions, until.minus(lately).toEpochMilli());
                List<TopicShape> shapes = logs.stream()
                        .map(topic -> topic.shape(edges, window.stretchMillis() / 1e3))
                        .map(shape -> shape.by(
                                active.getOrDefault(shape.topic(), Set.of()).size()))
                        .toList();
                Duration seen = Duration.ofMillis(window.stretchMillis() * (edges.size() - 1));
                return new Captured(shapes, topicClients.readers(ends), fanOut, seen, until, sampler.bytes());
            }
        }
    }

    /** @param edges offsets at the start of the window and at the end of each stretch */
    private record Window(List<Map<TopicPartition, Long>> edges, long stretchMillis) {}

    /** Shortens a window that ends now if the logs start later than the window. */
    private Window window(Topics topicClients, List<TopicPartition> partitions) {
        long millis = length.toMillis();
        // All passes use the same end; otherwise a short window would miss the records.
        long start = System.currentTimeMillis();
        // A shortened window has few stretches, which are then too coarse, so it is divided again.
        for (int pass = 1; ; pass++) {
            long stretch = stretch(millis, partitions.size());
            Window window = new Window(edges(topicClients, partitions, start, millis, stretch), stretch);
            int empty = live || pass > MOST_PASSES
                    ? 0
                    : before(window.edges(), topicClients.offsets(partitions, OffsetSpec.earliest()));
            if (empty == 0) {
                return window;
            }
            millis = (window.edges().size() - 1 - empty) * stretch;
        }
    }

    private static long stretch(long millis, int partitions) {
        int stretches = between(FEWEST_STRETCHES, MOST_LOOKUPS / Math.max(1, partitions), MOST_STRETCHES);
        return Math.max(1000, millis / stretches);
    }

    /** Number of stretches before the start of all logs; 0 for empty logs. */
    private static int before(List<Map<TopicPartition, Long>> edges, Map<TopicPartition, Long> earliest) {
        int empty = (int) edges.stream()
                .takeWhile(edge ->
                        edge.entrySet().stream().allMatch(e -> e.getValue() <= earliest.getOrDefault(e.getKey(), 0L)))
                .count();
        return empty == edges.size() ? 0 : Math.max(0, empty - 1);
    }

    private static int between(int least, long wanted, int most) {
        return (int) Math.max(least, Math.min(most, wanted));
    }

    private List<TopicLogs> logs(Topics admin) {
        Map<String, Map<String, String>> configs = admin.configs(topics);
        // A replay needs this setting, regardless of where it is configured.
        admin.appendTimes(topics).forEach(name -> Objects.requireNonNull(configs.get(name))
                .put("message.timestamp.type", "LogAppendTime"));
        int mostKeys = between(FEWEST_KEYS, 400_000 / topics.size(), MOST_KEYS);
        return admin.describe(topics).values().stream()
                .map(topic -> new TopicLogs(topic, Objects.requireNonNull(configs.get(topic.name())), mostKeys))
                .toList();
    }

    /** Offsets at each edge of the window's stretches, past or current. */
    private List<Map<TopicPartition, Long>> edges(
            Topics topicClients, List<TopicPartition> partitions, long start, long millis, long stretch) {
        long stretches = Math.max(1, (millis + stretch - 1) / stretch);
        Map<TopicPartition, Long> now = topicClients.offsets(partitions, OffsetSpec.latest());
        List<Map<TopicPartition, Long>> edges = new ArrayList<>();
        for (int i = 0; i < stretches; i++) {
            if (live) {
                edges.add(topicClients.offsets(partitions, OffsetSpec.latest()));
                sleep(start + (i + 1) * stretch - System.currentTimeMillis());
            } else {
                edges.add(topicClients.offsets(partitions, OffsetSpec.forTimestamp(start - (stretches - i) * stretch)));
                // The broker returns −1 if no record is that recent.
                edges.get(i).replaceAll((partition, offset) -> offset < 0 ? now.get(partition) : offset);
            }
        }
        edges.add(live ? topicClients.offsets(partitions, OffsetSpec.latest()) : now);
        return edges;
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "capture.interrupted");
        }
    }

    private static final class TopicLogs {
        private static final int FEWEST_PIECES = 4;
        private static final int MOST_PIECES = 128;
        /** Number of records in about one fetch response, so that little fetched data is discarded. */
        private static final int RECORDS_OF_PIECE = 150;

        private final TopicDescription topic;
        private final TreeMap<String, String> config;
        private final TopicTally tally;

        TopicLogs(TopicDescription topic, Map<String, String> config, int mostKeys) {
            this.topic = topic;
            this.config = new TreeMap<>(config);
            // Drop settings that apply only to the original cluster, and the marker of a run.
            this.config.keySet().removeIf(name -> name.matches(".*(throttled|remote|local|delete[.]retention).*"));
            this.tally = new TopicTally(mostKeys);
        }

        List<TopicPartition> partitions() {
            return topic.partitions().stream()
                    .filter(p -> p.leader() != null && !p.leader().isEmpty())
                    .map(p -> new TopicPartition(topic.name(), p.partition()))
                    .toList();
        }

        private static long at(Map<TopicPartition, Long> offsets, TopicPartition partition) {
            return Objects.requireNonNull(offsets.get(partition));
        }

        private long[] records(Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {
            long[] records = new long[topic.partitions().size()];
            partitions().forEach(p -> records[p.partition()] = Math.max(0, at(to, p) - at(from, p)));
            return records;
        }

        /**
         * Pieces of equal size, evenly spaced in the concatenated logs, so that each record is equally likely to be
         * read.
         */
        List<LogSampler.Piece> pieces(Map<TopicPartition, Long> from, Map<TopicPartition, Long> to, long most) {
            long[] records = records(from, to);
            long all = Arrays.stream(records).sum();
            int wanted = between(FEWEST_PIECES, Math.min(most, all) / RECORDS_OF_PIECE, MOST_PIECES);
            double step = Math.max(1, (double) all / wanted);
            TopicRef ref = new TopicRef(topic.name(), topic.topicId());
            List<LogSampler.Piece> pieces = new ArrayList<>();
            double next = 0;
            long before = 0;
            for (TopicPartition p : partitions()) {
                Node leader = topic.partitions().get(p.partition()).leader();
                for (; next < before + records[p.partition()]; next += step) {
                    long start = at(from, p) + (long) next - before;
                    // A piece ends at the start of the next piece at the latest.
                    long end = start + Math.max(1, Math.min(most / wanted, (long) Math.ceil(step)));
                    pieces.add(
                            new LogSampler.Piece(ref, p.partition(), leader, start, Math.min(at(to, p), end), tally));
                }
                before += records[p.partition()];
            }
            return pieces;
        }

        TopicShape shape(List<Map<TopicPartition, Long>> edges, double stretchSeconds) {
            long[] stretches = new long[edges.size() - 1];
            Arrays.setAll(stretches, i -> Arrays.stream(records(edges.get(i), edges.get(i + 1)))
                    .sum());
            int replication = topic.partitions().get(0).replicas().size();
            TopicShape.Layout layout = new TopicShape.Layout(replication, config);
            long[] partitions = records(edges.get(0), edges.get(edges.size() - 1));
            return tally.shape(topic.name(), layout, stretches, stretchSeconds, partitions);
        }
    }

    /**
     * Bytes sent to consumers ÷ bytes received from producers since construction, by topic: the number of readers,
     * including those that do not commit. Used by one thread.
     */
    static final class FanOut implements AutoCloseable {
        private static final Duration PATIENCE = Duration.ofSeconds(10);
        private static final String IN = Observation.OF_TOPIC + "bytesIn:";
        private static final String OUT = Observation.OF_TOPIC + "bytesOut:";

        private final BrokerObserver observer;
        private final Map<String, Double> sums = new HashMap<>();

        /** @param sources of all brokers; if empty, no topic has a known fan-out */
        FanOut(List<BrokerSource> sources, Collection<String> topics) {
            observer = new BrokerObserver(sources, problem -> {});
            // Missing connections are retried during the window.
            observer.connect(PATIENCE);
            observer.begin(System.nanoTime(), topics, this::add, new IncidentSink(0), broker -> true);
        }

        private synchronized void add(Observation seen) {
            seen.sums().forEach((figure, sum) -> {
                if (figure.startsWith(IN) || figure.startsWith(OUT)) {
                    sums.merge(figure, sum, Double::sum);
                }
            });
        }

        Map<String, Double> of(Collection<String> topics) {
            observer.end();
            Map<String, Double> of = new HashMap<>();
            synchronized (this) {
                topics.forEach(topic -> {
                    double in = sums.getOrDefault(IN + topic, 0.0);
                    if (in > 0) {
                        of.put(topic, sums.getOrDefault(OUT + topic, 0.0) / in);
                    }
                });
            }
            return of;
        }

        @Override
        public void close() {
            observer.close();
        }
    }
}
