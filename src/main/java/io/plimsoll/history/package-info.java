/** The history of runs: an index of their results, and detection of changes. */
package io.plimsoll.history;
