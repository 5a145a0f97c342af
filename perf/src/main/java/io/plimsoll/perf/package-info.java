/** Replacements for Kafka's performance tools, with their output, and import of saved results. As in these tools, MB is 2^20 bytes. */
@NullMarked
package io.plimsoll.perf;

import org.jspecify.annotations.NullMarked;
