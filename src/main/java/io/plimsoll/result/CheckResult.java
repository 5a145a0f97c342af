package io.plimsoll.result;

import org.jspecify.annotations.Nullable;

/**
 * The result of a check of the scenario.
 *
 * @param check the check as written in the scenario
 * @param measured null if the figure does not exist in this trial, in which case the check failed
 * @param unit {@code us}, {@code bytes/s}, {@code records/s}, {@code bytes}, {@code count}, {@code ratio} or {@code share of seconds}:
 *     unit of the measured value
 */
public record CheckResult(String check, @Nullable Double measured, String unit, boolean passed) {}
