/** The languages that reports can be read in. */
package io.plimsoll.report.language;
