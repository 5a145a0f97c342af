package io.plimsoll.result;

import io.plimsoll.text.Sentence;

/**
 * The latency from when a broker appended a record until a consumer had it, of records appended in the measured window.
 *
 * @param endToEndFromAppend null if no record carries an append time
 * @param negativeFromAppend records that seemed to arrive before they were appended; null likewise
 * @param appendClockErrorMicros by how much that may be wrong, because the brokers' clocks are not ours and tell whole
 *     milliseconds; null if nobody can tell
 * @param fromAppendUnknown why figures of {@code endToEndFromAppend} are null: they are less than that; null if none is
 */
public record FromAppend(
        TrialResult.Latency endToEndFromAppend,
        Long negativeFromAppend,
        Double appendClockErrorMicros,
        Sentence fromAppendUnknown) {
    public static final FromAppend NONE = new FromAppend(null, null, null, null);
}
