/** {@code report.html}: a result and its timeline as one page that needs nothing else. */
package io.plimsoll.report.html;
