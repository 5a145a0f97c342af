package io.plimsoll.result;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.SlowBatch;
import io.plimsoll.measure.SlowBatch.Stage;
import io.plimsoll.result.SlowMoment.Cause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Groups slow batches into moments, and finds the incidents that explain them. An incident is a cause only if it covers
 * much of the moment, happened at a place that the records passed, and delays the stage in which they waited.
 */
final class SlowMoments {
    /** Maximum number of moments of a trial; the slowest are kept. */
    private static final int MOST = 100;
    /** Maximum number of batches of a moment; the slowest are kept. */
    private static final int MOST_BATCHES = 10;

    private static final int MOST_CAUSES = 3;
    /**
     * Multiple of the median latency from which a record is slow, if its latency is also at least {@link #SLOW_NANOS}.
     */
    private static final double SLOW = 5;
    /**
     * Lower multiple for the {@link #SLOWEST_RECORDS} slowest records, because half of a short run can be one stall.
     */
    private static final double SLOWEST = 2;

    private static final int SLOWEST_RECORDS = 100;
    private static final long SLOW_NANOS = 20_000_000;
    /** Maximum time in ns between slow records of the same moment. */
    private static final long APART_NANOS = 50_000_000;
    /** Uncertainty in ns of the start of a moment, because a record is due only every few milliseconds. */
    private static final long NEAR_NANOS = 100_000_000;
    /** Minimum score of a cause. */
    private static final double CAUSE = 0.3;

    private static final Set<Stage> ON_BROKER =
            EnumSet.of(Stage.QUEUE, Stage.APPEND, Stage.REPLICATION, Stage.THROTTLE, Stage.RESPONSE);
    private static final Set<Stage> OF_REQUEST = EnumSet.range(Stage.REQUEST, Stage.NETWORK);
    /** Stages within the process of the consumer. */
    private static final Set<Stage> IN_CONSUMER = EnumSet.of(Stage.POLL, Stage.WORK);

    /** Signs, reported by clients and other brokers, that a broker was lost. */
    private static final Set<Incident.Kind> ELSEWHERE =
            EnumSet.of(Incident.Kind.DISCONNECT, Incident.Kind.LEADER_CHANGE, Incident.Kind.ISR_SHRINK);
    /**
     * For each kind of incident, the kinds that can cause it at the same place or host: for example, a thread waits for
     * a lock while the thread with this lock writes to a file.
     */
    private static final Map<Incident.Kind, Set<Incident.Kind>> BEHIND = behind();

    /** Incidents that are reported at the end of a change; the wait for the change begins earlier. */
    private static final Set<Incident.Kind> ENDS = EnumSet.of(
            Incident.Kind.LEADER_CHANGE,
            Incident.Kind.ISR_SHRINK,
            Incident.Kind.CONTROLLER_FAILOVER,
            Incident.Kind.TRANSACTION_ABORT);
    /** Minimum retransmission timeout of Linux in ns (TCP_RTO_MIN). Repeated losses take longer. */
    private static final long RETRANSMIT_NANOS = 200_000_000;

    private static final Set<Incident.Kind> STARVED =
            EnumSet.of(Incident.Kind.CPU_PRESSURE, Incident.Kind.STEAL, Incident.Kind.CGROUP_THROTTLE);

    private static final Set<Incident.Kind> OF_CONNECTIONS =
            EnumSet.of(Incident.Kind.DISCONNECT, Incident.Kind.RETRANSMIT);

    private static final Set<Stage> READING = EnumSet.of(Stage.FETCH, Stage.POLL, Stage.WORK);

    private final List<Incident> incidents;
    private final boolean exact;

    /** @param exact whether the times of requests in the network and at the broker are known for each request */
    SlowMoments(List<Incident> incidents, boolean exact) {
        this.incidents = incidents;
        this.exact = exact;
    }

    /** The moments of slow batches, slowest first. */
    List<SlowMoment> of(List<SlowBatch> slow) {
        List<Group> groups = new ArrayList<>();
        slow.stream().sorted(Comparator.comparingLong(Group::begin)).forEach(batch -> groups.stream()
                .filter(group -> group.takes(batch))
                .findFirst()
                .orElseGet(() -> added(groups))
                .add(batch));
        return groups.stream()
                .map(this::moment)
                .sorted(Comparator.comparingLong(SlowMoment::worstMicros).reversed())
                .limit(MOST)
                .toList();
    }

    /**
     * The slow batches among the kept batches of a trial, slowest first.
     * @param reads true for received batches, false for written batches
     * @param medianMicros median latency of all records; 0 if unknown
     */
    static List<SlowBatch> slow(List<SlowBatch> kept, boolean reads, long medianMicros) {
        List<SlowBatch> slow = new ArrayList<>();
        long records = 0;
        for (SlowBatch batch : SlowBatch.slowest(kept, kept.size())) {
            if (batch.reads() != reads) {
                continue;
            }
            double medians = batch.nanos() / (medianMicros * 1e3);
            if (batch.nanos() < SLOW_NANOS || medians < (records < SLOWEST_RECORDS ? SLOWEST : SLOW)) {
                break;
            }
            slow.add(batch);
            records += batch.records();
        }
        return slow;
    }

    private static Group added(List<Group> groups) {
        Group group = new Group();
        groups.add(group);
        return group;
    }

    /** Batches that overlap in time and waited on the same side: for a write, for a fetch, or in one consumer group. */
    private static final class Group {
        private final List<SlowBatch> batches = new ArrayList<>();
        private long toNanos;

        /**
         * The start of the wait: the start of the longest stage or, if this stage is part of a request, the start of
         * the request, because the order of its parts is unknown.
         */
        static long begin(SlowBatch batch) {
            Stage stage = batch.stage();
            return batch.startOf(OF_REQUEST.contains(stage) ? Stage.REQUEST : stage);
        }

        boolean takes(SlowBatch batch) {
            return begin(batch) <= toNanos + APART_NANOS && side(batch).equals(side(batches.get(0)));
        }

        /** The side on which a batch waited. A consumer that does not poll delays only its own group. */
        private static String side(SlowBatch batch) {
            return IN_CONSUMER.contains(batch.stage()) ? batch.of() : batch.reads() ? "reading" : "producing";
        }

        void add(SlowBatch batch) {
            batches.add(batch);
            toNanos = Math.max(toNanos, batch.toNanos());
        }

        Wait waited() {
            return new Wait(heads());
        }

        /**
         * The batches with more than half of the longest latency, because batches sent directly after a stall are also
         * slow, but less. Batches that the client held back behind unanswered requests are excluded: they show neither
         * the place nor the end of the wait.
         */
        private List<SlowBatch> heads() {
            Map<String, Spans> unanswered = new HashMap<>();
            batches.stream().filter(batch -> batch.stage() != Stage.BATCH).forEach(batch -> unanswered
                    .computeIfAbsent(connection(batch), c -> new Spans())
                    .add(batch.startOf(Stage.RETRY), batch.toNanos()));
            long worst = batches.stream().mapToLong(SlowBatch::nanos).max().orElse(0);
            List<SlowBatch> heads = batches.stream()
                    .filter(batch -> batch.nanos() > worst / 2)
                    .filter(batch -> batch.stage() != Stage.BATCH || !behind(batch, unanswered.get(connection(batch))))
                    .toList();
            return heads.isEmpty() ? batches : heads;
        }

        private static String connection(SlowBatch batch) {
            return batch.of() + " " + batch.broker();
        }

        private static boolean behind(SlowBatch batch, @Nullable Spans unanswered) {
            return unanswered != null
                    && unanswered.within(batch.startOf(Stage.BATCH), batch.startOf(Stage.RETRY))
                            > batch.stages().getOrDefault(Stage.BATCH, 0L) / 2;
        }
    }

    /** The place and time at which the records of a moment waited, from its slowest batches. */
    private static final class Wait {
        private final Stage stage;
        private final long fromNanos;
        private final long toNanos;

        Wait(List<SlowBatch> heads) {
            Map<Stage, Long> sums = new EnumMap<>(Stage.class);
            SlowBatch.slowest(heads, MOST_BATCHES)
                    .forEach(batch -> batch.stages().forEach((stage, nanos) -> sums.merge(stage, nanos, Long::sum)));
            stage = Collections.max(sums.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
            fromNanos = heads.stream().mapToLong(Group::begin).min().orElseThrow();
            toNanos = heads.stream().mapToLong(SlowBatch::toNanos).max().orElseThrow();
        }
    }

    private SlowMoment moment(Group group) {
        List<SlowBatch> worst = SlowBatch.slowest(group.batches, MOST_BATCHES);
        Wait wait = group.waited();
        Set<Integer> brokers = new TreeSet<>();
        Set<String> partitions = new TreeSet<>();
        Set<String> of = new TreeSet<>();
        for (SlowBatch batch : group.batches) {
            of.add(batch.of());
            partitions.add(batch.partition());
            if (batch.broker() >= 0) {
                brokers.add(batch.broker());
            }
        }
        SlowMoment bare = new SlowMoment(
                wait.fromNanos / 1e9,
                wait.toNanos / 1e9,
                wait.stage.word(),
                List.copyOf(brokers),
                List.copyOf(partitions),
                List.copyOf(of),
                group.batches.stream().mapToLong(SlowBatch::records).sum(),
                worst.get(0).nanos() / 1000,
                worst,
                List.of());
        return bare.with(causes(bare, wait));
    }

    /**
     * Incidents of one kind at one place that happened around a moment: many short incidents can explain a long moment.
     * @param whole from the first to the last incident
     * @param spans the union of their times
     */
    private record Candidate(Incident whole, Spans spans) {
        static Candidate of(List<Incident> same) {
            Incident whole = same.get(0);
            Spans spans = new Spans();
            for (Incident incident : same) {
                whole = whole.with(incident);
                spans.add(incident.fromNanos(), incident.toNanos());
            }
            return new Candidate(whole, spans);
        }
    }

    private List<Cause> causes(SlowMoment moment, Wait wait) {
        Map<Candidate, Double> scores = new HashMap<>();
        incidents.stream()
                .filter(incident ->
                        isNear(incident, wait) && !isSentAgainInVain(incident, wait) && !isElsewhere(incident, moment))
                .collect(Collectors.groupingBy(SlowMoments::same))
                .values()
                .stream()
                .map(Candidate::of)
                .forEach(c -> scores.put(c, score(c, moment, wait)));
        scores.values().removeIf(score -> score < CAUSE);
        return scores.entrySet().stream()
                .filter(e -> scores.keySet().stream().noneMatch(other -> isBehind(other, e.getKey())))
                .map(e -> cause(e.getKey().whole(), e.getValue()))
                .sorted(Comparator.comparingDouble(Cause::confidence)
                        .reversed()
                        .thenComparing(Cause::event)
                        .thenComparing(Cause::where))
                .limit(MOST_CAUSES)
                .toList();
    }

    private static Cause cause(Incident incident, double score) {
        return new Cause(
                incident.kind().word(),
                incident.where(),
                Math.max(0, incident.fromNanos() / 1e9),
                Math.max(0, incident.toNanos() / 1e9),
                incident.detail(),
                Math.round(100 * score) / 100.0);
    }

    /**
     * Incidents with the same key count as one: kind and place or, because a transaction can be open in several
     * partitions, kind and transaction.
     */
    private static List<Object> same(Incident incident) {
        return List.of(
                incident.kind(),
                incident.kind() == Incident.Kind.OPEN_TRANSACTION
                        ? String.valueOf(incident.detail())
                        : incident.where());
    }

    private static boolean isElsewhere(Incident incident, SlowMoment moment) {
        return incident.kind() == Incident.Kind.OPEN_TRANSACTION
                && !moment.partitions().contains(incident.where());
    }

    /**
     * Whether packets were retransmitted although they were not lost, because the receiver waited for a core and
     * acknowledged late.
     */
    private boolean isSentAgainInVain(Incident incident, Wait wait) {
        if (incident.kind() != Incident.Kind.RETRANSMIT) {
            return false;
        }
        Spans starved = new Spans();
        incidents.stream()
                .filter(other -> STARVED.contains(other.kind())
                        && (other.where().equals("host") || other.where().equals(incident.where())))
                .forEach(other -> starved.add(other.fromNanos(), other.toNanos()));
        return starved.within(wait.fromNanos, wait.toNanos) > (wait.toNanos - wait.fromNanos) / 2;
    }

    private static boolean isNear(Incident incident, Wait wait) {
        return incident.toNanos() + incident.errorNanos() + around(incident, wait) >= wait.fromNanos - NEAR_NANOS
                && began(incident, wait) <= wait.toNanos;
    }

    /** The earliest possible start of an incident, given the uncertainty of its time. */
    private static long began(Incident incident, Wait wait) {
        return incident.fromNanos() - incident.errorNanos() - around(incident, wait);
    }

    /**
     * The additional uncertainty in ns of a retransmission's time; 0 for other incidents, and for a wait shorter than
     * the retransmission timeout, because no retransmission can have ended such a wait.
     */
    private static long around(Incident incident, Wait wait) {
        boolean timedOut = wait.toNanos - wait.fromNanos >= RETRANSMIT_NANOS;
        return timedOut && incident.kind() == Incident.Kind.RETRANSMIT ? RETRANSMIT_NANOS : 0;
    }

    private static Map<Incident.Kind, Set<Incident.Kind>> behind() {
        Map<Incident.Kind, Set<Incident.Kind>> behind = new EnumMap<>(Incident.Kind.class);
        // Work of a process takes longer if the process is stopped during the work.
        for (Incident.Kind work : EnumSet.of(
                Incident.Kind.FLUSH,
                Incident.Kind.LOG_ROLL,
                Incident.Kind.FILE_STALL,
                Incident.Kind.LOCK,
                Incident.Kind.GC,
                Incident.Kind.SAFEPOINT,
                Incident.Kind.HANDLERS_BUSY)) {
            add(behind, work, Incident.Kind.PROCESS_PAUSE);
        }
        // Handlers are also busy while they wait for a thread that writes, or while their process does not run.
        add(
                behind,
                Incident.Kind.HANDLERS_BUSY,
                Incident.Kind.GC,
                Incident.Kind.SAFEPOINT,
                Incident.Kind.FLUSH,
                Incident.Kind.LOG_ROLL,
                Incident.Kind.FILE_STALL,
                Incident.Kind.CGROUP_THROTTLE);
        add(
                behind,
                Incident.Kind.LOCK,
                Incident.Kind.FLUSH,
                Incident.Kind.LOG_ROLL,
                Incident.Kind.FILE_STALL,
                Incident.Kind.LOG_CLEANER);
        // The thread of a consumer pauses when its process does.
        add(
                behind,
                Incident.Kind.CONSUMER_PAUSE,
                Incident.Kind.PROCESS_PAUSE,
                Incident.Kind.GC,
                Incident.Kind.SAFEPOINT,
                Incident.Kind.REBALANCE);
        for (Incident.Kind elsewhere : ELSEWHERE) {
            add(behind, elsewhere, Incident.Kind.BROKER_DOWN, Incident.Kind.FAULT, Incident.Kind.CONTROLLER_FAILOVER);
        }
        add(behind, Incident.Kind.DISCONNECT, Incident.Kind.LEADER_CHANGE);
        add(behind, Incident.Kind.ISR_SHRINK, Incident.Kind.PROCESS_PAUSE);
        // A write to the page cache waits only while the host or the broker writes the cache to disk.
        add(
                behind,
                Incident.Kind.FILE_STALL,
                Incident.Kind.WRITEBACK,
                Incident.Kind.IO_PRESSURE,
                Incident.Kind.DISK_BUSY,
                Incident.Kind.FLUSH);
        return behind;
    }

    private static void add(
            Map<Incident.Kind, Set<Incident.Kind>> behind, Incident.Kind incident, Incident.Kind... causes) {
        behind.computeIfAbsent(incident, kind -> EnumSet.noneOf(Incident.Kind.class))
                .addAll(List.of(causes));
    }

    /** Whether an incident happened, or took long, only because of another incident that lasted through most of it. */
    private static boolean isBehind(Candidate from, Candidate to) {
        Incident other = from.whole();
        Incident incident = to.whole();
        if (other.kind() == incident.kind()) {
            // Client metrics count lost connections to all brokers together, once a second; Linux counts
            // retransmissions of all connections. An incident at a single broker is more precise.
            return OF_CONNECTIONS.contains(incident.kind())
                    && !incident.where().startsWith(ObservedFigures.BROKER)
                    && other.where().startsWith(ObservedFigures.BROKER);
        }
        boolean causes = BEHIND.getOrDefault(incident.kind(), Set.of()).contains(other.kind());
        if (ELSEWHERE.contains(incident.kind())) {
            return causes && other.fromNanos() - NEAR_NANOS <= incident.toNanos();
        }
        return causes
                && (other.where().equals(incident.where())
                        || other.where().equals("host")
                        || (other.where().equals("generator") && incident.kind() == Incident.Kind.CONSUMER_PAUSE))
                && to.spans().common(from.spans()) > to.spans().nanos() / 2;
    }

    private double score(Candidate c, SlowMoment moment, Wait wait) {
        return when(c, wait)
                * where(c.whole(), moment, wait.stage)
                * how(c.whole().kind(), wait.stage);
    }

    /**
     * Share of the moment that the incident covers. An incident without duration counts more if the moment begins with
     * it, or if it marks the end of a change.
     */
    private static double when(Candidate c, Wait wait) {
        Incident incident = c.whole();
        long nanos = c.spans().nanos();
        boolean begins = Math.abs(incident.fromNanos() - wait.fromNanos) <= NEAR_NANOS + incident.errorNanos();
        if (nanos == 0 || (begins && incident.kind() == Incident.Kind.BROKER_DOWN)) {
            return begins ? 0.6 : ENDS.contains(incident.kind()) ? 0.5 : 0.2;
        }
        long error = incident.errorNanos() + around(incident, wait);
        long then = c.spans().within(wait.fromNanos - error - NEAR_NANOS, wait.toNanos + error + NEAR_NANOS);
        long overlap =
                Math.min(incident.toNanos() + error, wait.toNanos) - Math.max(began(incident, wait), wait.fromNanos);
        // If the time of an event is uncertain, at most its duration counts.
        long within = Math.max(0, Math.min(overlap, then + 2 * around(incident, wait)));
        double covers = Math.min(1, (double) within / Math.max(1, wait.toNanos - wait.fromNanos));
        // A state that lasts much longer than the moment does not explain why the records were slow at that time.
        return covers * Math.sqrt((double) then / Math.max(1, nanos));
    }

    private static double where(Incident incident, SlowMoment moment, Stage stage) {
        String where = incident.where();
        if (where.startsWith(ObservedFigures.BROKER)) {
            int broker = Integer.parseInt(where.substring(ObservedFigures.BROKER.length()));
            // The coordinator of a transaction rarely leads the partitions that wait for the end of the transaction; a
            // lost broker leads none.
            boolean leads = moment.brokers().isEmpty()
                    || moment.brokers().contains(broker)
                    || incident.kind() == Incident.Kind.TRANSACTION_ABORT
                    || incident.kind() == Incident.Kind.BROKER_DOWN;
            return IN_CONSUMER.contains(stage)
                    ? 0.2
                    : leads ? 1 : stage == Stage.REPLICATION ? 0.95 : ON_BROKER.contains(stage) ? 0.4 : 0.5;
        }
        if (moment.partitions().contains(where) || moment.of().contains(where.replaceFirst("^group ", ""))) {
            return 1;
        }
        boolean client = where.equals("generator") || where.startsWith("host ");
        return client
                ? (ON_BROKER.contains(stage) ? 0.2 : 1)
                : where.equals("host") || where.equals("cluster") ? 0.7 : 0.3;
    }

    /** Degree to which an event of this kind explains a wait in this stage, 0 to 1. */
    private double how(Incident.Kind kind, Stage stage) {
        boolean elsewhere = exact && stage == Stage.NETWORK;
        return switch (kind) {
            case FAULT, BROKER_DOWN, PROCESS_PAUSE -> 1;
            case GC, SAFEPOINT -> 0.95;
            case FLUSH, LOG_ROLL, FILE_STALL, WRITEBACK, DISK_BUSY, IO_PRESSURE, LOG_CLEANER, TIERED_UPLOAD, LOCK ->
                stage == Stage.SEND || stage == Stage.THROTTLE || IN_CONSUMER.contains(stage)
                        ? 0.1
                        : stage == Stage.APPEND || stage == Stage.REQUEST ? 0.9 : elsewhere ? 0.2 : 0.7;
            case CPU_PRESSURE, STEAL, CGROUP_THROTTLE, MEMORY_PRESSURE -> stage == Stage.THROTTLE ? 0.1 : 0.6;
            case RETRANSMIT, DISCONNECT, REAUTHENTICATION ->
                stage != Stage.REPLICATION && ON_BROKER.contains(stage) ? 0.2 : 0.8;
            case LEADER_CHANGE, CONTROLLER_FAILOVER, METADATA, ISR_SHRINK, ISR_EXPAND ->
                stage == Stage.THROTTLE || stage == Stage.SEND ? 0.3 : 0.8;
            case QUOTA -> stage == Stage.THROTTLE ? 1 : stage == Stage.SEND || stage == Stage.APPEND ? 0.4 : 0.8;
            case REBALANCE, CONSUMER_PAUSE -> READING.contains(stage) ? 1 : 0;
            case TRANSACTION_ABORT -> stage == Stage.FETCH ? 1 : 0.5;
            case OPEN_TRANSACTION -> stage == Stage.FETCH ? 1 : 0;
            case HANDLERS_BUSY -> stage == Stage.QUEUE ? 1 : elsewhere ? 0.2 : 0.6;
            case REQUEST_QUEUE, REQUEST_APPEND, REQUEST_REPLICATION, REQUEST_RESPONSE, REQUEST_THROTTLE -> 0;
        };
    }
}
