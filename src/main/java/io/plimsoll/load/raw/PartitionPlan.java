package io.plimsoll.load.raw;

import io.plimsoll.load.ProducerTrail;
import io.plimsoll.load.raw.Partitioner.KeyedPartitions;
import io.plimsoll.load.raw.Partitioner.StickyPartitions;
import io.plimsoll.load.raw.RecordSource.Shares;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.wire.ClientInternals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of one client with their templates, and the routing of records: by key, to the scenario's partitions,
 * or, without keys, as the official client does.
 */
final class PartitionPlan {
    private static final long TEMPLATE_MEMORY_BYTES = 128_000_000;
    /** Batches by which a closed loop can exceed a partition's share, on average: twice the number in flight. */
    private static final int BATCHES_AHEAD = 10;

    private final ProducerSpec spec;
    private final RawSettings settings;
    private final int[] partitionCounts;
    final PartitionQueue[] queues;
    private final SplittableRandom random;
    private final List<Partitioner> perTopic = new ArrayList<>();
    private double[] weights = {};
    private int maxRecords;

    /**
     * @param partitionCounts of the entry's topics
     * @param client index of the client in the entry
     * @param trails creates the audit trail of a partition; null without an audit
     */
    PartitionPlan(
            ProducerSpec spec,
            RawSettings settings,
            int[] partitionCounts,
            int client,
            long seed,
            @Nullable Supplier<ProducerTrail> trails) {
        this.spec = spec;
        this.settings = settings;
        int[] topics = spec.oneTopicEach()
                ? new int[] {client % partitionCounts.length}
                : IntStream.range(0, partitionCounts.length).toArray();
        this.partitionCounts =
                Arrays.stream(topics).map(t -> partitionCounts[t]).toArray();
        int all = Arrays.stream(partitionCounts).sum();
        this.queues = new PartitionQueue[Arrays.stream(this.partitionCounts).sum()];
        int i = 0;
        for (int t : topics) {
            for (int p = 0; p < partitionCounts[t]; p++) {
                ProducerTrail trail = trails == null ? null : trails.get();
                queues[i] = new PartitionQueue(t, p, trail == null ? client * all + i : trail.id(), settings.ordered());
                queues[i].trail = trail;
                i++;
            }
        }
        this.random = new SplittableRandom(seed);
    }

    /**
     * Chooses routes and builds the templates.
     * @param generators supplies equal generators
     */
    void build(Supplier<RecordGenerator> generators, long runId) {
        boolean byKey = !(spec.record().key() instanceof KeySpec.None)
                && spec.partitions().isEmpty()
                && !settings.ignoreKeys();
        if (byKey) {
            byKey(new KeyTable(generators.get()), generators, runId);
        } else {
            RecordGenerator generator = generators.get();
            TemplateRing shared = ring(generator, generator::nextKey, runId, TEMPLATE_MEMORY_BYTES);
            for (PartitionQueue queue : queues) {
                queue.templates = shared;
            }
            if (spec.partitions().isEmpty()) {
                sticky();
            } else {
                explicit();
            }
        }
        maxRecords = Arrays.stream(queues)
                .filter(q -> q.templates != null)
                .mapToInt(q -> q.templates.maxRecords())
                .max()
                .orElse(1);
    }

    private TemplateRing ring(
            RecordGenerator generator, LongFunction<byte @Nullable []> keys, long runId, long memoryBytes) {
        return new TemplateRing(generator, keys, runId, epochNanos(), settings.batch(), memoryBytes);
    }

    private static long epochNanos() {
        return System.currentTimeMillis() * 1_000_000;
    }

    private PartitionQueue[] ofTopic(int topic) {
        int from = Arrays.stream(partitionCounts, 0, topic).sum();
        return Arrays.copyOfRange(queues, from, from + partitionCounts[topic]);
    }

    private void sticky() {
        weights = new double[partitionCounts.length];
        Arrays.fill(weights, 1.0 / weights.length);
        for (int t = 0; t < partitionCounts.length; t++) {
            PartitionQueue[] own = ofTopic(t);
            for (PartitionQueue queue : own) {
                queue.share = t;
            }
            perTopic.add(new StickyPartitions(own, settings.batch().batchBytes(), random.nextLong()));
        }
    }

    private void explicit() {
        weighEach(
                1.0 / spec.partitions().size(),
                topic -> spec.partitions().stream().mapToInt(Integer::intValue).toArray());
        for (int t = 0; t < partitionCounts.length; t++) {
            PartitionQueue[] own = ofTopic(t);
            perTopic.add(Partitioner.inTurn(spec.partitions().stream()
                    .map(p -> new Partitioner.To(own[p]))
                    .toList()));
        }
    }

    private void byKey(KeyTable keys, Supplier<RecordGenerator> generators, long runId) {
        Map<Integer, int[]> routes = new HashMap<>();
        long ringCount = Arrays.stream(partitionCounts).distinct().sum();
        // Topics with the same number of partitions share templates, since their keys map to the same partitions.
        Map<Integer, TemplateRing[]> made = new HashMap<>();
        for (int t = 0; t < partitionCounts.length; t++) {
            int count = partitionCounts[t];
            int[] route = routes.computeIfAbsent(count, keys::route);
            TemplateRing[] ofCount = made.computeIfAbsent(count, n -> new TemplateRing[n]);
            PartitionQueue[] own = ofTopic(t);
            Arrays.stream(route).distinct().forEach(p -> {
                if (ofCount[p] == null) {
                    ofCount[p] =
                            ring(generators.get(), keys.keysOf(p, route), runId, TEMPLATE_MEMORY_BYTES / ringCount);
                }
                own[p].templates = ofCount[p];
            });
            perTopic.add(new KeyedPartitions(route, own));
        }
        weighEach(1.0 / KeyTable.KEYS, topic -> routes.computeIfAbsent(partitionCounts[topic], keys::route));
    }

    private void weighEach(double one, IntFunction<int[]> occurrences) {
        weights = new double[queues.length];
        for (int i = 0; i < queues.length; i++) {
            queues[i].share = i;
        }
        int first = 0;
        for (int t = 0; t < partitionCounts.length; t++) {
            for (int p : occurrences.apply(t)) {
                weights[first + p] += one / partitionCounts.length;
            }
            first += partitionCounts[t];
        }
    }

    Partitioner routing() {
        return Partitioner.inTurn(perTopic);
    }

    Shares shares() {
        return new Shares(weights, (long) BATCHES_AHEAD * maxRecords * queues.length);
    }

    double recordBytes() {
        return Arrays.stream(queues)
                .filter(q -> q.templates != null)
                .mapToDouble(q -> q.templates.recordBytes())
                .average()
                .orElse(1);
    }

    int maxRecords() {
        return maxRecords;
    }

    /**
     * The first keys of a generator, with the partitions that Kafka's producer would choose. They represent all keys:
     * records are routed in the same pattern, and the templates of a partition contain its keys. Immutable.
     */
    private static final class KeyTable {
        static final int KEYS = 1 << 17;

        private final byte[][] keys;

        KeyTable(RecordGenerator generator) {
            keys = new byte[KEYS][];
            long epochNanos = epochNanos();
            byte[] last = null;
            for (int i = 0; i < KEYS; i++) {
                byte[] key = Objects.requireNonNull(generator.nextKey(epochNanos));
                // Equal neighboring keys share one object, so a fixed key is a single object.
                last = last != null && Arrays.equals(last, key) ? last : key.clone();
                keys[i] = last;
            }
        }

        int[] route(int partitions) {
            int[] route = new int[keys.length];
            for (int i = 0; i < keys.length; i++) {
                route[i] = ClientInternals.partition(keys[i], partitions);
            }
            return route;
        }

        /** The keys of a partition, repeated cyclically. */
        LongFunction<byte[]> keysOf(int partition, int[] route) {
            List<byte[]> own = new ArrayList<>();
            for (int i = 0; i < route.length; i++) {
                if (route[i] == partition) {
                    own.add(keys[i]);
                }
            }
            if (own.isEmpty()) {
                throw new IllegalArgumentException("no key belongs to partition " + partition);
            }
            return new LongFunction<>() {
                private int at;

                @Override
                public byte[] apply(long epochNanos) {
                    byte[] key = own.get(at);
                    at = at + 1 == own.size() ? 0 : at + 1;
                    return key;
                }
            };
        }
    }
}
