/** HTTP pages of runs and watches, and metric exporters. */
@NullMarked
package io.plimsoll.web;

import org.jspecify.annotations.NullMarked;
