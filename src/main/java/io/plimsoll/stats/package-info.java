/**
 * Statistics of numeric series: trends, change points, confidence intervals. Pure code without Kafka, clocks, threads,
 * or files.
 */
@NullMarked
package io.plimsoll.stats;

import org.jspecify.annotations.NullMarked;
