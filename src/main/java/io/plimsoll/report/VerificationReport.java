package io.plimsoll.report;

import io.plimsoll.result.AuditResult;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;

/** What an audit of an earlier run found, for a terminal. */
public final class VerificationReport {
    private VerificationReport() {}

    /** @param ended false if the run was killed */
    public static List<String> lines(
            String trial, boolean ended, AuditResult audit, boolean colour, Language language) {
        Ansi ansi = new Ansi(colour);
        String mark = audit.violated() ? ansi.bad("✗") : ansi.good("✓");
        Sentence found = AuditText.of(audit);
        Sentence told = ended ? found : Sentence.of("report.killedBefore", found);
        List<String> lines = new java.util.ArrayList<>();
        lines.add(mark + " " + trial + ": " + told.in(language));
        audit.findings().forEach(finding -> lines.add("    " + finding.in(language)));
        return lines;
    }
}
