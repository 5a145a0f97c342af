package io.plimsoll.result;

import io.plimsoll.audit.Verdict;
import io.plimsoll.result.AuditResult.Anomaly;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Which fault of a trial the findings of its audit are charged to.
 *
 * <p>A lost record was acknowledged before what lost it was over, perhaps before it began: what only one broker has dies
 * with it. It is charged to the first fault that can lose records and was not over when it was acknowledged. Everything
 * else is charged to the fault that was asked for last before it happened, like errors and response times.
 */
final class FaultCharges {
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

    private final List<Fault> faults;
    private final AuditResult audit;
    private final Instant startedAt;
    private final long[] lost;
    private final long[] duplicated;
    private long lostInAll;
    private long duplicatedInAll;

    /** @param startedAt when the times of the faults begin */
    FaultCharges(List<Fault> faults, AuditResult audit, Instant startedAt) {
        this.faults = faults;
        this.audit = audit;
        this.startedAt = startedAt;
        this.lost = new long[faults.size()];
        this.duplicated = new long[faults.size()];
        if (audit.anomalies() != null) {
            audit.anomalies().forEach(this::charge);
        }
    }

    private void charge(Anomaly anomaly) {
        int to = culprit(anomaly);
        if (is(Verdict.LOST, anomaly)) {
            lostInAll += anomaly.records();
            if (to != NOBODY) {
                lost[to] += anomaly.records();
            }
        } else if (is(Verdict.DUPLICATED, anomaly)) {
            duplicatedInAll += to == NOBODY && anomaly.origin().at() == null ? 0 : anomaly.records();
            if (to != NOBODY) {
                duplicated[to] += anomaly.records();
            }
        }
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
        int found = NOBODY;
        for (int i = 0; i < faults.size(); i++) {
            found = faults.get(i).askedNanos() <= nanos ? i : found;
        }
        return found;
    }

    /** Acknowledged records that a fault lost; null if that cannot be told. */
    Long lost(int fault) {
        if (lostInAll == audit.counts().lost() && sum(lost) == lostInAll) {
            return lost[fault];
        }
        // A mere count says nothing of when: it can only have been the one that could lose something.
        boolean alone = faults.stream().filter(Fault::loses).count() == 1;
        return alone && faults.get(fault).loses() ? Long.valueOf(audit.counts().lost()) : null;
    }

    /** Records that came to be in the log more than once while it lasted; null if that cannot be told. */
    Long duplicated(int fault) {
        boolean known = audit.counts().duplicated() != null && audit.counts().duplicated() == duplicatedInAll;
        return known ? Long.valueOf(duplicated[fault]) : null;
    }

    private static long sum(long[] of) {
        long sum = 0;
        for (long one : of) {
            sum += one;
        }
        return sum;
    }

    /** The findings, each with the fault that it is charged to. */
    List<Anomaly> anomalies() {
        List<Anomaly> named = new ArrayList<>();
        for (Anomaly anomaly : audit.anomalies()) {
            int to = culprit(anomaly);
            named.add(to == NOBODY ? anomaly : anomaly.withFault(faults.get(to).what()));
        }
        return List.copyOf(named);
    }
}
