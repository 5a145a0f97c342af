/** Renders a result and its timeline as one self-contained page, {@code report.html}. */
package io.plimsoll.report.html;
