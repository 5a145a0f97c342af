package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * What the load generator itself used.
 *
 * @param heapUsedBytes live heap after the last collection
 * @param limited true if the generator was the limit
 * @param calibratedShare done ÷ what can be done on this host; null if it was not calibrated for that
 */
public record Generator(
        @JsonUnwrapped Cpu cpu,
        @JsonUnwrapped Ticks wakeUps,
        double gcSeconds,
        long heapUsedBytes,
        boolean limited,
        Double calibratedShare) {

    /**
     * CPU of the process.
     *
     * @param cpuMicrosPerRecord per record produced plus records consumed; null without records
     * @param busiestThread null if unknown
     */
    public record Cpu(double cpuSeconds, double cpuCores, Double cpuMicrosPerRecord, BusiestThread busiestThread) {}

    /**
     * Wake-ups of sending threads.
     *
     * @param lateTicks those more than a millisecond late without being held up by the client
     */
    public record Ticks(long ticks, long lateTicks) {}

    public record BusiestThread(String name, double share) {}
}
