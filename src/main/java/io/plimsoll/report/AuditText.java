package io.plimsoll.report;

import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows the findings of an audit on one line. */
public final class AuditText {
    static Sentence of(AuditResult audit) {
        AuditResult.Counts counts = audit.counts();
        List<Sentence> parts = new ArrayList<>();
        add(parts, "report.audit.acknowledged", counts.acknowledged(), 0);
        add(parts, "report.audit.inTheLog", counts.read(), 0);
        add(parts, "report.lost", counts.lost(), 0);
        add(parts, "report.audit.duplicated", counts.duplicated(), 0);
        add(parts, "report.audit.reordered", counts.reordered(), 0);
        add(parts, "report.corrupted", counts.corrupted(), 0);
        add(parts, "report.audit.phantom", audit.identified().phantom(), 0);
        add(parts, "report.audit.foreign", audit.identified().foreign(), 1);
        add(parts, "report.audit.abortedVisible", audit.identified().abortedVisible(), 1);
        add(parts, "report.audit.offsetGaps", audit.identified().offsetGaps(), 1);
        add(parts, "report.audit.expired", audit.identified().expired(), 1);
        String unknown = Units.count(counts.unknown());
        if (counts.unknownRead() == null) {
            Sentence.addIf(counts.unknown() > 0, parts, "report.audit.unknown", unknown);
        } else if (counts.unknown() > 0) {
            parts.add(Sentence.of("report.audit.unknownRead", unknown, Units.count(counts.unknownRead())));
        }
        return Sentence.of(
                audit.complete() ? "report.audit.by" : "report.audit.partlyBy", parts, method(audit.method()));
    }

    /** @param ended false if the run was killed */
    public static String line(String trial, boolean ended, AuditResult audit, Look look) {
        Mark mark = audit.violated() ? Mark.BAD : audit.complete() ? Mark.GOOD : Mark.UNKNOWN;
        Sentence text = ended ? of(audit) : Sentence.of("report.killedBefore", of(audit));
        Block.Remark remark = new Block.Remark(mark, Sentence.of("text.at", trial, text), audit.findings());
        return TerminalText.of(new Document().add(Block.remarks(List.of(remark))), look);
    }

    private static Sentence method(String method) {
        return Sentence.term("report.method.", method);
    }

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

    private static void add(List<Sentence> parts, String key, @Nullable Long count, int least) {
        if (count != null && count >= least) {
            parts.add(Sentence.of(key, Units.count(count)));
        }
    }
}
