package io.plimsoll.result;

/**
 * Result of a check of the scenario.
 *
 * @param check the check as written in the scenario
 * @param measured null if the figure does not exist in this trial; the check has then failed
 * @param unit {@code us}, {@code bytes/s}, {@code records/s}, {@code count}, {@code ratio} or {@code share of seconds}:
 *     unit of the measured value
 */
public record CheckResult(String check, Double measured, String unit, boolean passed) {}
