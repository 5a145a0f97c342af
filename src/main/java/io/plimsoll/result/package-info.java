/**
 * The result model, its JSON schema, and the run directory. A run is a timeline: events appended to {@code
 * timeline.jsonl} as they happen. {@code result.json} is a fold over that timeline, so that the same code renders
 * killed and finished runs.
 */
package io.plimsoll.result;
