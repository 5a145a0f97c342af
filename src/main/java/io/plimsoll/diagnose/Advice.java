package io.plimsoll.diagnose;

import io.plimsoll.text.Sentence;

/**
 * A change of a scenario that may lift a cause; whether it does is known when it was tried.
 *
 * @param name name of the changed factor, as in the probes of results
 * @param path of the key, as {@code --set} takes it
 * @param before the value that the scenario has, or the default
 * @param what effect and cost of the change
 */
public record Advice(String name, String path, String before, String after, Sentence what) {}
