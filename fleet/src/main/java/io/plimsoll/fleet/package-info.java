/** Workers on other machines. Apache Pekko transports the messages; package {@code run} contains the workers. */
@NullMarked
package io.plimsoll.fleet;

import org.jspecify.annotations.NullMarked;
