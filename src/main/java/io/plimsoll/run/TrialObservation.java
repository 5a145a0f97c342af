package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.BrokerRoles.PartitionRoles;
import io.plimsoll.cluster.BrokerRoles.Replicas;
import io.plimsoll.cluster.ClusterDescription;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.load.LoadKind;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.observe.broker.BrokerFlight;
import io.plimsoll.observe.broker.BrokerLog;
import io.plimsoll.observe.broker.BrokerObserver;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.observe.broker.RequestLog;
import io.plimsoll.observe.host.HostStalls;
import io.plimsoll.observe.host.HostWatch;
import io.plimsoll.observe.host.HostWatch.ProcessWatch;
import io.plimsoll.observe.host.ListeningProcess;
import io.plimsoll.observe.host.ProcessStops;
import io.plimsoll.observe.host.UnansweredSegments;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.IncidentSource;
import io.plimsoll.observe.incident.IncidentWatch;
import io.plimsoll.result.ObservedFigures;
import io.plimsoll.result.ObservedSource;
import io.plimsoll.run.guards.GuardWatch;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Observes brokers, cluster, and host once a second during trials, on the trial's clock. Connections stay open between
 * trials. One thread at a time calls {@link #begin}, {@link #end} and {@link #close}.
 */
final class TrialObservation implements AutoCloseable {
    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration CONNECTING = Duration.ofSeconds(5);
    private static final int ROUND_TRIPS = 3;
    private static final long SLICE_MILLIS = 10;
    private static final long NO_PROCESS = -1;
    /** Instead of the ID of a process that ended; it is sought again, because a broker can be restarted. */
    private static final long ENDED = -2;

    private static final long SEEK_NANOS = 2_000_000_000L;

    private final ClusterSession cluster;
    private final RunRequest request;
    private final Consumer<Sentence> problems;
    private BrokerObserver brokers;
    /** False if remote load hosts observe themselves. */
    private final boolean loadHere;

    ForeignGroups groups;

    private final HostWatch host = new HostWatch();
    private final Map<Integer, ProcessWatch> processes = new ConcurrentHashMap<>();
    /** Processes of brokers on this host outside a lab; searched for again only after one has ended. */
    private final Map<Integer, Long> found = new HashMap<>();

    private long soughtNanos = System.nanoTime();

    private final List<PeriodicTask> looking = new ArrayList<>();
    /** Null between trials. */
    private @Nullable IncidentWatch incidents;

    private long endedNanos;
    private volatile Map<Integer, Long> brokersHere = Map.of();

    final GuardWatch guards;

    TrialObservation(RunRequest request, ClusterSession cluster, Consumer<Sentence> problems, GuardWatch guards) {
        this.request = request;
        this.cluster = cluster;
        this.guards = guards;
        this.groups = new ForeignGroups(cluster.connection());
        this.loadHere = request.workers().local();
        this.problems = whileItCanBeWritten(problems);
        this.brokers = observer();
    }

    private BrokerObserver observer() {
        List<BrokerSource> sources = new ArrayList<>(request.sources());
        cluster.lab().ifPresent(lab -> lab.brokers().stream()
                .filter(b -> cluster.presentIds().contains(b.id()))
                .forEach(b -> sources.add(BrokerSource.ofLab(
                        b.id(),
                        () -> lab.jmxAddress(b.id()),
                        request.chosen().observe != RunRequest.ObserveLevel.LIGHT))));
        return new BrokerObserver(sources, problems);
    }

    /** Prepares new connections after the lab or its brokers were replaced. */
    void moved() {
        brokers.close();
        processes.clear();
        brokers = observer();
        groups.close();
        groups = new ForeignGroups(cluster.connection());
    }

    /** Drops observations if the timeline cannot be written, because the next snapshot reports the error and ends the run. */
    private static <T> Consumer<T> whileItCanBeWritten(Consumer<T> sink) {
        return seen -> {
            try {
                sink.accept(seen);
            } catch (PlimsollException e) {
                // See {@link #whileItCanBeWritten}.
            }
        };
    }

    /** Connects before the load and returns the resolved sources. */
    List<ObservedSource> connect() {
        brokers.connect(CONNECTING);
        return request.sources().stream()
                .flatMap(source -> source.described().stream())
                .sorted(Comparator.comparingInt(ObservedSource::broker))
                .toList();
    }

    /** The shortest round trip in ms of a few small requests on the idle cluster; empty without a response. */
    OptionalDouble roundTripMs(Collection<String> topics) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long from = System.nanoTime();
            if (cluster.roles().replicas(topics).isPresent()) {
                least = Math.min(least, (System.nanoTime() - from) / 1e6);
            }
        }
        return Double.isInfinite(least) ? OptionalDouble.empty() : OptionalDouble.of(least);
    }

    /** @param disturbed returns whether a fault currently affects a target, such as {@code broker 2} */
    void begin(
            long startNanos,
            Scenario scenario,
            OptionalDouble roundTrip,
            Consumer<Observation> timeline,
            Consumer<List<Incident>> happened,
            Predicate<String> disturbed) {
        end();
        settle(() -> true);
        Consumer<Observation> sink = whileItCanBeWritten(timeline.andThen(guards::accept));
        guards.begin(startNanos);
        TopicWatch watch = new TopicWatch(TrialRun.names(scenario), roundTrip, startNanos);
        boolean committed = scenario.consumers().stream()
                .anyMatch(c -> LoadKind.consumers(c.engine()).readsCommitted(c));
        watch.stable = committed ? new StableOffsets() : null;
        TopicCounts tally = watch.tally;
        IncidentSink events = new IncidentSink(startNanos);
        brokers.begin(startNanos, tally.topics(), o -> tally.take(o, sink), events, disturbed);
        incidents =
                new IncidentWatch(events, sources(committed ? watch.topics : List.of()), whileItCanBeWritten(happened));
        groups.begin(startNanos, sink);
        host.begin(System.nanoTime());
        // Otherwise the first second would be missing, or would include the time since the previous trial.
        processes.clear();
        brokersHere.forEach((broker, pid) -> process(broker).begin(pid, System.nanoTime()));
        found.values().removeIf(pid -> pid == NO_PROCESS);
        looking.add(PeriodicTask.each(
                "plimsoll-observe-host", startNanos, EVERY_NANOS, 1, () -> lookHere(startNanos, sink)));
        looking.add(PeriodicTask.each("plimsoll-observe-cluster", startNanos, EVERY_NANOS, 1, () -> watch.look()
                .forEach(sink)));
    }

    /** @param committed topics with consumers that receive only committed records */
    private List<IncidentSource> sources(Collection<String> committed) {
        List<IncidentSource> sources = new ArrayList<>();
        if (!committed.isEmpty()) {
            Set<TopicPartition> partitions =
                    cluster.roles().partitions(committed).orElse(Map.of()).keySet();
            sources.add(new OpenTransactions(cluster.roles(), partitions));
        }
        brokersHere = brokersHere();
        sources.add(new ProcessStops(() -> brokersHere));
        if (loadHere) {
            sources.add(new HostStalls(() -> brokersHere));
            UnansweredSegments unanswered = new UnansweredSegments();
            cluster.description().brokers().forEach(b -> unanswered.add(b.id(), b.host(), b.port()));
            sources.add(unanswered);
        }
        cluster.lab().ifPresent(lab -> lab.brokers().stream()
                .filter(b -> cluster.presentIds().contains(b.id()))
                .forEach(b -> {
                    sources.add(new BrokerLog(b.id(), b.logFile()));
                    if (request.chosen().observe == RunRequest.ObserveLevel.REQUESTS) {
                        sources.add(new RequestLog(b.id(), b.requestLog()));
                    }
                    if (request.chosen().observe != RunRequest.ObserveLevel.LIGHT) {
                        sources.add(new BrokerFlight(
                                b.id(), b.directory(), () -> brokersHere.getOrDefault(b.id(), NO_PROCESS)));
                    }
                }));
        return sources;
    }

    /** Waits after {@link #end} until the incidents of a lab's brokers are known, and delivers all remaining incidents. */
    void settle(BooleanSupplier interrupted) {
        if (incidents == null) {
            return;
        }
        boolean flights = cluster.lab().isPresent() && request.chosen().observe != RunRequest.ObserveLevel.LIGHT;
        long knownNanos = endedNanos + (flights ? BrokerFlight.LATENCY.toNanos() : 0);
        try {
            while (!interrupted.getAsBoolean() && System.nanoTime() - knownNanos < 0) {
                Thread.sleep(SLICE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        incidents.end();
        incidents = null;
    }

    private void lookHere(long startNanos, Consumer<Observation> sink) {
        if (loadHere) {
            sink.accept(host.since(System.nanoTime(), startNanos));
        }
        Map<Integer, Long> present = brokersHere();
        brokersHere = present;
        present.forEach((broker, pid) -> {
            ProcessWatch watch = process(broker);
            watch.begin(pid, System.nanoTime());
            sink.accept(watch.since(System.nanoTime(), startNanos));
        });
    }

    private ProcessWatch process(int broker) {
        return processes.computeIfAbsent(broker, id -> new ProcessWatch("broker " + id));
    }

    /** The broker processes on this host: processes of a lab, or processes that listen on broker addresses. */
    private Map<Integer, Long> brokersHere() {
        if (cluster.lab().isPresent()) {
            return cluster.lab().get().brokers().stream()
                    .filter(b -> cluster.presentIds().contains(b.id()))
                    .collect(Collectors.toMap(LabBroker::id, LabBroker::pid));
        }
        boolean again = System.nanoTime() - soughtNanos > SEEK_NANOS;
        for (ClusterDescription.Broker b : cluster.description().brokers()) {
            Long known = found.get(b.id());
            boolean ended = known != null
                    && known >= 0
                    && ProcessHandle.of(known).filter(ProcessHandle::isAlive).isEmpty();
            if (known == null || ended || (known == ENDED && again)) {
                long none = known == null ? NO_PROCESS : ENDED;
                found.put(b.id(), ListeningProcess.at(b.host(), b.port()).orElse(none));
                soughtNanos = System.nanoTime();
            }
        }
        return found.entrySet().stream()
                .filter(e -> e.getValue() >= 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Stops observing. No observation is delivered after this method returns. */
    void end() {
        endedNanos = System.nanoTime();
        brokers.end();
        groups.end();
        PeriodicTask.endAll(looking, PATIENCE.toMillis());
    }

    @Override
    public void close() {
        end();
        settle(() -> true);
        groups.close();
        brokers.close();
    }

    /** Whether to request a figure again: not if the cluster cannot provide it (too old, not authorized). */
    static final class Answerable {
        private boolean ever;
        private boolean asked = true;

        boolean worthAsking() {
            return asked;
        }

        void answered(boolean now) {
            ever |= now;
            asked = ever;
        }
    }

    /** Observes a trial's topics through Kafka's Admin API. Used by one thread. */
    final class TopicWatch {
        /** Number of polls between readings of log sizes, which make brokers iterate over all of their partitions. */
        private static final int LOOKS_BETWEEN_SIZES = 5;
        /** Maximum number of partitions for which begin offsets are read every second. */
        private static final int FEW_PARTITIONS = 200;

        private final BrokerRoles roles = cluster.roles();
        private final Collection<String> topics;
        private final Collection<Integer> present = cluster.presentIds();
        private final OptionalDouble idleRoundTripMs;
        private final long startNanos;
        private Map<TopicPartition, PartitionRoles> last = Map.of();
        private final TopicCounts tally;
        private int looks;
        private final Answerable sizes = new Answerable();
        /** Null until read. */
        private @Nullable Set<String> tiered;
        /** Null without read_committed consumers. */
        private @Nullable StableOffsets stable;

        private Map<TopicPartition, Long> beginnings = Map.of();
        private final Answerable firstOffsets = new Answerable();
        private final Answerable loggers = new Answerable();

        TopicWatch(Collection<String> topics, OptionalDouble idleRoundTripMs, long startNanos) {
            this.topics = topics;
            this.tally = new TopicCounts(topics);
            this.idleRoundTripMs = idleRoundTripMs;
            this.startNanos = startNanos;
        }

        List<Observation> look() {
            long from = System.nanoTime();
            Optional<Map<TopicPartition, PartitionRoles>> partitions = roles.partitions(topics);
            if (partitions.isEmpty()) {
                return missing(from);
            }
            Map<String, Long> bytes = new HashMap<>();
            boolean rarely = looks++ % LOOKS_BETWEEN_SIZES == 0;
            Map<String, Double> gauges = gauges(BrokerRoles.replicas(partitions.get()), bytes, rarely);
            Map<String, Double> changes = changes(last, partitions.get());
            last = partitions.get();
            if (firstOffsets.worthAsking() && (rarely || last.size() <= FEW_PARTITIONS)) {
                changes.put("recordsDeleted", (double) deleted());
            }
            long now = System.nanoTime() - startNanos;
            List<Observation> seen = new ArrayList<>(tally.look(now, bytes));
            seen.add(new Observation("cluster", "admin", from - startNanos, now, changes, gauges));
            return seen;
        }

        /** An observation of the number of topics that no longer exist; empty if all exist or the cluster does not respond. */
        private List<Observation> missing(long fromNanos) {
            int missing = roles.missing(topics).orElse(0);
            long from = fromNanos - startNanos;
            long now = System.nanoTime() - startNanos;
            return missing == 0
                    ? List.of()
                    : List.of(new Observation(
                            "cluster", "admin", from, now, Map.of(), Map.of("missingTopics", (double) missing)));
        }

        private long deleted() {
            Optional<Map<TopicPartition, Long>> now = roles.beginnings(last.keySet());
            long deleted = now.orElse(Map.of()).entrySet().stream()
                    .mapToLong(e -> e.getValue() - beginnings.getOrDefault(e.getKey(), e.getValue()))
                    .sum();
            firstOffsets.answered(now.isPresent());
            beginnings = now.orElse(beginnings);
            return Math.max(0, deleted);
        }

        /** @param ofTopics receives the size in bytes of all replicas per topic, if read */
        private Map<String, Double> gauges(Replicas replicas, Map<String, Long> ofTopics, boolean rarely) {
            Map<String, Double> gauges = new HashMap<>();
            gauges.put("underReplicated", (double) replicas.underReplicated());
            gauges.put("leaderless", (double) replicas.leaderless());
            idleRoundTripMs.ifPresent(ms -> gauges.put("idleRoundTripMs", ms));
            if (stable != null) {
                Map<TopicPartition, Long> ends = roles.ends(last.keySet(), IsolationLevel.READ_UNCOMMITTED);
                Map<TopicPartition, Long> shown = roles.ends(last.keySet(), IsolationLevel.READ_COMMITTED);
                stable.look(ends, shown, System.nanoTime(), gauges);
            }
            if (loggers.worthAsking() && rarely && replicas.allInSync()) {
                OptionalInt verbose = roles.verboseLoggers(present);
                verbose.ifPresent(most -> gauges.put("verboseLoggers", (double) most));
                loggers.answered(verbose.isPresent());
            }
            if (sizes.worthAsking() && rarely) {
                remoteRecords().ifPresent(records -> gauges.put("remoteRecords", (double) records));
                Optional<Map<String, Long>> bytes = roles.logBytes(topics, present);
                bytes.ifPresent(ofTopics::putAll);
                bytes.ifPresent(b -> gauges.put("logBytes", (double)
                        b.values().stream().mapToLong(Long::longValue).sum()));
                // A broker that just failed does not answer either, so this does not indicate a missing permission.
                if (bytes.isPresent() || replicas.underReplicated() == 0) {
                    sizes.answered(bytes.isPresent());
                }
            }
            return gauges;
        }

        /** Reads remote offsets of tiered topics only. */
        private OptionalLong remoteRecords() {
            Set<String> named = tiered == null ? roles.tiered(topics) : tiered;
            tiered = named;
            Set<TopicPartition> remote = new HashSet<>(last.keySet());
            remote.removeIf(partition -> !named.contains(partition.topic()));
            return remote.isEmpty() ? OptionalLong.empty() : roles.remoteRecords(remote);
        }

        /** Changes of replicas and leaders between two polls; shorter changes are not detected. */
        static Map<String, Double> changes(
                Map<TopicPartition, PartitionRoles> before, Map<TopicPartition, PartitionRoles> after) {
            int shrinks = 0;
            int expansions = 0;
            int leaders = 0;
            for (Map.Entry<TopicPartition, PartitionRoles> e : after.entrySet()) {
                PartitionRoles was = before.getOrDefault(e.getKey(), e.getValue());
                PartitionRoles is = e.getValue();
                shrinks += missing(is.inSync(), was.inSync());
                expansions += missing(was.inSync(), is.inSync());
                leaders += is.leader().equals(was.leader()) ? 0 : 1;
            }
            return new HashMap<>(Map.of(
                    "isrShrinks", (double) shrinks,
                    "isrExpansions", (double) expansions,
                    "leaderChanges", (double) leaders));
        }

        private static int missing(Set<Integer> from, Set<Integer> wanted) {
            return (int) wanted.stream().filter(id -> !from.contains(id)).count();
        }
    }

    /**
     * Tracks records that {@code read_committed} consumers cannot see yet: an open transaction blocks its partition
     * from its first record onward. Used by one thread.
     */
    static final class StableOffsets {
        private record Held(long stable, long sinceNanos) {}

        private final Map<TopicPartition, Held> held = new HashMap<>();

        /** @param ends end offsets read before {@code stable} */
        void look(
                Map<TopicPartition, Long> ends,
                Map<TopicPartition, Long> stable,
                long nowNanos,
                Map<String, Double> gauges) {
            long open = 0;
            long longest = 0;
            for (Map.Entry<TopicPartition, Long> each : stable.entrySet()) {
                long behind = ends.getOrDefault(each.getKey(), 0L) - each.getValue();
                Held before = held.get(each.getKey());
                if (behind <= 0) {
                    held.remove(each.getKey());
                } else {
                    open += behind;
                    if (before == null || before.stable() != each.getValue()) {
                        held.put(each.getKey(), new Held(each.getValue(), nowNanos));
                    } else {
                        longest = Math.max(longest, nowNanos - before.sinceNanos());
                    }
                }
            }
            gauges.put("openRecords", (double) open);
            gauges.put("stuckSeconds", longest / 1e9);
        }
    }

    /** Per-topic metrics summed over brokers, in the intervals of the first broker that reports them. Thread-safe. */
    static final class TopicCounts {
        /** Maximum number of topics, because each topic needs a separate request to every broker every second. */
        private static final int MOST = 20;
        /** Time in ns without a report after which another broker sets the intervals. */
        private static final long SILENT_NANOS = 3_000_000_000L;

        private final List<String> topics;
        private final Map<String, Map<String, Double>> counted = new TreeMap<>();
        /** The broker that sets the intervals, so that topic and broker metrics share the same time base. */
        private String pace = "";

        private long coveredToNanos = Long.MIN_VALUE;
        private Map<String, Long> sizes = Map.of();
        private long sizesNanos;

        /** @param topics topics to report; with too many, none is reported */
        TopicCounts(Collection<String> topics) {
            this.topics = topics.size() > MOST ? List.of() : List.copyOf(topics);
        }

        List<String> topics() {
            return topics;
        }

        /** Passes on a broker's observation and, at the end of an interval, the sums over brokers for each topic. */
        synchronized void take(Observation o, Consumer<Observation> sink) {
            Map<String, Double> others = new TreeMap<>();
            o.sums().forEach((name, sum) -> {
                if (name.startsWith(Observation.OF_TOPIC)) {
                    String[] words = name.split(":", 3);
                    counted.computeIfAbsent(words[2], t -> new TreeMap<>()).merge(words[1], sum, Double::sum);
                } else {
                    others.put(name, sum);
                }
            });
            sink.accept(new Observation(o.what(), o.source(), o.fromNanos(), o.toNanos(), others, o.gauges()));
            if (others.size() == o.sums().size()) {
                return;
            }
            boolean silent = !o.what().equals(pace) && o.toNanos() - coveredToNanos > SILENT_NANOS;
            if (pace.isEmpty() || silent) {
                pace = o.what();
            }
            if (o.what().equals(pace)) {
                long from = silent && coveredToNanos != Long.MIN_VALUE ? coveredToNanos : o.fromNanos();
                counted.forEach((topic, sums) -> {
                    sums.put("seconds", (o.toNanos() - from) / 1e9);
                    sink.accept(new Observation(named(topic), "brokers", from, o.toNanos(), sums, Map.of()));
                });
                counted.clear();
                coveredToNanos = o.toNanos();
            }
        }

        /** @param bytes size of all replicas on disk, by topic; empty if not read */
        synchronized List<Observation> look(long nowNanos, Map<String, Long> bytes) {
            List<Observation> all = new ArrayList<>();
            for (String topic : topics) {
                Long size = bytes.get(topic);
                if (size != null) {
                    Map<String, Double> grown = sizes.containsKey(topic)
                            ? Map.of(
                                    "logGrowth",
                                    (double) (size - sizes.get(topic)),
                                    "logSeconds",
                                    (nowNanos - sizesNanos) / 1e9)
                            : Map.of();
                    Map<String, Double> gauges = Map.of("logBytes", size.doubleValue());
                    all.add(new Observation(named(topic), "brokers", sizesNanos, nowNanos, grown, gauges));
                }
            }
            if (!bytes.isEmpty()) {
                sizes = bytes;
                sizesNanos = nowNanos;
            }
            return all;
        }

        private static String named(String topic) {
            return ObservedFigures.TOPIC + topic;
        }
    }
}
