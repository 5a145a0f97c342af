package io.plimsoll.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plimsoll.result.Json;
import io.plimsoll.result.Outcome;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One run of a history.
 *
 * @param number number in the index of its directory
 * @param startedAt the epoch if unknown
 * @param verdictJson the verdict's sentence as JSON, parsed only when needed
 */
record HistoryRun(
        Path directory,
        long number,
        String name,
        Instant startedAt,
        @Nullable Outcome outcome,
        @Nullable String verdictJson) {
    @Nullable Sentence verdict() {
        try {
            return verdictJson == null ? null : Json.MAPPER.readValue(verdictJson, Sentence.class);
        } catch (JsonProcessingException e) {
            return null;
        }
    }
}
