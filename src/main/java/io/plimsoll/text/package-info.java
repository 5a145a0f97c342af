/** Holds all that is said to people: sentences by key, put into words in the language that is asked for. */
package io.plimsoll.text;
