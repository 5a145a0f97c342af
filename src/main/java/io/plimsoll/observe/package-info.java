/** What brokers and hosts say about themselves. */
package io.plimsoll.observe;
