/** Renders results for terminals, Markdown and JSON. */
@NullMarked
package io.plimsoll.report;

import org.jspecify.annotations.NullMarked;
