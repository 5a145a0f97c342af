/**
 * Kafka's protocol below its public API: links, frames, errors. Only this package uses Kafka's internal classes, which
 * change without notice between releases. They are therefore pinned to one client version and covered by tests.
 */
@NullMarked
package io.plimsoll.wire;

import org.jspecify.annotations.NullMarked;
