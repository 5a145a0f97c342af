/**
 * Load tests from Java. This package and the results it returns are public API under semantic versioning; all other
 * packages are internal.
 */
package io.plimsoll.api;
