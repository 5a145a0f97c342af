/** Renders results for terminals, Markdown and JSON. */
package io.plimsoll.report;
