package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The meaning of client errors and advice for them, by the name under which they are counted. Stateless. */
public final class ErrorAdvice {
    /** Parts of error names with their advice; the first match applies. */
    private static final List<Map.Entry<String, String>> ADVICE = List.of(
            Map.entry("bufferexhausted", "result.advice.buffer"),
            Map.entry("notenoughreplicas", "result.advice.replicas"),
            Map.entry("toolarge", "result.advice.tooLarge"),
            Map.entry("authorization", "result.advice.authorization"),
            Map.entry("disconnect", "result.advice.disconnect"),
            Map.entry("network", "result.advice.disconnect"),
            Map.entry("notleader", "result.advice.disconnect"),
            Map.entry("fencedinstance", "result.advice.instance"),
            Map.entry("groupmaxsize", "result.advice.groupSize"),
            Map.entry("fenced", "result.advice.fenced"),
            Map.entry("transactionaborted", "result.advice.fenced"),
            // A fenced producer gets this error from brokers that check each batch with the transaction coordinator.
            Map.entry("invalidtxnstate", "result.advice.fenced"),
            Map.entry("invalidtimestamp", "result.advice.timestamp"),
            Map.entry("invalidrecord", "result.advice.invalid"),
            Map.entry("storage", "result.advice.storage"),
            Map.entry("outofrange", "result.advice.range"),
            Map.entry("authentication", "result.advice.authentication"),
            Map.entry("metadatatimeout", "result.advice.metadata"),
            Map.entry("timeout", "result.advice.timeout"));

    /** The name of the error with its meaning, or the name alone if it is unknown. */
    public static Sentence of(String kind) {
        return known(kind).map(key -> Sentence.of(key, kind)).orElseGet(() -> Sentence.verbatim(kind));
    }

    /** Whether a meaning is known for the error. */
    public static boolean isKnown(String kind) {
        return known(kind).isPresent();
    }

    private static Optional<String> known(String kind) {
        String name = kind.toLowerCase(Locale.ROOT);
        return ADVICE.stream()
                .filter(e -> name.contains(e.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
