/** Watches a cluster for ever: a small load, whether each broker does what it is for, and an audit that rolls on. */
package io.plimsoll.watch;
