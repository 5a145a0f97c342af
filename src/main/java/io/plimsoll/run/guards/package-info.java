/** Keeps a run from hurting a cluster that others live on: before it touches anything, and while it goes on. */
package io.plimsoll.run.guards;
