/** The catalogue of messages: sentences by key, rendered in the selected language. */
@NullMarked
package io.plimsoll.text;

import org.jspecify.annotations.NullMarked;
