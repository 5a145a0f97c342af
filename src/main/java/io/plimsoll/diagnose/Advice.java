package io.plimsoll.diagnose;

import io.plimsoll.text.Sentence;

/**
 * A change of a scenario that may remove a cause; a trial shows whether it does.
 *
 * @param name name of the changed factor, as in the probes of results
 * @param path of the key, as {@code --set} takes it
 * @param before current value, or the default
 * @param what effect and cost of the change
 */
public record Advice(String name, String path, String before, String after, Sentence what) {}
