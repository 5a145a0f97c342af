/**
 * Share groups, whose members take records and not partitions: each record is given to one member for some time, which
 * accepts, releases or rejects it; what is not accepted is given to another, up to a limit.
 */
package io.plimsoll.load.share;
