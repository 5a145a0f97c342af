package io.plimsoll.result;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** What to do about the errors a trial has counted, by their kind. */
final class ErrorAdvice {
    private static final int MOST_KINDS = 3;

    private ErrorAdvice() {}

    /** Tells of the most frequent kinds, one sentence each. */
    static void of(String doing, TrialResult.Errors errors, Consumer<String> texts) {
        errors.byKind().entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_KINDS)
                .forEach(e -> texts.accept(Units.count(e.getValue()) + (e.getValue() == 1 ? " error " : " errors ")
                        + doing + ": " + e.getKey() + advice(e.getKey()) + "."));
        long kinds = errors.byKind().values().stream().filter(n -> n > 0).count();
        if (kinds > MOST_KINDS) {
            long more = kinds - MOST_KINDS;
            texts.accept(more + (more == 1 ? " more kind" : " more kinds") + " of errors " + doing + ".");
        }
    }

    private static String advice(String kind) {
        String name = kind.toLowerCase(Locale.ROOT);
        if (name.contains("bufferexhausted")) {
            return " (no room in the producer's buffer within max.block.ms): offer less, or raise max.block.ms or"
                    + " buffer.memory";
        }
        if (name.contains("notenoughreplicas")) {
            return ": fewer replicas are in sync than min.insync.replicas asks for";
        }
        if (name.contains("toolarge")) {
            return ": raise max.request.size and the topic's max.message.bytes, or make records smaller";
        }
        if (name.contains("authorization")) {
            return ": this user lacks an ACL for it";
        }
        if (name.contains("disconnect") || name.contains("network") || name.contains("notleader")) {
            return ": a broker went away or a leader moved; look at the brokers' logs of that time";
        }
        if (name.contains("fenced")) {
            return ": another producer used the same transactional.id, or a transaction took longer than"
                    + " transaction.timeout.ms";
        }
        if (name.contains("timeout")) {
            return " (not acknowledged within delivery.timeout.ms): brokers are down or overloaded, or the rate is too"
                    + " high";
        }
        return "";
    }
}
