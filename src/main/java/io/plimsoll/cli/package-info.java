/** One class per command: parses, calls one package, prints; no logic. */
package io.plimsoll.cli;
