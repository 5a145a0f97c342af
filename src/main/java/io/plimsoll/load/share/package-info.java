/**
 * Share groups. Each record is given to one member for some time, which accepts, releases or rejects it. A record that is
 * not accepted is given to another member, up to a limit.
 */
package io.plimsoll.load.share;
