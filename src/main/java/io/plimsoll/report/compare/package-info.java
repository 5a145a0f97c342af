/** Compares runs: whether they differ, by how much, and with what confidence. */
package io.plimsoll.report.compare;
