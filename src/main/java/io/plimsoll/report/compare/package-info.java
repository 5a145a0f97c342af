/**
 * Whether runs differ, by how much, and with which certainty. Reads results and timelines; judges with {@code stats}.
 */
package io.plimsoll.report.compare;
