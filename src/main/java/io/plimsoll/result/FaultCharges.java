package io.plimsoll.result;

import io.plimsoll.audit.Verdict;
import io.plimsoll.result.AuditResult.Anomaly;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which fault of a trial the findings of its audit are charged to.
 *
 * <p>A lost record was acknowledged before the fault that lost it was over, or even before it began, because records on
 * a single broker are lost with it. It is charged to the first fault that can lose records and was not over at that
 * time. Everything else is charged to the most recent fault, like errors and response times.
 *
 * @param startedAt when the times of the faults begin
 */
record FaultCharges(List<FaultCharges.Fault> faults, AuditResult audit, Instant startedAt) {
    private static final int NOBODY = -1;

    /**
     * @param happened false if it was asked for and never was in effect
     * @param overNanos null if it was not over when the trial ended
     */
    record Fault(String action, Sentence what, boolean happened, long askedNanos, Long overNanos) {
        private boolean loses() {
            FaultKind kind = FaultKind.all().get(action);
            return happened && kind != null && kind.mayLoseRecords();
        }
    }

    private long records(Verdict verdict, Predicate<Anomaly> of) {
        return Stream.ofNullable(audit.anomalies())
                .flatMap(List::stream)
                .filter(a -> is(verdict, a) && of.test(a))
                .mapToLong(Anomaly::records)
                .sum();
    }

    private static boolean is(Verdict verdict, Anomaly anomaly) {
        return anomaly.verdict().equals(verdict.toString());
    }

    private int culprit(Anomaly anomaly) {
        if (is(Verdict.LOST, anomaly)) {
            return whatLost(anomaly.origin().at());
        }
        return anomaly.origin().at() == null
                ? NOBODY
                : lastAsked(nanos(anomaly.origin().at()));
    }

    private long nanos(Instant at) {
        return Duration.between(startedAt, at).toNanos();
    }

    private int whatLost(Instant at) {
        int last = NOBODY;
        int able = 0;
        for (int i = 0; i < faults.size(); i++) {
            Fault fault = faults.get(i);
            if (fault.loses()) {
                if (at != null && (fault.overNanos() == null || fault.overNanos() >= nanos(at))) {
                    return i;
                }
                last = i;
                able++;
            }
        }
        // Where only one could, it was that one, whenever it was.
        return at != null || able == 1 ? last : NOBODY;
    }

    private int lastAsked(long nanos) {
        return IntStream.range(0, faults.size())
                .filter(i -> faults.get(i).askedNanos() <= nanos)
                .max()
                .orElse(NOBODY);
    }

    /** Acknowledged records lost by a fault; null if unknown. */
    Long lost(int fault) {
        long all = audit.counts().lost();
        if (records(Verdict.LOST, a -> true) == all && records(Verdict.LOST, a -> culprit(a) != NOBODY) == all) {
            return records(Verdict.LOST, a -> culprit(a) == fault);
        }
        // A mere count says nothing of when: it can only have been the one that could lose something.
        boolean alone = faults.stream().filter(Fault::loses).count() == 1;
        return alone && faults.get(fault).loses() ? Long.valueOf(all) : null;
    }

    /** Records duplicated in the log during a fault; null if unknown. */
    Long duplicated(int fault) {
        Long all = audit.counts().duplicated();
        boolean known = all != null
                && all == records(Verdict.DUPLICATED, a -> a.origin().at() != null);
        return known ? Long.valueOf(records(Verdict.DUPLICATED, a -> culprit(a) == fault)) : null;
    }

    List<Anomaly> anomalies() {
        return audit.anomalies().stream()
                .map(a -> culprit(a) == NOBODY
                        ? a
                        : a.withFault(faults.get(culprit(a)).what()))
                .toList();
    }
}
