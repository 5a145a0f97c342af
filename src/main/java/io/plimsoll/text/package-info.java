/** The catalogue of messages: sentences by key, rendered in the selected language. */
package io.plimsoll.text;
