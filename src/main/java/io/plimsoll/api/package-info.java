/**
 * Load tests from Java. What is here, and the results that it hands out, is public: it changes as semantic versions say. All other
 * packages are the program's own.
 */
package io.plimsoll.api;
