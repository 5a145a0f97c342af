package io.plimsoll.result;

import org.jspecify.annotations.Nullable;

/** A {@code solid} or {@code dashed} line of a chart; without a color, one per broker. {@code quiet}: hidden if always 0. */
public record ChartLine(String chart, @Nullable String color, String style, boolean quiet) {}
