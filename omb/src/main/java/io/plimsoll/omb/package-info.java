/** The command and results of OpenMessaging Benchmark, with its options, names, units and structure. */
@NullMarked
package io.plimsoll.omb;

import org.jspecify.annotations.NullMarked;
