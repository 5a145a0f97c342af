/** Metrics of brokers and hosts. */
@NullMarked
package io.plimsoll.observe;

import org.jspecify.annotations.NullMarked;
