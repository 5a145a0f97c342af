/** Replacements for Kafka's performance tools, with their output, and import of saved results. As in these tools, MB is 2^20 bytes. */
package io.plimsoll.perf;
