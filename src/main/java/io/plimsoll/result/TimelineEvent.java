package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.plimsoll.measure.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One line of {@code timeline.jsonl}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TimelineEvent.RunStarted.class, name = "run"),
    @JsonSubTypes.Type(value = TimelineEvent.TrialStarted.class, name = "trial"),
    @JsonSubTypes.Type(value = TimelineEvent.Measured.class, name = "snapshot"),
    @JsonSubTypes.Type(value = TimelineEvent.Note.class, name = "note"),
    @JsonSubTypes.Type(value = TimelineEvent.TrialEnded.class, name = "trialEnd"),
    @JsonSubTypes.Type(value = TimelineEvent.CeilingSearched.class, name = "ceiling"),
    @JsonSubTypes.Type(value = TimelineEvent.RunEnded.class, name = "runEnd")
})
public sealed interface TimelineEvent {

    /**
     * The first line.
     *
     * @param scenario as resolved and redacted, for {@code result.json}
     */
    record RunStarted(
            String name,
            Instant at,
            List<String> command,
            RunResult.Tool tool,
            RunResult.Environment environment,
            Map<String, Object> scenario,
            long seed)
            implements TimelineEvent {
        public RunStarted {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(at, "at");
        }
    }

    /**
     * A trial whose clock has started.
     *
     * @param at wall time of the trial's start (of the warm-up)
     * @param setup what the engines were told, by part (such as {@code producers[0]}): effective client configuration
     *     that differs from the default, secrets redacted
     * @param plan what the fold needs to know of the scenario
     */
    record TrialStarted(
            String name,
            Instant at,
            Map<String, String> parameters,
            TrialPlan plan,
            Map<String, Map<String, String>> setup)
            implements TimelineEvent {
        public TrialStarted {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(at, "at");
            Objects.requireNonNull(plan, "plan");
        }
    }

    /**
     * What a {@link TrialResult} needs to know of the scenario.
     *
     * @param openLoop false if any producer is unlimited
     * @param warmupSeconds length of the warm-up
     * @param plannedSeconds length of the measured window; 0 if bound by records
     * @param payloadBytesPerRecord mean key + value bytes of a produced record; 0 without producers
     * @param bufferMemoryBytes {@code buffer.memory} of all producer clients together
     * @param producerClients producer instances
     * @param consumerMembers per group
     * @param timestampSource {@code intended time} or {@code CreateTime} or {@code LogAppendTime}: what end-to-end
     *     latency is measured from
     */
    record TrialPlan(
            boolean openLoop,
            double warmupSeconds,
            double plannedSeconds,
            double payloadBytesPerRecord,
            long bufferMemoryBytes,
            String producerEngine,
            int producerClients,
            String consumerEngine,
            int consumerMembers,
            String timestampSource) {}

    record Measured(Snapshot snapshot) implements TimelineEvent {
        public Measured {
            Objects.requireNonNull(snapshot, "snapshot");
        }
    }

    /**
     * Something worth knowing that happened in the run.
     *
     * @param level {@code info}, {@code warning} or {@code error}
     */
    record Note(Instant at, String trial, String level, String text) implements TimelineEvent {}

    /**
     * The end of a trial, after its drain and its audit.
     *
     * @param measuredSeconds true length of the measured window (bound by records: until the last acknowledgement)
     * @param consumeSeconds the time that the consumers' throughput refers to; 0 if nothing was read
     * @param complete false if the trial was interrupted
     */
    record TrialEnded(
            String name,
            Instant at,
            double measuredSeconds,
            double consumeSeconds,
            boolean complete,
            TrialResult.Audit audit,
            List<TrialResult.PartitionResult> partitions,
            List<TrialResult.CheckResult> checks)
            implements TimelineEvent {}

    /** The end of a search, whether it found the ceiling or not. */
    record CeilingSearched(Instant at, Ceiling ceiling) implements TimelineEvent {
        public CeilingSearched {
            Objects.requireNonNull(ceiling, "ceiling");
        }
    }

    record RunEnded(Instant at, int exitCode, RunResult.Verdict verdict) implements TimelineEvent {}
}
