package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;
import static com.fasterxml.jackson.annotation.Nulls.FAIL;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.result.Json.AbsentIfEmpty;
import io.plimsoll.scenario.Reference;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One line of {@code timeline.jsonl}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TimelineEvent.RunStarted.class, name = "run"),
    @JsonSubTypes.Type(value = TimelineEvent.SelfWarmed.class, name = "selfWarmup"),
    @JsonSubTypes.Type(value = TimelineEvent.SourcesSeen.class, name = "sources"),
    @JsonSubTypes.Type(value = TimelineEvent.TrialStarted.class, name = "trial"),
    @JsonSubTypes.Type(value = TimelineEvent.Measured.class, name = "snapshot"),
    @JsonSubTypes.Type(value = TimelineEvent.WarmupEnded.class, name = "warmup"),
    @JsonSubTypes.Type(value = TimelineEvent.Observed.class, name = "observed"),
    @JsonSubTypes.Type(value = TimelineEvent.Imported.class, name = "imported"),
    @JsonSubTypes.Type(value = TimelineEvent.Note.class, name = "note"),
    @JsonSubTypes.Type(value = TimelineEvent.FaultMark.class, name = "fault"),
    @JsonSubTypes.Type(value = TimelineEvent.Replicas.class, name = "replicas"),
    @JsonSubTypes.Type(value = TimelineEvent.Acknowledged.class, name = "acks"),
    @JsonSubTypes.Type(value = TimelineEvent.HandedOver.class, name = "handOvers"),
    @JsonSubTypes.Type(value = TimelineEvent.Incidents.class, name = "incidents"),
    @JsonSubTypes.Type(value = TimelineEvent.WorkersMeasured.class, name = "workers"),
    @JsonSubTypes.Type(value = TimelineEvent.Guarded.class, name = "guards"),
    @JsonSubTypes.Type(value = TimelineEvent.Made.class, name = "made"),
    @JsonSubTypes.Type(value = TimelineEvent.TrialEnded.class, name = "trialEnd"),
    @JsonSubTypes.Type(value = TimelineEvent.Diagnosed.class, name = "limits"),
    @JsonSubTypes.Type(value = TimelineEvent.CeilingSearched.class, name = "ceiling"),
    @JsonSubTypes.Type(value = TimelineEvent.RunEnded.class, name = "runEnd")
})
public sealed interface TimelineEvent {
    /** Adds the event to the result of its run. */
    void foldInto(Fold into);

    /** An event of a trial that has begun and not yet ended. */
    sealed interface OfTrial extends TimelineEvent {
        String trial();

        void foldInto(TrialFold into);

        @Override
        default void foldInto(Fold into) {
            foldInto(into.running(trial()));
        }
    }

    /** The first line. The scenario is resolved and redacted; the reference is null without published figures. */
    record RunStarted(
            @JsonSetter(nulls = FAIL) String name,
            @JsonSetter(nulls = FAIL) Instant at,
            @JsonSetter(nulls = AS_EMPTY) List<String> command,
            RunResult.@Nullable Tool tool,
            RunResult.@Nullable Environment environment,
            Map<String, Object> scenario,
            long seed,
            double scale,
            @Nullable Reference reference,
            @JsonSetter(nulls = AS_EMPTY) List<String> comparisons)
            implements TimelineEvent {
        public RunStarted {
            scale = scale == 0 ? 1 : scale;
        }

        @Override
        public void foldInto(Fold into) {
            into.start(this);
        }
    }

    /** JIT warm-up of each process of the load generator, before the first trial. */
    record SelfWarmed(@JsonSetter(nulls = AS_EMPTY) List<SelfWarmup> workers) implements TimelineEvent {
        @Override
        public void foldInto(Fold into) {
            into.selfWarmed(workers);
        }
    }

    /** All sources of broker metrics so far; the last such event applies. */
    record SourcesSeen(@JsonSetter(nulls = AS_EMPTY) List<ObservedSource> sources) implements TimelineEvent {
        @Override
        public void foldInto(Fold into) {
            into.sources(sources);
        }
    }

    /**
     * Start of a trial with its warm-up. The setup contains non-default configuration, by part.
     * @param at start of the schedule, the origin of the trial's times; in 1.0 up to half a second earlier
     */
    record TrialStarted(
            @JsonSetter(nulls = FAIL) String name,
            @JsonSetter(nulls = FAIL) Instant at,
            @JsonSetter(nulls = AS_EMPTY) Map<String, String> parameters,
            @JsonSetter(nulls = FAIL) TrialPlan plan,
            Map<String, Map<String, String>> setup)
            implements TimelineEvent {
        @Override
        public void foldInto(Fold into) {
            into.start(this);
        }

        public TrialStarted startedAt(Instant start) {
            return new TrialStarted(name, start, parameters, plan, setup);
        }
    }

    /** Facts about the scenario that a {@link TrialResult} needs; in timelines of earlier versions, the intent is null. */
    record TrialPlan(
            @JsonUnwrapped Course course,
            @JsonUnwrapped Producing producing,
            @JsonUnwrapped Consuming consuming,
            TrialIntent intent) {

        public TrialPlan {
            intent = intent == null ? TrialIntent.NONE : intent;
        }

        public TrialPlan withLimits(@Nullable CalibratedLimit producers, @Nullable CalibratedLimit consumers) {
            return new TrialPlan(course, producing.with(producers), consuming.with(consumers), intent);
        }
    }

    /**
     * The planned course of a trial.
     * @param openLoop false if any producer is unlimited
     * @param warmupSeconds length of the warm-up; its maximum length if it lasts until the load is steady
     * @param plannedSeconds length of the measured window; 0 if limited by records
     * @param warmupUntil end condition of the warm-up, as {@link io.plimsoll.scenario.Warmup.Until#word}; null in
     *     timelines of earlier versions
     * @param topicsSeconds time to create the trial's topics, until all of their partitions had a leader; null if none
     *     were created, and in timelines of earlier versions
     */
    record Course(
            boolean openLoop,
            double warmupSeconds,
            double plannedSeconds,
            @Nullable String warmupUntil,
            @Nullable Double topicsSeconds) {}

    /** Producers of a trial: mean size of a record, total buffers and clients, and the engines; null without producers. */
    record Producing(
            double payloadBytesPerRecord,
            long bufferMemoryBytes,
            @Nullable String producerEngine,
            int producerClients,
            @Nullable CalibratedLimit producersLimit) {
        Producing with(@Nullable CalibratedLimit limit) {
            return new Producing(payloadBytesPerRecord, bufferMemoryBytes, producerEngine, producerClients, limit);
        }
    }

    /**
     * Consumers of a trial.
     * @param consumerEngine the engines; null without consumers
     * @param consumerMembers number of members per group of the first entry
     * @param members number of members of each group, by group id; null in timelines of earlier versions
     * @param timestampSource {@code intended time} or {@code CreateTime} or {@code LogAppendTime}: start of the
     *     end-to-end latency
     * @param consumersLimit calibrated maximum of the consumers on their host
     * @param brokersHere whether all consumers and brokers are on one host, and use its clock
     */
    record Consuming(
            @Nullable String consumerEngine,
            int consumerMembers,
            String timestampSource,
            @Nullable CalibratedLimit consumersLimit,
            boolean brokersHere,
            @Nullable Map<String, Integer> members) {

        Consuming with(@Nullable CalibratedLimit limit) {
            return new Consuming(consumerEngine, consumerMembers, timestampSource, limit, brokersHere, members);
        }

        int membersOf(String group) {
            return members == null ? consumerMembers : members.getOrDefault(group, consumerMembers);
        }
    }

    /**
     * Facts for the warnings of a trial.
     * @param produceRecords requested records; null if limited by time
     * @param consumeRecords records that all groups together must read; null if any reads until the producers are done
     * @param backlogGroups topics of the groups that wait for a backlog, by group id
     * @param openBatches number of batches that all clients together fill at the same time; 0 if unknown
     * @param keyed whether records have keys, which determine their partitions
     * @param recordsBefore number of records that topics unintentionally contained before the trial, by topic
     * @param synchronous whether sending threads wait for each record
     */
    record TrialIntent(
            @Nullable Long produceRecords,
            @Nullable Long consumeRecords,
            @JsonSetter(nulls = AS_EMPTY) Map<String, List<String>> backlogGroups,
            int openBatches,
            long lingerMillis,
            boolean keyed,
            @JsonSetter(nulls = AS_EMPTY) Map<String, Long> recordsBefore,
            boolean synchronous) {
        public static final TrialIntent NONE = new TrialIntent(null, null, Map.of(), 0, 0, false, Map.of(), false);
    }

    /** Planned end, in seconds of the trial, of a warm-up that lasts until the load is steady. */
    record WarmupEnded(Instant at, String trial, double seconds, String ended, List<String> moving) implements OfTrial {
        public WarmupEnded {
            Objects.requireNonNull(trial, "trial");
            moving = moving == null ? List.of() : List.copyOf(moving);
        }

        @Override
        public void foldInto(TrialFold into) {
            into.warmedUp(this);
        }
    }

    record Measured(@JsonSetter(nulls = FAIL) Snapshot snapshot) implements OfTrial {
        @Override
        public String trial() {
            return snapshot.trial();
        }

        @Override
        public void foldInto(TrialFold into) {
            into.accept(snapshot);
        }
    }

    /** Observation of a broker, the cluster or this host in a second of a trial. */
    record Observed(String trial, @JsonSetter(nulls = FAIL) Observation observation) implements TimelineEvent {
        @Override
        public void foldInto(Fold into) {
            into.observed(this);
        }
    }

    /** Reassignments of partitions between members of the trial's groups, in order within each group. */
    record HandedOver(
            @JsonSetter(nulls = FAIL) String trial,
            @JsonSetter(nulls = AS_EMPTY) List<HandOver> handOvers) implements OfTrial {
        @Override
        public void foldInto(TrialFold into) {
            into.faults().accept(handOvers);
            into.slow().incidents().handedOver(handOvers);
        }
    }

    /** Events of brokers, hosts and the load generator that can delay records, in any order. */
    record Incidents(
            @JsonSetter(nulls = FAIL) String trial,
            @JsonSetter(nulls = AS_EMPTY) List<Incident> incidents) implements OfTrial {
        @Override
        public void foldInto(TrialFold into) {
            into.slow().happened(incidents);
        }
    }

    /** Results of the workers of a fleet in a trial. */
    record WorkersMeasured(
            @JsonSetter(nulls = FAIL) String trial,
            @JsonSetter(nulls = AS_EMPTY) List<WorkerResult> workers) implements OfTrial {
        @Override
        public void foldInto(TrialFold into) {
            into.workers(workers);
        }
    }

    /** Findings of the guards during a trial. */
    record Guarded(
            @JsonSetter(nulls = FAIL) String trial,
            @JsonSetter(nulls = AS_EMPTY) List<GuardResult> guards) implements OfTrial {
        @Override
        public void foldInto(TrialFold into) {
            into.guards(guards);
        }
    }

    /** Resources about to be created, so that leftovers can be attributed; with a null trial, they belong to the whole run. */
    record Made(
            Instant at,
            @Nullable String trial,
            int run,
            @JsonSetter(nulls = AS_EMPTY) List<String> topics,
            @JsonSetter(nulls = AS_EMPTY) List<String> groups)
            implements TimelineEvent {
        @Override
        public void foldInto(Fold into) {
            // The event concerns only the clean-up, so no figure depends on it.
        }
    }

    /** A trial that another tool measured, as far as its results are known. */
    record Imported(@JsonSetter(nulls = FAIL) TrialResult trial) implements TimelineEvent {
        @Override
        public void foldInto(Fold into) {
            into.add(trial);
        }
    }

    /** A noteworthy event in the run, as {@code info}, {@code warning} or {@code error}. */
    record Note(Instant at, @Nullable String trial, String level, Sentence text) implements TimelineEvent {
        @Override
        public void foldInto(Fold into) {
            into.note(this);
        }
    }

    /** A new state of a fault. The detail is the reason why it failed or was skipped; otherwise null. */
    record FaultMark(
            Instant at,
            @JsonSetter(nulls = FAIL) String trial,
            long atNanos,
            @JsonUnwrapped Deed deed,
            @JsonSetter(nulls = FAIL) FaultState state,
            @Nullable Sentence detail)
            implements OfTrial {
        @Override
        public void foldInto(TrialFold into) {
            into.faults().accept(this);
            into.slow().incidents().accept(this);
        }
    }

    /** The number of the fault in the trial (0, 1, 2, …), with its action and target; the broker is null if none is affected. */
    record Deed(
            int fault,
            String action,
            Sentence what,
            @Nullable Integer broker) {}

    enum FaultState {
        ASKED,
        IN_EFFECT,
        OVER,
        /** The fault could not be injected or undone. */
        FAILED,
        /** The fault is not possible here; the run continues without it. */
        SKIPPED
    }

    /**
     * The replicas of the trial's topics changed: number of partitions with out-of-sync replicas, and of partitions
     * without a leader.
     */
    record Replicas(Instant at, String trial, long atNanos, int underReplicated, int leaderless) implements OfTrial {
        @Override
        public void foldInto(TrialFold into) {
            into.faults().accept(this);
        }
    }

    /** Acknowledgment times at a finer resolution than snapshots; only in trials with faults. */
    record Acknowledged(
            String trial, @JsonSetter(nulls = FAIL) AckPulse pulse) implements OfTrial {
        @Override
        public void foldInto(TrialFold into) {
            into.faults().accept(pulse);
        }
    }

    /**
     * End of a trial, after its drain and its audit, with the share of each producer client.
     * @param measuredSeconds actual length of the measured window (if limited by records, until the last
     *     acknowledgment)
     * @param consumeSeconds period of the consumers' throughput; 0 if nothing was read
     * @param groupSeconds period of the throughput of each group; empty in timelines of earlier versions
     * @param complete false if the trial was interrupted
     * @param backlogOpenedSeconds time at which groups that wait for a backlog started to read, in seconds of the
     *     trial; null if no group did
     */
    record TrialEnded(
            String name,
            Instant at,
            double measuredSeconds,
            double consumeSeconds,
            @AbsentIfEmpty Map<String, Double> groupSeconds,
            boolean complete,
            @Nullable Double backlogOpenedSeconds,
            @Nullable AuditResult audit,
            List<TrialResult.PartitionResult> partitions,
            List<CheckResult> checks,
            List<TrialResult.ProducerShare> producers)
            implements TimelineEvent {
        TrialEnded with(List<CheckResult> evaluated) {
            return new TrialEnded(
                    name,
                    at,
                    measuredSeconds,
                    consumeSeconds,
                    groupSeconds,
                    complete,
                    backlogOpenedSeconds,
                    audit,
                    partitions,
                    evaluated,
                    producers);
        }

        @Override
        public void foldInto(Fold into) {
            into.end(this);
        }
    }

    record Diagnosed(
            Instant at,
            String trial,
            @JsonSetter(nulls = FAIL) Limits limits) implements TimelineEvent {
        @Override
        public void foldInto(Fold into) {
            into.diagnosed(this);
        }
    }

    /** The end of a search, whether it found the ceiling or not. */
    record CeilingSearched(
            Instant at, @JsonSetter(nulls = FAIL) Ceiling ceiling) implements TimelineEvent {
        @Override
        public void foldInto(Fold into) {
            into.add(ceiling);
        }
    }

    record RunEnded(Instant at, int exitCode, RunResult.Verdict verdict) implements TimelineEvent {
        @Override
        public void foldInto(Fold into) {
            into.end(this);
        }
    }
}
