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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Groups slow batches into moments, and finds the incidents that explain them. An incident is a cause only if it explains
 * when and where: it covers much of the moment, happened at a place through which the records went, and delays the stage
 * in which they waited.
 */
final class SlowMoments {
    /** Moments kept of a trial, the slowest ones. */
    private static final int MOST = 100;
    /** Slowest batches kept of a moment. */
    private static final int MOST_BATCHES = 10;

    private static final int MOST_CAUSES = 3;
    /** A record is slow above this many medians, and above this time. */
    private static final double SLOW = 5;

    private static final long SLOW_NANOS = 20_000_000;
    /** Slow records at most this far apart belong to one moment. */
    private static final long APART_NANOS = 50_000_000;
    /** The error of a moment's own begin: a record is due only every few milliseconds. */
    private static final long NEAR_NANOS = 100_000_000;
    /** Scores from which an incident is a cause. */
    private static final double CAUSE = 0.3;

    private static final Set<Stage> ON_BROKER =
            EnumSet.of(Stage.QUEUE, Stage.APPEND, Stage.REPLICATION, Stage.THROTTLE, Stage.RESPONSE);
    /** Stages in the consumer's own process. */
    private static final Set<Stage> IN_CONSUMER = EnumSet.of(Stage.POLL, Stage.WORK);

    /** Stages that are work of a process, and take longer if the process is stopped in that time. */
    private static final Set<Incident.Kind> OF_PROCESS = EnumSet.of(
            Incident.Kind.FLUSH,
            Incident.Kind.LOG_ROLL,
            Incident.Kind.FILE_STALL,
            Incident.Kind.LOCK,
            Incident.Kind.GC,
            Incident.Kind.SAFEPOINT,
            Incident.Kind.HANDLERS_BUSY);

    private static final Set<Stage> READING = EnumSet.of(Stage.FETCH, Stage.POLL, Stage.WORK);

    private final List<Incident> incidents;

    SlowMoments(List<Incident> incidents) {
        this.incidents = incidents;
    }

    /** Like {@link SlowFold#moments}. */
    List<SlowMoment> of(List<SlowBatch> batches, long produceMicros, long consumeMicros) {
        List<Group> groups = new ArrayList<>();
        batches.stream()
                .filter(batch -> batch.nanos() >= bound(batch.reads() ? consumeMicros : produceMicros))
                .sorted(Comparator.comparingLong(Group::begin))
                .forEach(batch -> groups.stream()
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

    private static long bound(long medianMicros) {
        return Math.max(SLOW_NANOS, Math.round(SLOW * medianMicros * 1e3));
    }

    private static Group added(List<Group> groups) {
        Group group = new Group();
        groups.add(group);
        return group;
    }

    /** Batches that overlap in time and waited on the same side: to be written, to be fetched, or in one consumer group. */
    private static final class Group {
        private final List<SlowBatch> batches = new ArrayList<>();
        private long fromNanos = Long.MAX_VALUE;
        private long toNanos;

        /** Records due later in a stall wait less: it begins with the stage in which they waited. */
        static long begin(SlowBatch batch) {
            return batch.startOf(batch.stage());
        }

        boolean takes(SlowBatch batch) {
            return begin(batch) <= toNanos + APART_NANOS && side(batch).equals(side(batches.get(0)));
        }

        /** A consumer that does not poll delays its own group only. */
        private static String side(SlowBatch batch) {
            return IN_CONSUMER.contains(batch.stage()) ? batch.of() : batch.reads() ? "reading" : "producing";
        }

        void add(SlowBatch batch) {
            batches.add(batch);
            fromNanos = Math.min(fromNanos, begin(batch));
            toNanos = Math.max(toNanos, batch.toNanos());
        }

        /** Stage with most time of the slowest batches. */
        Stage stage(List<SlowBatch> worst) {
            Map<Stage, Long> sums = new EnumMap<>(Stage.class);
            worst.forEach(batch -> batch.stages().forEach((stage, nanos) -> sums.merge(stage, nanos, Long::sum)));
            return Collections.max(sums.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
        }
    }

    private SlowMoment moment(Group group) {
        List<SlowBatch> worst = SlowBatch.slowest(group.batches, MOST_BATCHES);
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
                group.fromNanos / 1e9,
                group.toNanos / 1e9,
                group.stage(worst).word(),
                List.copyOf(brokers),
                List.copyOf(partitions),
                List.copyOf(of),
                group.batches.stream().mapToLong(SlowBatch::records).sum(),
                worst.get(0).nanos() / 1000,
                worst,
                List.of());
        return new SlowMoment(
                bare.fromSeconds(),
                bare.toSeconds(),
                bare.stage(),
                bare.brokers(),
                bare.partitions(),
                bare.of(),
                bare.records(),
                bare.worstMicros(),
                worst,
                causes(bare, group.stage(worst), group));
    }

    private List<Cause> causes(SlowMoment moment, Stage stage, Group group) {
        return incidents.stream()
                .filter(incident -> !stoodStill(incident))
                .map(incident -> new Cause(
                        incident.kind().word(),
                        incident.where(),
                        Math.max(0, incident.fromNanos() / 1e9),
                        Math.max(0, incident.toNanos() / 1e9),
                        incident.detail(),
                        Math.round(100 * score(incident, moment, stage, group)) / 100.0))
                .filter(cause -> cause.confidence() >= CAUSE)
                .distinct()
                .sorted(Comparator.comparingDouble(Cause::confidence).reversed().thenComparing(Cause::event))
                .limit(MOST_CAUSES)
                .toList();
    }

    /** Whether processing took long because the process did not run during most of that time. */
    private boolean stoodStill(Incident incident) {
        return OF_PROCESS.contains(incident.kind())
                && incidents.stream()
                        .filter(pause -> pause.kind() == Incident.Kind.PROCESS_PAUSE)
                        .filter(pause -> pause.where().equals(incident.where()))
                        .anyMatch(pause -> Math.min(pause.toNanos(), incident.toNanos())
                                        - Math.max(pause.fromNanos(), incident.fromNanos())
                                > (incident.toNanos() - incident.fromNanos()) / 2);
    }

    private static double score(Incident incident, SlowMoment moment, Stage stage, Group group) {
        double when = when(incident, group);
        return when == 0 ? 0 : when * where(incident, moment, stage) * how(incident.kind(), stage);
    }

    /** Share of the moment that it covers; an instant counts if the moment begins with it. */
    private static double when(Incident incident, Group group) {
        long error = NEAR_NANOS + incident.errorNanos();
        long from = incident.fromNanos() - incident.errorNanos();
        long to = incident.toNanos() + incident.errorNanos();
        if (to < group.fromNanos - NEAR_NANOS || from > group.toNanos) {
            return 0;
        }
        long length = Math.max(1, group.toNanos - group.fromNanos);
        long within = Math.min(to, group.toNanos) - Math.max(from, group.fromNanos);
        double covers = Math.min(1, Math.max(0, (double) within / length));
        // A state that lasts much longer than the moment does not say why the records were slow just then.
        double own = (double) Math.max(1, Math.min(to, group.toNanos + error) - Math.max(from, group.fromNanos - error))
                / Math.max(1, to - from);
        double begins = Math.abs(incident.fromNanos() - group.fromNanos) <= error ? 0.6 : 0.2;
        return Math.max(covers * Math.sqrt(Math.min(1, own)), incident.toNanos() == incident.fromNanos() ? begins : 0);
    }

    private static double where(Incident incident, SlowMoment moment, Stage stage) {
        String where = incident.where();
        if (where.startsWith(ObservedFigures.BROKER)) {
            int broker = Integer.parseInt(where.substring(ObservedFigures.BROKER.length()));
            boolean leads = moment.brokers().isEmpty() || moment.brokers().contains(broker);
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

    /** How well an event of this kind explains a wait in this stage, 0 to 1. */
    private static double how(Incident.Kind kind, Stage stage) {
        return switch (kind) {
            case FAULT, BROKER_DOWN, PROCESS_PAUSE -> 1;
            case GC, SAFEPOINT -> 0.95;
            case FLUSH, LOG_ROLL, FILE_STALL, WRITEBACK, DISK_BUSY, IO_PRESSURE, LOG_CLEANER, TIERED_UPLOAD, LOCK ->
                stage == Stage.SEND || stage == Stage.THROTTLE || IN_CONSUMER.contains(stage)
                        ? 0.1
                        : stage == Stage.APPEND || stage == Stage.REQUEST ? 0.9 : 0.7;
            case CPU_PRESSURE, STEAL, CGROUP_THROTTLE, MEMORY_PRESSURE -> stage == Stage.THROTTLE ? 0.1 : 0.6;
            case RETRANSMIT, DISCONNECT, REAUTHENTICATION -> ON_BROKER.contains(stage) ? 0.2 : 0.8;
            case LEADER_CHANGE, CONTROLLER_FAILOVER, METADATA, ISR_SHRINK, ISR_EXPAND ->
                stage == Stage.THROTTLE || stage == Stage.SEND ? 0.3 : 0.8;
            case QUOTA -> stage == Stage.THROTTLE ? 1 : stage == Stage.SEND || stage == Stage.APPEND ? 0.4 : 0.8;
            case REBALANCE, CONSUMER_PAUSE -> READING.contains(stage) ? 1 : 0;
            case TRANSACTION_ABORT -> stage == Stage.FETCH ? 1 : 0.5;
            case HANDLERS_BUSY -> stage == Stage.QUEUE ? 1 : 0.6;
        };
    }
}
