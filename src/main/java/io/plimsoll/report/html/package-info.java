/** {@code report.html}: a result and its timeline as one self-contained page. */
package io.plimsoll.report.html;
