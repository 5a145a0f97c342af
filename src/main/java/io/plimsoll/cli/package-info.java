/** One class per command. It parses arguments, calls one package and prints; it contains no other logic. */
package io.plimsoll.cli;
