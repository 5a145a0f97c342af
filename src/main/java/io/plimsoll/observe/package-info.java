/** Figures of brokers and hosts about themselves. */
package io.plimsoll.observe;
