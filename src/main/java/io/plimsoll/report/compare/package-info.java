/** Compares runs: whether they differ, by how much, and how confidently. */
@NullMarked
package io.plimsoll.report.compare;

import org.jspecify.annotations.NullMarked;
