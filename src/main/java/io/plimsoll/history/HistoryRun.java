package io.plimsoll.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plimsoll.result.Json;
import io.plimsoll.result.Outcome;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Instant;

/**
 * One run of a history.
 *
 * @param number in its directory's index
 * @param name of its scenario
 * @param startedAt the epoch if unknown
 * @param outcome null if unknown
 * @param told the sentence of its verdict as JSON, parsed on demand; null if unknown
 */
public record HistoryRun(Path directory, long number, String name, Instant startedAt, Outcome outcome, String told) {
    /** The verdict in a sentence; null if unknown. */
    public Sentence verdict() {
        try {
            return told == null ? null : Json.MAPPER.readValue(told, Sentence.class);
        } catch (JsonProcessingException e) {
            return null;
        }
    }
}
