package io.plimsoll.report;

import io.plimsoll.result.AuditResult;
import java.util.List;

/** What an audit of an earlier run found, for a terminal. */
public final class VerificationReport {
    private VerificationReport() {}

    /** @param ended false if the run was killed */
    public static List<String> lines(String trial, boolean ended, AuditResult audit, boolean colour) {
        Ansi ansi = new Ansi(colour);
        String mark = audit.violated() ? ansi.bad("✗") : ansi.good("✓");
        String killed = ended ? "" : "; the run was killed: what it sent last is of unknown fate";
        List<String> lines = new java.util.ArrayList<>();
        lines.add(mark + " " + trial + ": " + AuditText.of(audit).english() + killed);
        audit.findings().forEach(finding -> lines.add("    " + finding));
        return lines;
    }
}
