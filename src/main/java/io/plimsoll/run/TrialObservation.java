package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.BrokerRoles.PartitionRoles;
import io.plimsoll.cluster.BrokerRoles.Replicas;
import io.plimsoll.cluster.ClusterDescription;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.load.LoadKind;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.observe.broker.BrokerObserver;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.observe.host.HostWatch;
import io.plimsoll.observe.host.ListeningProcess;
import io.plimsoll.observe.host.ProcessWatch;
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
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Looks at brokers, cluster and host once a second while trials run, on the time axis of their load. Connections stay open
 * from one trial to the next. {@link #begin}, {@link #end} and {@link #close} are called by one thread at a time.
 */
final class TrialObservation implements AutoCloseable {
    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration CONNECTING = Duration.ofSeconds(5);
    private static final int ROUND_TRIPS = 3;
    private static final long NOBODY = -1;

    private final ClusterSession cluster;
    private final RunRequest request;
    private final Consumer<Sentence> problems;
    private BrokerObserver brokers;
    /** Otherwise the hosts of the load watch themselves. */
    private final boolean loadHere;

    final ForeignGroups groups;

    private final HostWatch host = new HostWatch();
    private final Map<Integer, ProcessWatch> processes = new HashMap<>();
    /** Processes of brokers that are not a lab's; looked for again only where one has ended. */
    private final Map<Integer, Long> found = new HashMap<>();

    private final List<PeriodicTask> looking = new ArrayList<>();

    final GuardWatch guards;

    /**
     * @param problems told what cannot be observed
     * @param guards look at the cluster with it
     */
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
                .forEach(b -> sources.add(BrokerSource.jmx(b.id(), () -> lab.jmxAddress(b.id()), null))));
        return new BrokerObserver(sources, problems);
    }

    /** There is another lab now, or other brokers of it. */
    void moved() {
        brokers.close();
        processes.clear();
        brokers = observer();
    }

    /** A timeline that cannot be written, the next snapshot tells, and ends the run; observers have nothing to add to it. */
    private static <T> Consumer<T> whileItCanBeWritten(Consumer<T> sink) {
        return seen -> {
            try {
                sink.accept(seen);
            } catch (PlimsollException e) {
                // See above.
            }
        };
    }

    /**
     * Before the load begins, so that observers see all of it.
     *
     * @return what those have turned out to be that the run was told of
     */
    List<ObservedSource> connect() {
        brokers.connect(CONNECTING);
        return request.sources().stream()
                .flatMap(source -> source.described().stream())
                .sorted(Comparator.comparingInt(ObservedSource::broker))
                .toList();
    }

    /**
     * Before the load begins: how long a small request takes when nobody else asks, the shortest of a few.
     *
     * @return empty if it could not be asked
     */
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

    /**
     * @param roundTrip see {@link #roundTripMs}
     * @param disturbed whether a fault is just now meant to hit one, such as {@code broker 2}
     */
    void begin(
            long startNanos,
            Scenario scenario,
            OptionalDouble roundTrip,
            Consumer<Observation> timeline,
            Predicate<String> disturbed) {
        end();
        Consumer<Observation> sink = whileItCanBeWritten(timeline.andThen(guards::accept));
        guards.begin(startNanos);
        TopicWatch watch = new TopicWatch(TrialRun.names(scenario), roundTrip, startNanos);
        watch.stable = scenario.consumers().stream()
                        .anyMatch(c -> LoadKind.consumers(c.engine()).readsCommitted(c))
                ? new StableOffsets()
                : null;
        TopicCounts tally = watch.tally;
        brokers.begin(startNanos, tally.topics(), o -> tally.take(o, sink), disturbed);
        groups.begin(startNanos, sink);
        host.begin(System.nanoTime());
        found.values().removeIf(pid -> pid == NOBODY);
        looking.add(PeriodicTask.each(
                "plimsoll-observe-host", startNanos, EVERY_NANOS, 1, () -> lookHere(startNanos, sink)));
        looking.add(PeriodicTask.each("plimsoll-observe-cluster", startNanos, EVERY_NANOS, 1, () -> watch.look()
                .forEach(sink)));
    }

    private void lookHere(long startNanos, Consumer<Observation> sink) {
        if (loadHere) {
            sink.accept(host.since(System.nanoTime(), startNanos));
        }
        brokersHere().forEach((broker, pid) -> {
            ProcessWatch watch = processes.computeIfAbsent(broker, id -> new ProcessWatch("broker " + id));
            watch.begin(pid, System.nanoTime());
            sink.accept(watch.since(System.nanoTime(), startNanos));
        });
    }

    /** The processes of brokers on this host: a lab's, or those found at the addresses of brokers. */
    private Map<Integer, Long> brokersHere() {
        if (cluster.lab().isPresent()) {
            return cluster.lab().get().brokers().stream()
                    .filter(b -> cluster.presentIds().contains(b.id()))
                    .collect(Collectors.toMap(LabBroker::id, LabBroker::pid));
        }
        for (ClusterDescription.Broker b : cluster.description().brokers()) {
            Long known = found.get(b.id());
            if (known == null
                    || (known != NOBODY
                            && ProcessHandle.of(known)
                                    .filter(ProcessHandle::isAlive)
                                    .isEmpty())) {
                found.put(b.id(), ListeningProcess.at(b.host(), b.port()).orElse(NOBODY));
            }
        }
        return found.entrySet().stream()
                .filter(e -> e.getValue() != NOBODY)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Nothing comes any more when this returns. */
    void end() {
        brokers.end();
        groups.end();
        PeriodicTask.endAll(looking, PATIENCE.toMillis());
    }

    @Override
    public void close() {
        end();
        groups.close();
        brokers.close();
    }

    /**
     * Whether something is to be asked. A cluster that does not tell it at first (an old one, one where this user may not ask) is not
     * asked for ever; one that has told it may be too busy once in a run of days, and is.
     */
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

    /** Watches a trial's topics by Kafka's Admin, look after look. Used by one thread. */
    final class TopicWatch {
        /** Brokers walk through all of their partitions for it. */
        private static final int LOOKS_BETWEEN_SIZES = 5;
        /** Of so many, the first offsets are asked for each second. */
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
        /** Null until they were asked for. */
        private Set<String> tiered;
        /** Null if nobody reads what is committed alone. */
        private StableOffsets stable;

        private Map<TopicPartition, Long> beginnings = Map.of();
        private final Answerable firstOffsets = new Answerable();
        private final Answerable loggers = new Answerable();

        /**
         * @param idleRoundTripMs what a small request took before the load
         * @param startNanos of the trial, in nanoTime
         */
        TopicWatch(Collection<String> topics, OptionalDouble idleRoundTripMs, long startNanos) {
            this.topics = topics;
            this.tally = new TopicCounts(topics);
            this.idleRoundTripMs = idleRoundTripMs;
            this.startNanos = startNanos;
        }

        /** Asks once; empty if nobody answers. */
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

        /** Topics that somebody has deleted meanwhile; nothing where nobody answers. */
        private List<Observation> missing(long fromNanos) {
            int missing = roles.missing(topics).orElse(0);
            long from = fromNanos - startNanos;
            long now = System.nanoTime() - startNanos;
            return missing == 0
                    ? List.of()
                    : List.of(new Observation(
                            "cluster", "admin", from, now, Map.of(), Map.of("missingTopics", (double) missing)));
        }

        /** Records that are there no more and were when it was looked before, whoever has read them. */
        private long deleted() {
            Optional<Map<TopicPartition, Long>> now = roles.beginnings(last.keySet());
            long deleted = now.orElse(Map.of()).entrySet().stream()
                    .mapToLong(e -> e.getValue() - beginnings.getOrDefault(e.getKey(), e.getValue()))
                    .sum();
            firstOffsets.answered(now.isPresent());
            beginnings = now.orElse(beginnings);
            return Math.max(0, deleted);
        }

        /**
         * @param ofTopics takes the bytes of all copies of each topic, if they are looked at now
         * @param rarely whether to look now also at what is looked at every few seconds
         */
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
                // One whose broker has just died does not answer the question before, either.
                if (bytes.isPresent() || replicas.underReplicated() == 0) {
                    sizes.answered(bytes.isPresent());
                }
            }
            return gauges;
        }

        /** Only topics with a second tier are asked for. */
        private OptionalLong remoteRecords() {
            tiered = tiered == null ? roles.tiered(topics) : tiered;
            Set<TopicPartition> remote = new HashSet<>(last.keySet());
            remote.removeIf(partition -> !tiered.contains(partition.topic()));
            return remote.isEmpty() ? OptionalLong.empty() : roles.remoteRecords(remote);
        }

        /** The changes of copies and leaders between two looks; what comes and goes between them is not seen. */
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
}
