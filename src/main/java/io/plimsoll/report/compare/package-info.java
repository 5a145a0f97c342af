/** Is there a difference between runs, how large, and how sure. Reads results and timelines; judges with {@code stats}. */
package io.plimsoll.report.compare;
