/** HTTP pages of runs and watches, and metric exporters. */
package io.plimsoll.web;
