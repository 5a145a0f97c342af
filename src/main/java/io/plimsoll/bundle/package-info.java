/** Runs as one file for readers who trust neither its author nor its content. */
@NullMarked
package io.plimsoll.bundle;

import org.jspecify.annotations.NullMarked;
