package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;

/**
 * A mistake in a scenario.
 *
 * @param path of the key, such as {@code producers[0].rate}; may be empty
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
