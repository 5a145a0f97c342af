/**
 * Access to a cluster through the Admin API: topics, groups, roles, preflight, and reading and writing of lines.
 *
 * <p>Record classes that wrap an admin client are thread-safe unless stated otherwise, and do not close it. Each method
 * blocks for a limited time, set by the client or an argument, and throws a {@link io.plimsoll.PlimsollException} with
 * one sentence.
 */
@NullMarked
package io.plimsoll.cluster;

import org.jspecify.annotations.NullMarked;
