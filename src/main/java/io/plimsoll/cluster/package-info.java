/**
 * Access to a cluster over its Admin API: topics, groups, roles, preflight, and reading and writing lines.
 *
 * <p>A record of an admin client may be used by several threads unless it says otherwise, and does not close the client.
 * Each of its methods blocks, is bounded in time by the client or an argument, and throws a
 * {@link io.plimsoll.PlimsollException} with one sentence.
 */
package io.plimsoll.cluster;
