/** {@code report.picture}: the charts of a run as SVG and PNG, drawn without a browser. */
package io.plimsoll.report.picture;
