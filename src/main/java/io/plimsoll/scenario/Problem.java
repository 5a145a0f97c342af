package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;

/**
 * One mistake in a scenario.
 *
 * @param path of the key, such as {@code producers[0].rate}; may be empty
 * @param message what was found, what was expected and, for a misspelt name, the nearest known one
 */
public record Problem(Position at, String path, Sentence message) {

    public Sentence sentence() {
        return path.isEmpty()
                ? Sentence.of("text.at", at, message)
                : Sentence.of("scenario.problem", at, path, message);
    }

    @Override
    public String toString() {
        return sentence().english();
    }
}
