/** Workers on other machines. Apache Pekko transports the messages; package {@code run} contains the workers. */
package io.plimsoll.fleet;
