package io.plimsoll.result;

import java.util.List;

/**
 * How the warm-up went.
 *
 * @param until what was to end it: {@code time}, {@code steady}, or {@code none} if a cold start was asked for
 * @param seconds how long it was
 * @param ended what did end it: {@code time}; {@code steady}; {@code atMost}, when it had lasted as long as it may;
 *     {@code recordsRanOut}, when there was nothing more to do before; {@code stopped}; null if it was not over
 * @param moving what was not steady when it ended {@code atMost}: {@code throughput}, {@code service.p50},
 *     {@code service.p99}
 */
public record WarmupResult(String until, double seconds, String ended, List<String> moving) {
    public static final String TIME = "time";
    public static final String STEADY = "steady";
    public static final String AT_MOST = "atMost";
    public static final String RAN_OUT = "recordsRanOut";
    public static final String STOPPED = "stopped";

    public WarmupResult {
        moving = moving == null ? List.of() : List.copyOf(moving);
    }
}
