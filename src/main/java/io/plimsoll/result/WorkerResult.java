package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One worker of a fleet in a trial. Rates cover the measured window, latencies are in microseconds. In JSON, fields of
 * records marked as unwrapped are fields of this object.
 *
 * @param straggler whether this worker delayed the other workers
 * @param lost reason why the worker was lost; null if it was present until the end
 */
public record WorkerResult(
        String name,
        @JsonUnwrapped Part part,
        @JsonUnwrapped Flow flow,
        @JsonUnwrapped Tails tails,
        @JsonUnwrapped Usage usage,
        @JsonUnwrapped Clock clock,
        boolean straggler,
        @Nullable Sentence lost) {

    /**
     * Location and share of the load.
     *
     * @param host address of the agent, {@code host:port}
     * @param version version of Plimsoll, with its commit
     * @param cores cores of its host, at least 1
     * @param producers the worker's share of each producer entry, such as {@code producers[0] clients 0 to 1}
     * @param consumers the worker's share of each consumer entry, such as {@code consumers[0] group 0}
     * @param connections the worker's share of each entry of connections, such as {@code connections[0] 0 to 499};
     *     absent if none
     */
    public record Part(
            String host,
            String version,
            int cores,
            @JsonSetter(nulls = AS_EMPTY) List<String> producers,
            @JsonSetter(nulls = AS_EMPTY) List<String> consumers,

            @Json.AbsentIfEmpty List<String> connections) {}

    /**
     * Throughput of the worker.
     *
     * @param offeredRecordsPerSecond the worker's share of the offered load; null in a closed loop
     */
    public record Flow(
            @Nullable Double offeredRecordsPerSecond,
            double recordsPerSecond,
            double bytesPerSecond,
            double consumedPerSecond,
            long records,
            long consumed) {}

    /** 99th percentiles; null with too few samples, or without producers. */
    public record Tails(
            @Nullable Long responseP99, @Nullable Long sendDelayP99) {}

    /**
     * Resource usage of the worker.
     *
     * @param cpuCores cores used by its process
     * @param hostCpuShare share of its host's cores used by all processes; null if unknown
     * @param lateShare share of the wake-ups of its sending threads that were late; null if none
     */
    public record Usage(
            double cpuCores,
            @Nullable Double hostCpuShare,
            @Nullable Double lateShare) {}

    /**
     * Clock of the worker.
     * @param clockOffsetMicros offset from the coordinator's clock, negative if behind; null if unknown
     * @param clockErrorMicros error of the offset, plus or minus; null if unknown
     * @param ownEndToEnd latency of sampled records that the worker wrote and read itself, on one clock; null without a
     *     sample
     */
    public record Clock(
            @Nullable Double clockOffsetMicros,
            @Nullable Double clockErrorMicros,
            TrialResult.@Nullable Latency ownEndToEnd) {}

    /** Maximum error of latencies between hosts: the sum of the two largest clock errors. Null with a single clock. */
    static @Nullable Double errorBetween(List<WorkerResult> workers) {
        List<Double> worst = workers.stream()
                .map(w -> w.clock().clockErrorMicros())
                .filter(Objects::nonNull)
                .sorted(Comparator.reverseOrder())
                .limit(2)
                .toList();
        return worst.size() < 2 ? null : Double.valueOf(worst.get(0) + worst.get(1));
    }
}
