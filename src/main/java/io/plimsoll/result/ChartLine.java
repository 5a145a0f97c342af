package io.plimsoll.result;

/** A {@code solid} or {@code dashed} line of a chart; without color one per broker; quiet if hidden while it is 0. */
public record ChartLine(String chart, String color, String style, boolean quiet) {}
