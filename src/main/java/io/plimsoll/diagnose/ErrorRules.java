package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.Words.percent;

import io.plimsoll.measure.Endings;
import io.plimsoll.result.ErrorAdvice;
import io.plimsoll.result.TrialResult.Errors;
import io.plimsoll.result.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Rules for what clients are told: an error names its reason itself. */
final class ErrorRules {
    private static final String COMMITS = "commit.";
    /** Errors that say that there was no answer, and not why: whatever else is found explains more. */
    private static final List<String> UNTOLD = List.of("timeout", "networkDisconnect", "bufferExhausted");

    private static final double OF_UNTOLD = 0.5;

    private static final Rule<Errors> FAILED = Rule.named("failed", ErrorRules::producing)
            .where(TrialEvidence::produces)
            .silently()
            .most(0.995)
            .heldBack()
            .judged((e, errors) -> {
                Map.Entry<String, Long> reason = reason(errors);
                if (!ended(e).isEmpty()) {
                    return Sign.of(1)
                            .says("diagnose.says.endedEarly", errors.total(), ErrorAdvice.of(reason.getKey()))
                            .with("diagnose.errorKind", reason.getKey(), Units.count(reason.getValue()));
                }
                long all = errors.total() + e.produce().volume().records();
                double share = (double) errors.total() / all;
                boolean untold = UNTOLD.contains(reason.getKey()) || (expired(reason) && !impatient(e));
                return Sign.of((untold ? OF_UNTOLD : 1) * ramp(share, 0.01, 0.1))
                        .says(
                                "diagnose.says.failed",
                                Units.count(errors.total()),
                                Units.count(all),
                                ErrorAdvice.of(reason.getKey()))
                        .with("diagnose.failedShare", percent(share))
                        .with("diagnose.errorKind", reason.getKey(), Units.count(reason.getValue()));
            });

    /** Commits go to the broker that leads the group's partition of {@code __consumer_offsets}, and to no other. */
    private static final Rule<ReadEvidence> COORDINATOR = Rule.each("coordinator", ReadEvidence::all)
            .where(e -> e.consume() != null && unanswered(e) > 0)
            .silently()
            .most(0.99)
            .judged((e, r) -> {
                double waits = ramp(r.commits(), 0.2, 0.5);
                return Sign.at(r.slowest(), r.late() * waits)
                        .explains(r.slow(e) * waits)
                        .says(
                                "diagnose.says.coordinator",
                                Units.count(unanswered(e)),
                                percent(Math.min(1, r.commits())))
                        .with("diagnose.read", r.rate())
                        .with("diagnose.inCommits", percent(Math.min(1, r.commits())));
            });

    /** Members that may not read, or cannot, end or begin again. */
    private static final Rule<Errors> UNREAD = Rule.named("failedReads", ErrorRules::reading)
            .where(e -> e.consume() != null)
            .silently()
            .most(0.995)
            .judged((e, errors) -> {
                Map.Entry<String, Long> reason = reason(errors);
                Map<String, Long> ended = Endings.byKind(e.consume().events());
                if (!ended.isEmpty()) {
                    Errors last = new Errors(total(ended), ended);
                    return Sign.of(1)
                            .explains(e.slowReading())
                            .says(
                                    "diagnose.says.membersEnded",
                                    last.total(),
                                    ErrorAdvice.of(reason(last).getKey()))
                            .with("diagnose.errorKind", reason.getKey(), Units.count(reason.getValue()));
                }
                double seconds = Math.max(1, e.seconds());
                double told = UNTOLD.contains(reason.getKey())
                        ? OF_UNTOLD * ramp(errors.total() / seconds, 0.1, 1)
                        : ErrorAdvice.isKnown(reason.getKey()) ? 1 : OF_UNTOLD;
                return Sign.of(told * ramp(e.behind(), 0.01, 0.1))
                        .explains(told * e.slowReading())
                        .says("diagnose.says.failedReads", Units.count(errors.total()), ErrorAdvice.of(reason.getKey()))
                        .with("diagnose.fallsBehind", percent(e.behind()))
                        .with("diagnose.errorKind", reason.getKey(), Units.count(reason.getValue()));
            });

    static final List<Rule<?>> RULES = List.of(FAILED, UNREAD, COORDINATOR);

    private ErrorRules() {}

    /** Null if none failed. */
    private static Errors producing(TrialEvidence e) {
        Errors errors = ended(e).isEmpty() ? e.produce().errors() : new Errors(total(ended(e)), ended(e));
        return errors == null || errors.total() == 0 ? null : errors;
    }

    private static long total(Map<String, Long> kinds) {
        return kinds.values().stream().mapToLong(n -> n).sum();
    }

    /** Senders that could not go on, by the error that they were told. */
    private static Map<String, Long> ended(TrialEvidence e) {
        return Endings.byKind(e.produce().events());
    }

    /** Records that were given up; whoever had time for them may ask why they took so long. */
    private static boolean expired(Map.Entry<String, Long> reason) {
        return reason.getKey().equals("deliveryTimeout");
    }

    private static boolean impatient(TrialEvidence e) {
        return e.setup("producers").anyMatch(p -> p.containsKey("delivery.timeout.ms"));
    }

    /** The degree to which reading fails for a reason that is known, 0 or 1. */
    static double failing(TrialEvidence e) {
        Errors errors = e.consume() == null ? null : reading(e);
        return errors != null
                        && ErrorAdvice.isKnown(reason(errors).getKey())
                        && !UNTOLD.contains(reason(errors).getKey())
                ? 1
                : 0;
    }

    /** Polls that failed; null if none did. What commits were told is another rule's. */
    private static Errors reading(TrialEvidence e) {
        Errors errors = e.consume().errors();
        Map<String, Long> polls = errors == null
                ? Map.of()
                : errors.byKind().entrySet().stream()
                        .filter(kind -> kind.getKey().indexOf('.') < 0)
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        long total = polls.values().stream().mapToLong(Long::longValue).sum();
        return total == 0 ? null : new Errors(total, polls);
    }

    /** The most frequent that says more than its name; others of a batch fail, and say no more, with a record that is refused. */
    private static Map.Entry<String, Long> reason(Errors errors) {
        return errors.byKind().entrySet().stream()
                .max(Comparator.<Map.Entry<String, Long>>comparingInt(
                                kind -> ErrorAdvice.isKnown(kind.getKey()) ? 1 : 0)
                        .thenComparing(Map.Entry.comparingByValue()))
                .orElseThrow();
    }

    private static long unanswered(TrialEvidence e) {
        Errors errors = e.consume().errors();
        return errors == null
                ? 0
                : errors.byKind().entrySet().stream()
                        .filter(kind -> kind.getKey().startsWith(COMMITS))
                        .filter(kind -> kind.getKey().endsWith("timeout")
                                || kind.getKey().contains("oordinator"))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
    }
}
