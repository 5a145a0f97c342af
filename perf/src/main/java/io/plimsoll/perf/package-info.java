/** Replacements for Kafka's performance tools, with their options and output lines. As in these tools, MB is 2^20 bytes. */
package io.plimsoll.perf;
