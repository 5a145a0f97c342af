/**
 * The result model, its JSON schema, and the run directory. A run is a timeline: events appended to
 * {@code timeline.jsonl} as they happen. {@code result.json} is a fold over that timeline, so that a run which was
 * killed is rendered by the same code as one which ended.
 */
package io.plimsoll.result;
