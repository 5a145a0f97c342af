package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonSetter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Course of a warm-up.
 *
 * @param until end condition: {@code time}, {@code steady}, or {@code none} for a cold start
 * @param seconds duration
 * @param ended actual end: {@code time}; {@code steady}; {@code atMost}, at its maximum length; {@code recordsRanOut},
 *     if all records were sent before the warm-up ended; {@code stopped}; null if it did not end
 * @param moving figures that were not steady at {@code atMost}: {@code throughput}, {@code service.p50}, {@code
 *     service.p99}
 */
public record WarmupResult(
        String until,
        double seconds,
        @Nullable String ended,
        @JsonSetter(nulls = AS_EMPTY) List<String> moving) {
    public static final String TIME = "time";
    public static final String STEADY = "steady";
    public static final String AT_MOST = "atMost";
    public static final String RAN_OUT = "recordsRanOut";
    public static final String STOPPED = "stopped";
}
