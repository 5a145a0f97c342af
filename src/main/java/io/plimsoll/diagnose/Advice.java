package io.plimsoll.diagnose;

import io.plimsoll.text.Sentence;

/**
 * A change of a scenario that may lift a cause; whether it does is known when it was tried.
 *
 * @param name of what is changed, as results name the factors that were tried
 * @param path of the key, as {@code --set} takes it
 * @param before the value that the scenario has, or the default
 * @param what it would change, and its price
 */
public record Advice(String name, String path, String before, String after, Sentence what) {}
