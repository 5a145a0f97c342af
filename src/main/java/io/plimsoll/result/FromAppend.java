package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import org.jspecify.annotations.Nullable;

/**
 * Latency from the append on a broker until the consumer received the record, for records appended in the measured
 * window.
 * @param endToEndFromAppend null without append times
 * @param negativeFromAppend number of records received before their append time, because of a clock error; null without
 *     append times
 * @param appendClockErrorMicros maximum error from the brokers' clocks and their resolution of a millisecond; null if
 *     unknown
 * @param fromAppendUnknown the reason if percentiles of {@code endToEndFromAppend} are null because they are below the
 *     clock error; null otherwise
 */
public record FromAppend(
        TrialResult.@Nullable Latency endToEndFromAppend,
        @Nullable Long negativeFromAppend,
        @Nullable Double appendClockErrorMicros,
        @Nullable Sentence fromAppendUnknown) {
    public static final FromAppend NONE = new FromAppend(null, null, null, null);
}
