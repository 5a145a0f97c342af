/**
 * Load tests from Java. This package and the results it returns are public API under semantic versioning; all other
 * packages are internal.
 */
@NullMarked
package io.plimsoll.api;

import org.jspecify.annotations.NullMarked;
