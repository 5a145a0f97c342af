/** Results in OpenMessaging Benchmark's format, with its names, units and structure. */
@NullMarked
package io.plimsoll.report.omb;

import org.jspecify.annotations.NullMarked;
