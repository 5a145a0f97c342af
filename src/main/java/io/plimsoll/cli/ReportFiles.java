package io.plimsoll.cli;

import io.plimsoll.report.MarkdownReport;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.text.Language;
import java.nio.file.Path;

/** The reports that every run leaves in its directory. */
final class ReportFiles {
    private ReportFiles() {}

    /**
     * @return the one for people, {@code report.html}
     * @throws io.plimsoll.PlimsollException if one cannot be written, such as on a full disk
     */
    static Path write(RunDirectory directory, RunResult result) {
        directory.write(RunDirectory.REPORT_MARKDOWN, MarkdownReport.render(result, Language.EN));
        return directory.write(RunDirectory.REPORT_HTML, HtmlReport.render(directory, result, Language.EN));
    }
}
