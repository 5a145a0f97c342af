package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** What to do about the errors a trial has counted, by their kind. */
final class ErrorAdvice {
    private static final int MOST_KINDS = 3;

    /** What the name of an error may hold, and the advice for it; the first that fits counts. */
    private static final Map<String, String> ADVICE = advice();

    private ErrorAdvice() {}

    private static Map<String, String> advice() {
        Map<String, String> advice = new LinkedHashMap<>();
        advice.put("bufferexhausted", "result.advice.buffer");
        advice.put("notenoughreplicas", "result.advice.replicas");
        advice.put("toolarge", "result.advice.tooLarge");
        advice.put("authorization", "result.advice.authorization");
        advice.put("disconnect", "result.advice.disconnect");
        advice.put("network", "result.advice.disconnect");
        advice.put("notleader", "result.advice.disconnect");
        advice.put("fenced", "result.advice.fenced");
        advice.put("timeout", "result.advice.timeout");
        return advice;
    }

    /**
     * Tells of the most frequent kinds, one sentence each.
     *
     * @param doing {@code producing} or {@code consuming}
     */
    static void of(String doing, TrialResult.Errors errors, Consumer<Sentence> texts) {
        errors.byKind().entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_KINDS)
                .forEach(e -> texts.accept(
                        Sentence.of("result.errors." + doing, Units.count(e.getValue()), advice(e.getKey()))));
        long kinds = errors.byKind().values().stream().filter(n -> n > 0).count();
        if (kinds > MOST_KINDS) {
            texts.accept(Sentence.of("result.moreKinds." + doing, kinds - MOST_KINDS));
        }
    }

    private static Sentence advice(String kind) {
        String name = kind.toLowerCase(Locale.ROOT);
        return ADVICE.entrySet().stream()
                .filter(e -> name.contains(e.getKey()))
                .findFirst()
                .map(e -> Sentence.of(e.getValue(), kind))
                .orElseGet(() -> Sentence.verbatim(kind));
    }
}
