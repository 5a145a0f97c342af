/** What runs have measured over months: an index of their results, and where a figure has changed. */
package io.plimsoll.history;
