package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * Resource usage of the load generator.
 *
 * @param heapUsedBytes live heap after the last collection
 * @param limited whether the load generator was the bottleneck
 * @param calibratedShare work done ÷ calibrated maximum of this host; null if it was not calibrated for this load
 * @param part share of missing records and response time that the generator caused
 */
public record Generator(
        @JsonUnwrapped Cpu cpu,
        @JsonUnwrapped Ticks wakeUps,
        double gcSeconds,
        long heapUsedBytes,
        boolean limited,
        @Nullable Double calibratedShare,
        @JsonUnwrapped Part part) {
    /** Garbage collection time ÷ observed time after the warm-up; 0 if unknown. */
    public double gcShare() {
        double seconds = cpu.cpuCores() <= 0 ? 0 : cpu.cpuSeconds() / cpu.cpuCores();
        return seconds <= 0 ? 0 : Math.min(1, gcSeconds / seconds);
    }

    public Generator {
        // Results of earlier versions do not have this part.
        part = part == null ? new Part(null, null, null) : part;
    }

    /**
     * The generator's own share of missing records and response time, 0 to 1; null without a schedule, or if unknown.
     *
     * @param missingShare share of the records missing at the end of the window for which the generator is responsible;
     *     null if no record is missing
     * @param responseShare share of the mean response time in which records wait for the generator, before the send and
     *     after the response
     * @param keptFromRunning time that the process could not run; null if it was not observed, as in earlier versions
     */
    public record Part(
            @Nullable Double missingShare,
            @Nullable Double responseShare,
            @Nullable Kept keptFromRunning) {
        /** Share of the time that the process did not run at all; 0 if it was not observed. */
        public double stoodShare() {
            return keptFromRunning == null ? 0 : keptFromRunning.stoodShare;
        }
    }

    /**
     * Time in which the process could not run because of a signal, a quota, garbage collection or other programs.
     *
     * @param stoodShare share of the time in which no thread of the process ran, 0 to 1
     * @param starvedShare share of the time in which the most starved thread of the load was runnable without a core
     * @param answerWaitMicros upper bound of the mean time that acknowledgments waited for a thread, in microseconds
     */
    public record Kept(double stoodShare, double starvedShare, double answerWaitMicros) {}

    /**
     * CPU use of the process.
     *
     * @param cpuMicrosPerRecord per record produced or consumed; null without records
     * @param busiestThread the busiest thread; null if unknown
     */
    public record Cpu(
            double cpuSeconds,
            double cpuCores,
            @Nullable Double cpuMicrosPerRecord,
            @Nullable BusiestThread busiestThread) {}

    /**
     * Wake-ups of sending threads.
     * @param lateTicks wake-ups more than a millisecond late, except while the client blocked
     * @param spunCores cores used for spinning in order to be on time, while cores were idle; 0 in results of earlier
     *     versions
     */
    public record Ticks(long ticks, long lateTicks, double spunCores) {}

    public record BusiestThread(String name, double share) {}
}
