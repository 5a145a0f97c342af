/** Renders a result and its timeline as one self-contained page, {@code report.html}. */
@NullMarked
package io.plimsoll.report.html;

import org.jspecify.annotations.NullMarked;
