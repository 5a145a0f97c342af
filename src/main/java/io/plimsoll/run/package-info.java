/**
 * The life of a run: plan, prepare, ready, warm up, measure, drain, audit, verdict. Start with {@link
 * io.plimsoll.run.Run}, then {@link io.plimsoll.run.TrialRun}; {@link io.plimsoll.run.CellSearch} searches for a
 * ceiling.
 */
@NullMarked
package io.plimsoll.run;

import org.jspecify.annotations.NullMarked;
