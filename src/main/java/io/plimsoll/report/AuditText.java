package io.plimsoll.report;

import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What an audit found, on one line. */
final class AuditText {
    private AuditText() {}

    static String of(AuditResult audit) {
        List<String> parts = new ArrayList<>();
        parts.add(Units.count(audit.counts().acknowledged()) + " acknowledged");
        parts.add(Units.count(audit.counts().read()) + " in the log");
        parts.add(Units.count(audit.counts().lost()) + " lost");
        add(parts, audit.counts().duplicated(), "duplicated");
        add(parts, audit.counts().reordered(), "reordered");
        add(parts, audit.counts().corrupted(), "corrupted");
        add(parts, audit.identified().phantom(), "phantom");
        addIfAny(parts, audit.identified().foreign(), "of them not of this run");
        addIfAny(parts, audit.identified().abortedVisible(), "aborted yet visible");
        addIfAny(parts, audit.identified().offsetGaps(), "offsets without a record");
        addIfAny(parts, audit.identified().expired(), "deleted by retention");
        if (audit.counts().unknown() > 0) {
            String present = audit.counts().unknownRead() == null
                    ? ""
                    : " (" + Units.count(audit.counts().unknownRead()) + " of them in the log)";
            parts.add(Units.count(audit.counts().unknown()) + " of unknown fate" + present);
        }
        String partial = audit.complete() ? "" : "; not everything could be examined";
        return String.join(", ", parts) + " (by " + audit.method() + partial + ")";
    }

    /** Of several that found nothing wrong. */
    static String ofClean(List<AuditResult> audits) {
        long acknowledged =
                audits.stream().mapToLong(a -> a.counts().acknowledged()).sum();
        long read = audits.stream().mapToLong(a -> a.counts().read()).sum();
        String methods =
                audits.stream().map(AuditResult::method).distinct().sorted().collect(Collectors.joining(" and "));
        return Units.count(acknowledged) + " acknowledged, " + Units.count(read) + " in the log, 0 lost (by " + methods
                + ")";
    }

    private static void add(List<String> parts, Long count, String what) {
        if (count != null) {
            parts.add(Units.count(count) + " " + what);
        }
    }

    private static void addIfAny(List<String> parts, Long count, String what) {
        if (count != null && count > 0) {
            parts.add(Units.count(count) + " " + what);
        }
    }
}
