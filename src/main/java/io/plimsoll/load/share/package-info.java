/**
 * Load on share groups. The group gives each record to one member for a limited time, and the member accepts, releases
 * or rejects it. A record that is not accepted is redelivered, up to a limit.
 */
@NullMarked
package io.plimsoll.load.share;

import org.jspecify.annotations.NullMarked;
