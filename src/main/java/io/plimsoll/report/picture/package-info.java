/** Draws the charts of a run as SVG and PNG, without a browser. */
package io.plimsoll.report.picture;
