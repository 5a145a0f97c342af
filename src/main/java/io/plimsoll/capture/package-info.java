/** Reads samples of logs and what Admin tells, and writes the scenario of a load like that. */
package io.plimsoll.capture;
