/**
 * Statistics of numeric series: trends, change points, confidence intervals. Pure code without Kafka, clocks, threads,
 * or files.
 */
package io.plimsoll.stats;
