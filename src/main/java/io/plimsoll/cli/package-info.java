/** One class a command: parses, calls one room, prints; no logic. */
package io.plimsoll.cli;
