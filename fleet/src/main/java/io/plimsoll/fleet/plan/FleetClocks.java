package io.plimsoll.fleet.plan;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The clock correction of each agent of a trial and its error. Clocks drift (50 ppm are 180 ms per hour), so
 * corrections are sent after each comparison. Not thread-safe.
 */
public final class FleetClocks {
    /** Minimum correction in ns that is sent. */
    private static final long LEAST_CHANGE_NANOS = 5_000;

    private final long epochOffsetNanos;
    private final Map<String, AgentTime> agents = new HashMap<>();

    private static final class AgentTime {
        private long reported;
        private long error;
        private long worst;
    }

    /**
     * @param epochOffsetNanos to be added to the local monotonic clock to get nanoseconds since 1970, the common time
     *     of all agents
     */
    public FleetClocks(long epochOffsetNanos) {
        this.epochOffsetNanos = epochOffsetNanos;
    }

    /** Records a comparison. Returns the correction to apply from now on; empty to keep the last correction. */
    public OptionalLong look(String agent, ClockOffset.OffsetEstimate seen) {
        boolean first = !agents.containsKey(agent);
        AgentTime time = agents.computeIfAbsent(agent, a -> new AgentTime());
        long right = epochOffsetNanos - seen.offsetNanos();
        // The error of the correction used until now, because a new correction arrives slightly later.
        time.error = (first ? 0 : Math.abs(right - time.reported)) + seen.errorNanos();
        time.worst = Math.max(time.worst, time.error);
        if (!first && Math.abs(right - time.reported) < LEAST_CHANGE_NANOS) {
            return OptionalLong.empty();
        }
        time.reported = right;
        return OptionalLong.of(right);
    }

    /** Maximum error of an agent's time so far. */
    public long worstNanos(String agent) {
        return Objects.requireNonNull(agents.get(agent), "no comparison").worst;
    }

    /**
     * Maximum difference between the times of two agents now: a record can be stamped on the agent with the largest
     * error and read on the agent with the second largest. Null for a single agent.
     */
    public @Nullable Long errorNanos() {
        long[] errors =
                agents.values().stream().mapToLong(a -> a.error).sorted().toArray();
        return errors.length < 2 ? null : Long.valueOf(errors[errors.length - 1] + errors[errors.length - 2]);
    }
}
