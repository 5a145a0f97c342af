package io.plimsoll.result;

/**
 * How a check of the scenario came out.
 *
 * @param check as written in the scenario
 * @param measured null if the figure does not exist in this trial; the check has then failed
 * @param unit {@code us}, {@code bytes/s}, {@code records/s}, {@code count}, {@code ratio} or
 *     {@code share of seconds}: that of what was measured
 */
public record CheckResult(String check, Double measured, String unit, boolean passed) {}
