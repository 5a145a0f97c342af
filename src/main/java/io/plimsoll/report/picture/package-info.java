/** Draws the charts of a run as SVG and PNG, without a browser. */
@NullMarked
package io.plimsoll.report.picture;

import org.jspecify.annotations.NullMarked;
