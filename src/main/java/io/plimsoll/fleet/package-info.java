/** Workers on other machines. Apache Pekko carries messages and membership; what a worker does is {@code run}'s. */
package io.plimsoll.fleet;
