package io.plimsoll.run.guards;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.LogDirs;
import io.plimsoll.cluster.Probe;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.WireUse;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Statistic;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A condition of the cluster that a load must not violate. One thread calls {@link #ask}, another thread the other methods. */
public abstract class Guard implements AutoCloseable {
    /** Times of the last observation by target, in ns since the start of the trial. Guarded by its owner. */
    private static final class LastSeen {
        /** Time without a value after which a target does not count, because it is down or cannot be observed. */
        private static final long GONE_NANOS = 5_000_000_000L;

        private final Map<String, Long> nanos = new HashMap<>();
        private long now;

        void clear() {
            nanos.clear();
            now = 0;
        }

        void saw(Observation seen) {
            nanos.put(seen.what(), seen.toNanos());
            at(seen.toNanos());
        }

        void at(long nowNanos) {
            now = Math.max(now, nowNanos);
        }

        boolean gone(String what) {
            return now - nanos.getOrDefault(what, 0L) > GONE_NANOS;
        }
    }

    private final String name;
    private final Sentence watches;

    protected Guard(String name, Sentence watches) {
        this.name = name;
        this.watches = watches;
    }

    final String name() {
        return name;
    }

    Sentence watches() {
        return watches;
    }

    /**
     * Reads the state before the first load on a cluster; problems that already exist are not attributed to the load.
     *
     * @throws PlimsollException if the guard cannot work
     */
    public void prepare() {}

    /** Called when a load starts. */
    public void begin() {}

    /** Queries the cluster. Called at intervals of {@link LoadLimits#lookEvery}; can take seconds. */
    public void ask() {}

    /** Receives an observation of brokers. Usable by any thread. */
    public void accept(Observation seen) {}

    /** Receives a snapshot of the run's own clients. Usable by any thread. */
    public void accept(Snapshot own) {}

    /** The current violation; empty if none. Called once a second; must not wait. */
    public abstract Optional<Sentence> judge();

    /** Whether a violation stops the load at once, because a lower rate cannot help. */
    public boolean stopsAtOnce() {
        return false;
    }

    /** Latency measured by the guard since the load started; null if it measures none. */
    public @Nullable Latency latency() {
        return null;
    }

    @Override
    public void close() {}

    /** Ends the load when the free space of a broker's disk reaches the reserve, whichever client writes. */
    public static final class DiskGuard extends Guard {
        private final LogDirs disks;
        private final double reserve;
        private volatile boolean used;

        /** @param reserve fraction of each disk to keep free, 0 to 1 */
        public DiskGuard(LogDirs disks, double reserve) {
            super("disk-reserve", Sentence.of("guards.watches.disks"));
            this.disks = disks;
            this.reserve = reserve;
        }

        @Override
        public void ask() {
            OptionalLong room = disks.leastRoomBytes(reserve, false);
            used |= room.isPresent() && room.getAsLong() <= 0;
        }

        @Override
        public Optional<Sentence> judge() {
            return used ? Optional.of(Sentence.of("guards.diskReserve", Units.percent(reserve))) : Optional.empty();
        }

        @Override
        public boolean stopsAtOnce() {
            return true;
        }
    }

    /** Checks the recent mean of an observed broker figure, such as {@code broker.handlerIdle}. */
    public static final class FigureGuard extends Guard {
        private static final int SECONDS = 5;

        private final Check check;
        private final Figure figure;
        /** Recent values by observed target; guarded by the map itself, as are the times. */
        private final Map<String, ArrayDeque<Double>> last = new TreeMap<>();

        private final LastSeen seenLast = new LastSeen();

        /** @param check check of an observed figure */
        public FigureGuard(Check check) {
            super(check.figure(), Sentence.verbatim(check.text()));
            this.check = check;
            this.figure = FigureCatalogue.observed(check.figure()).orElseThrow();
        }

        @Override
        public void begin() {
            synchronized (last) {
                last.clear();
                seenLast.clear();
            }
        }

        @Override
        public void accept(Snapshot own) {
            synchronized (last) {
                seenLast.at(own.toNanos());
            }
        }

        @Override
        public void accept(Observation seen) {
            OptionalDouble value = figure.seenIn(seen);
            if (value.isPresent()) {
                synchronized (last) {
                    seenLast.saw(seen);
                    ArrayDeque<Double> values = last.computeIfAbsent(seen.what(), what -> new ArrayDeque<>());
                    values.add(value.getAsDouble());
                    if (values.size() > SECONDS) {
                        values.remove();
                    }
                }
            }
        }

        @Override
        public Optional<Sentence> judge() {
            synchronized (last) {
                last.keySet().removeIf(seenLast::gone);
                for (Map.Entry<String, ArrayDeque<Double>> of : last.entrySet()) {
                    double mean =
                            of.getValue().stream().mapToDouble(v -> v).average().orElse(0);
                    if (of.getValue().size() == SECONDS && !check.op().holds(mean, check.limit())) {
                        String measured = Units.figure(mean, Units.of(check.dimension()));
                        return Optional.of(Sentence.of("guards.figure", of.getKey(), measured, check.text(), SECONDS));
                    }
                }
            }
            return Optional.empty();
        }
    }

    /** Checks recent statistics of a small client that runs beside the load, such as {@code probe.p99}; see {@link Probe}. */
    public static final class ProbeGuard extends Guard {
        public static final String PREFIX = "probe.";

        private static final Duration WINDOW = Duration.ofSeconds(5);
        /** Time to connect, and time until latencies settle after that. */
        private static final Duration[] SETTLING = {Duration.ofSeconds(2), Duration.ofSeconds(3)};

        private final List<Check> checks;
        private final Supplier<Probe> start;
        private @Nullable Probe probe;

        /** @param start creates the probe and its topic */
        public ProbeGuard(List<Check> checks, Supplier<Probe> start) {
            super("probe", Sentence.verbatim(checks.stream().map(Check::text).collect(Collectors.joining(", "))));
            this.checks = List.copyOf(checks);
            this.start = start;
        }

        /** @throws PlimsollException {@link Exit#CHECK_FAILED} if the check fails even without a load */
        @Override
        public void prepare() {
            close();
            probe = start.get();
            try {
                Thread.sleep(SETTLING[0].toMillis());
                begin();
                Thread.sleep(SETTLING[1].toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            broken(probe().total()).ifPresent(how -> {
                throw Exit.CHECK_FAILED.because("guards.neverHeld", how);
            });
        }

        @Override
        public void begin() {
            probe().reset();
        }

        private Probe probe() {
            return Objects.requireNonNull(probe);
        }

        @Override
        public Optional<Sentence> judge() {
            return broken(probe().last(WINDOW));
        }

        private Optional<Sentence> broken(Latencies seen) {
            for (Check check : checks) {
                Statistic statistic = FigureCatalogue.statistic(check.figure());
                Double is = statistic == null ? null : statistic.of(seen);
                if (is != null && !check.op().holds(is, check.limit())) {
                    return Optional.of(Sentence.of("guards.probe", check.figure(), Units.micros(is), check.text()));
                }
            }
            return Optional.empty();
        }

        @Override
        public Latency latency() {
            return TrialResult.Latency.of(probe().total());
        }

        @Override
        public void close() {
            if (probe != null) {
                probe.close();
            }
        }
    }

    /**
     * Checks the in-sync replicas and leaders of existing partitions. On clusters with many topics, it checks a sample
     * of {@value #MOST_TOPICS} topics, evenly spaced by name and always the same.
     */
    public static final class ReplicaGuard extends Guard {
        private static final int MOST_TOPICS = 500;
        private static final int MOST_NAMED = 3;

        private final BrokerRoles roles;
        private final Supplier<Set<String>> topics;
        private final IntPredicate disturbed;
        private List<String> watched = List.of();
        private int all;
        /** Partitions that were unhealthy before the load. */
        private final Set<TopicPartition> before = new HashSet<>();

        private volatile List<String> unhealthy = List.of();

        /**
         * @param topics returns the topics of the cluster before the run created any
         * @param disturbed returns whether the run itself affects a broker, or affected it before
         */
        public ReplicaGuard(BrokerRoles roles, Supplier<Set<String>> topics, IntPredicate disturbed) {
            super("replicas", Sentence.NONE);
            this.disturbed = disturbed;
            this.roles = roles;
            this.topics = topics;
        }

        @Override
        Sentence watches() {
            return Sentence.of("guards.watches.replicas", Units.count(watched.size()), Units.count(all));
        }

        @Override
        public void prepare() {
            List<String> names = new ArrayList<>(topics.get());
            all = names.size();
            watched = all <= MOST_TOPICS
                    ? names
                    : IntStream.range(0, MOST_TOPICS)
                            .mapToObj(i -> names.get((int) ((long) i * all / MOST_TOPICS)))
                            .toList();
            roles.unhealthy(watched, disturbed).ifPresent(before::addAll);
        }

        @Override
        public void ask() {
            if (watched.isEmpty()) {
                return;
            }
            roles.unhealthy(watched, disturbed).ifPresent(now -> {
                before.retainAll(now);
                Set<String> news = new TreeSet<>();
                now.stream().filter(p -> !before.contains(p)).forEach(p -> news.add(p.toString()));
                unhealthy = List.copyOf(news);
            });
        }

        @Override
        public Optional<Sentence> judge() {
            List<String> now = unhealthy;
            return now.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            Sentence.of("guards.ailing", Units.count(now.size()), Sentence.list(now, MOST_NAMED)));
        }
    }

    /**
     * Detects quota throttling of other clients: brokers report throttled requests while the run's own clients are not
     * throttled. Brokers that throttle in the first second of a load are ignored, because this throttling began before
     * the load.
     */
    public static final class ThrottleGuard extends Guard {
        private static final int SECONDS = 5;
        /** Minimum throttle time in milliseconds, because brokers round request times to milliseconds. */
        private static final double LEAST_MILLIS = 5;

        /** Consecutive seconds in which each broker throttled other clients; negative if the throttling began before the load. */
        private final Map<String, Integer> seconds = new HashMap<>();

        private final LastSeen seenLast = new LastSeen();
        private boolean ours;

        public ThrottleGuard() {
            super("others.throttled", Sentence.of("guards.watches.throttles"));
        }

        @Override
        public synchronized void begin() {
            seconds.clear();
            seenLast.clear();
            ours = false;
        }

        @Override
        public synchronized void accept(Snapshot own) {
            seenLast.at(own.toNanos());
            ours |= own.whole().get(WireUse.THROTTLED_NANOS) > 0 || own.whole().get(WireUse.THROTTLES_UNTOLD) > 0;
        }

        @Override
        public synchronized void accept(Observation seen) {
            Map<String, Double> sums = seen.sums();
            if (!seen.what().startsWith("broker ") || !sums.containsKey("produce.throttleMs")) {
                return;
            }
            boolean holds = sums.get("produce.throttleMs") + sums.getOrDefault("fetch.throttleMs", 0.0) >= LEAST_MILLIS;
            seenLast.saw(seen);
            Integer before = seconds.get(seen.what());
            if (before == null) {
                seconds.put(seen.what(), holds ? -1 : 0);
            } else if (before >= 0) {
                seconds.put(seen.what(), holds ? before + 1 : 0);
            }
        }

        @Override
        public synchronized Optional<Sentence> judge() {
            return ours
                    ? Optional.empty()
                    : seconds.entrySet().stream()
                            .filter(e -> e.getValue() >= SECONDS && !seenLast.gone(e.getKey()))
                            .map(e -> Sentence.of("guards.throttled", e.getKey(), SECONDS))
                            .findFirst();
        }
    }
}
