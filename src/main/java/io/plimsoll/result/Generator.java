package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * What the load generator itself used.
 *
 * @param heapUsedBytes live heap after the last collection
 * @param limited true if the generator was the limit
 * @param calibratedShare done ÷ what can be done on this host; null if it was not calibrated for that
 * @param part of what is missing or slow
 */
public record Generator(
        @JsonUnwrapped Cpu cpu,
        @JsonUnwrapped Ticks wakeUps,
        double gcSeconds,
        long heapUsedBytes,
        boolean limited,
        Double calibratedShare,
        @JsonUnwrapped Part part) {
    /** Share of the time in garbage collection, of all the time that it was observed after the warm-up; 0 if that is unknown. */
    public double gcShare() {
        double seconds = cpu.cpuCores() <= 0 ? 0 : cpu.cpuSeconds() / cpu.cpuCores();
        return seconds <= 0 ? 0 : Math.min(1, gcSeconds / seconds);
    }

    public Generator {
        // Results of earlier versions have none.
        part = part == null ? new Part(null, null, null) : part;
    }

    /**
     * The generator's own part, shares from 0 to 1; null without a schedule, or if unknown.
     *
     * @param missingShare of the records missing at the end of the window, those that it was late with itself; null if none is
     *     missing
     * @param responseShare of the mean response time, the wait for the generator to hand records over and to take answers
     * @param keptFromRunning null if nobody looked, as in earlier versions
     */
    public record Part(Double missingShare, Double responseShare, Kept keptFromRunning) {
        /** Share of the time for which nothing of the process ran; 0 if nobody looked. */
        public double stoodShare() {
            return keptFromRunning == null ? 0 : keptFromRunning.stoodShare;
        }
    }

    /**
     * How far the process was kept from running, by whomever: a signal, a quota, a collection of garbage, other programs.
     *
     * @param stoodShare of the time, for which nothing of the process ran, 0 to 1
     * @param starvedShare of the time, for which that thread of the load which waited longest was ready to run and had no core
     * @param answerWaitMicros for how long acknowledgements waited at most, on average, until a thread could take
     *     them
     */
    public record Kept(double stoodShare, double starvedShare, double answerWaitMicros) {}

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
     * @param spunCores that threads spent on being awake in time, where cores were free; 0 in results of earlier versions
     */
    public record Ticks(long ticks, long lateTicks, double spunCores) {}

    public record BusiestThread(String name, double share) {}
}
