/** The results of many runs over time: an index of their figures and the detection of changes. */
package io.plimsoll.history;
