package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;

/**
 * An error in a scenario.
 *
 * @param path path of the key, such as {@code producers[0].rate}; can be empty
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
