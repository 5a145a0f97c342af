/** Access to a cluster over its Admin API: topics, groups, roles, preflight, and reading and writing lines. */
package io.plimsoll.cluster;
