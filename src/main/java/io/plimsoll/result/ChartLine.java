package io.plimsoll.result;

/**
 * A line of a chart over time.
 *
 * @param chart the chart's name, such as {@code throughput}
 * @param color {@code c0} to {@code c7}; null for lines of brokers, which have one each
 * @param style {@code solid}, {@code dashed} or {@code dotted}
 * @param quiet shown only if it is ever above 0
 */
public record ChartLine(String chart, String color, String style, boolean quiet) {}
