package io.plimsoll.report;

import io.plimsoll.report.Block.Remark;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/** The findings of an audit on one line. */
public final class AuditText {
    private AuditText() {}

    static Sentence of(AuditResult audit) {
        List<Sentence> parts = new ArrayList<>();
        add(parts, audit.counts().acknowledged(), "report.audit.acknowledged");
        add(parts, audit.counts().read(), "report.audit.inTheLog");
        add(parts, audit.counts().lost(), "report.lost");
        add(parts, audit.counts().duplicated(), "report.audit.duplicated");
        add(parts, audit.counts().reordered(), "report.audit.reordered");
        add(parts, audit.counts().corrupted(), "report.corrupted");
        add(parts, audit.identified().phantom(), "report.audit.phantom");
        addIfAny(parts, audit.identified().foreign(), "report.audit.foreign");
        addIfAny(parts, audit.identified().abortedVisible(), "report.audit.abortedVisible");
        addIfAny(parts, audit.identified().offsetGaps(), "report.audit.offsetGaps");
        addIfAny(parts, audit.identified().expired(), "report.audit.expired");
        if (audit.counts().unknown() > 0) {
            String unknown = Units.count(audit.counts().unknown());
            parts.add(
                    audit.counts().unknownRead() == null
                            ? Sentence.of("report.audit.unknown", unknown)
                            : Sentence.of(
                                    "report.audit.unknownRead",
                                    unknown,
                                    Units.count(audit.counts().unknownRead())));
        }
        return Sentence.of(
                audit.complete() ? "report.audit.by" : "report.audit.partlyBy", parts, method(audit.method()));
    }

    /**
     * @param ended false if the run was killed
     * @return lines that end with a line break
     */
    public static String line(String trial, boolean ended, AuditResult audit, Look look) {
        Mark mark = audit.violated() ? Mark.BAD : audit.complete() ? Mark.GOOD : Mark.UNKNOWN;
        Sentence told = ended ? of(audit) : Sentence.of("report.killedBefore", of(audit));
        Remark remark = new Remark(mark, Sentence.of("text.at", trial, told), audit.findings());
        return TerminalText.of(new Document(Sentence.NONE).add(Block.remarks(List.of(remark))), look);
    }

    private static Sentence method(String method) {
        return Sentence.term("report.method.", method);
    }

    /** Several audits that found nothing wrong, in one sentence. */
    static Sentence ofClean(List<AuditResult> audits) {
        long acknowledged =
                audits.stream().mapToLong(a -> a.counts().acknowledged()).sum();
        long read = audits.stream().mapToLong(a -> a.counts().read()).sum();
        List<Sentence> methods = audits.stream()
                .map(AuditResult::method)
                .distinct()
                .sorted()
                .map(AuditText::method)
                .toList();
        return Sentence.of("report.audit.clean", audits.size(), Units.count(acknowledged), Units.count(read), methods);
    }

    private static void add(List<Sentence> parts, Long count, String key) {
        if (count != null) {
            parts.add(Sentence.of(key, Units.count(count)));
        }
    }

    private static void addIfAny(List<Sentence> parts, Long count, String key) {
        if (count != null && count > 0) {
            parts.add(Sentence.of(key, Units.count(count)));
        }
    }
}
