package io.plimsoll.report;

import io.plimsoll.result.*;

public final class MarkdownReport {
    private MarkdownReport() {}

    public static String render(RunResult r) {
        return r.verdict().sentence();
    }
}
