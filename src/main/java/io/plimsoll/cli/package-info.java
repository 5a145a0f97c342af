/** One class per command. It parses arguments, calls one package and prints; it contains no other logic. */
@NullMarked
package io.plimsoll.cli;

import org.jspecify.annotations.NullMarked;
