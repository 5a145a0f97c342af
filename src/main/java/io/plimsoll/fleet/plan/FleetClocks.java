package io.plimsoll.fleet.plan;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Keeps what each agent of a trial takes for the time, and by how much that may be wrong. Clocks drift apart: 50 parts in a million
 * are 180 ms after an hour, so that agents are told again and again, as often as clocks are looked at. Not thread-safe.
 */
public final class FleetClocks {
    /** Less is not worth a message. */
    private static final long WORTH_TELLING_NANOS = 5_000;

    private final long epochOffsetNanos;
    private final Map<String, AgentTime> agents = new HashMap<>();

    /** How an agent counts. */
    private static final class AgentTime {
        private long told;
        private long error;
        private long worst;
    }

    /** @param epochOffsetNanos to be added to our monotonic clock for nanoseconds since 1970, as all are to count them */
    public FleetClocks(long epochOffsetNanos) {
        this.epochOffsetNanos = epochOffsetNanos;
    }

    /**
     * An agent's clock was looked at.
     *
     * @param seen where it is now
     * @return what the agent is to add to its own clock from now on; empty if it may go on with what it was told last
     */
    public OptionalLong look(String agent, ClockOffset.OffsetEstimate seen) {
        boolean first = !agents.containsKey(agent);
        AgentTime time = agents.computeIfAbsent(agent, a -> new AgentTime());
        long right = epochOffsetNanos - seen.offsetNanos();
        // What it has used until now is off by this; what it is told now comes a moment later.
        time.error = (first ? 0 : Math.abs(right - time.told)) + seen.errorNanos();
        time.worst = Math.max(time.worst, time.error);
        if (!first && Math.abs(right - time.told) < WORTH_TELLING_NANOS) {
            return OptionalLong.empty();
        }
        time.told = right;
        return OptionalLong.of(right);
    }

    /** How far an agent's time may ever have been from ours. */
    public long worstNanos(String agent) {
        return agents.get(agent).worst;
    }

    /**
     * How far the times of two agents may be apart now: a record may be stamped on the one that is known worst, and read on the
     * next. Null if there is one agent alone.
     */
    public Long errorNanos() {
        long[] errors =
                agents.values().stream().mapToLong(a -> a.error).sorted().toArray();
        return errors.length < 2 ? null : Long.valueOf(errors[errors.length - 1] + errors[errors.length - 2]);
    }
}
