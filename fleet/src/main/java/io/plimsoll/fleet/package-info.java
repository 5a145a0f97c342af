/** Workers on other machines. Apache Pekko handles messages and membership; package {@code run} has the workers. */
package io.plimsoll.fleet;
