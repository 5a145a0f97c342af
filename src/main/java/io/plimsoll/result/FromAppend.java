package io.plimsoll.result;

import io.plimsoll.text.Sentence;

/**
 * Latency from the append on a broker to the consumer, of records appended in the measured window.
 *
 * @param endToEndFromAppend null without append times
 * @param negativeFromAppend records that appear to arrive before they were appended; null likewise
 * @param appendClockErrorMicros maximum error from the brokers' clocks and their resolution of a millisecond; null if
 *     unknown
 * @param fromAppendUnknown why percentiles of {@code endToEndFromAppend} are null: they are below the clock error; null
 *     if none is
 */
public record FromAppend(
        TrialResult.Latency endToEndFromAppend,
        Long negativeFromAppend,
        Double appendClockErrorMicros,
        Sentence fromAppendUnknown) {
    public static final FromAppend NONE = new FromAppend(null, null, null, null);
}
