/** From result to terminal, Markdown and JSON. */
package io.plimsoll.report;
