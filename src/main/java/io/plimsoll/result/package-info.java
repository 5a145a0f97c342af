/**
 * The result model, its JSON schema, and the run directory. A run is a timeline: events that are appended to {@code
 * timeline.jsonl} as they occur. {@code result.json} is a fold over that timeline, so the same code renders killed and
 * finished runs.
 */
@NullMarked
package io.plimsoll.result;

import org.jspecify.annotations.NullMarked;
