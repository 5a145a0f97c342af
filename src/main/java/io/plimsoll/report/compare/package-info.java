/** Compares runs: whether they differ, by how much, and how confidently. */
package io.plimsoll.report.compare;
