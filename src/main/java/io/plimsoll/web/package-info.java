/** Pages of runs over HTTP: one that goes on, and those in a directory. */
package io.plimsoll.web;
