package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * What one worker of a fleet did in a trial. Rates are over the measured window, latencies in microseconds. Nested values
 * lie flat in JSON.
 *
 * @param straggler whether it held the others back
 * @param lost how it was lost; null if it was there to the end
 */
public record WorkerResult(
        String name,
        @JsonUnwrapped Part part,
        @JsonUnwrapped Flow flow,
        @JsonUnwrapped Tails tails,
        @JsonUnwrapped Usage usage,
        @JsonUnwrapped Clock clock,
        boolean straggler,
        Sentence lost) {

    /**
     * Where it was, and what of the load it had.
     *
     * @param host where it was reached, {@code host:port}
     * @param version of the program, with its commit
     * @param cores of its host, at least 1
     * @param producers what of each producer entry it had, such as {@code producers[0] clients 0 to 1}
     * @param consumers likewise, such as {@code consumers[0] group 0}
     */
    public record Part(String host, String version, int cores, List<String> producers, List<String> consumers) {
        public Part {
            producers = List.copyOf(producers);
            consumers = List.copyOf(consumers);
        }
    }

    /**
     * How much went through it.
     *
     * @param offeredRecordsPerSecond what its share of the schedule asked for; null in a closed loop
     */
    public record Flow(
            Double offeredRecordsPerSecond,
            double recordsPerSecond,
            double bytesPerSecond,
            double consumedPerSecond,
            long records,
            long consumed) {}

    /** Its 99th percentiles; null if it has too few samples, or produced nothing. */
    public record Tails(Long responseP99, Long sendDelayP99) {}

    /**
     * What making the load took.
     *
     * @param cpuCores that its process used
     * @param hostCpuShare how much of its host's cores was used, by whomever; null if unknown
     * @param lateShare of the wake-ups of its sending threads, those that were late; null without any
     */
    public record Usage(double cpuCores, Double hostCpuShare, Double lateShare) {}

    /**
     * How its clock goes.
     *
     * @param clockOffsetMicros how far it is ahead of the coordinator's, negative if behind; null if unknown
     * @param clockErrorMicros the offset is known to plus or minus this
     * @param ownEndToEnd of a sample of what it has written and read again itself, by one clock; null without
     */
    public record Clock(Double clockOffsetMicros, Double clockErrorMicros, TrialResult.Latency ownEndToEnd) {}

    /**
     * By how much times that were taken on different hosts may be wrong: a record may have been stamped on the one whose
     * clock is known worst, and read on the next. Null if there is one clock.
     */
    static Double errorBetween(List<WorkerResult> workers) {
        List<Double> worst = workers.stream()
                .map(w -> w.clock().clockErrorMicros())
                .filter(Objects::nonNull)
                .sorted(Comparator.reverseOrder())
                .limit(2)
                .toList();
        return worst.size() < 2 ? null : Double.valueOf(worst.get(0) + worst.get(1));
    }
}
