package io.plimsoll.measure;

/**
 * The use that the load generator itself made of this host in some stretch of time; adds up (the share of the busiest thread takes the
 * greater).
 *
 * @param cpuNanos CPU time of the process
 * @param busiestThread name of the thread that used most CPU
 * @param busiestThreadShare its share of one core, 0 to 1
 * @param gcNanos time in garbage collection
 * @param ticks wake-ups of sending threads
 * @param lateTicks those more than a millisecond late without being held up by the client
 * @param heapUsedBytes live heap after the last collection; 0 if there was none yet
 * @param elapsedNanos the length of the stretch
 */
public record GeneratorSample(
        long cpuNanos,
        String busiestThread,
        double busiestThreadShare,
        long gcNanos,
        long ticks,
        long lateTicks,
        long heapUsedBytes,
        long elapsedNanos) {

    public static final GeneratorSample ZERO = new GeneratorSample(0, "", 0, 0, 0, 0, 0, 0);

    public GeneratorSample plus(GeneratorSample o) {
        boolean mine = busiestThreadShare >= o.busiestThreadShare;
        return new GeneratorSample(
                cpuNanos + o.cpuNanos,
                mine ? busiestThread : o.busiestThread,
                mine ? busiestThreadShare : o.busiestThreadShare,
                gcNanos + o.gcNanos,
                ticks + o.ticks,
                lateTicks + o.lateTicks,
                Math.max(heapUsedBytes, o.heapUsedBytes),
                elapsedNanos + o.elapsedNanos);
    }
}
