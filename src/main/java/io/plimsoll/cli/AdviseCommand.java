package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.AdviceText;
import io.plimsoll.report.compare.ComparedRun;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code plimsoll advise}: what to try next, from what held a run back. */
@Command(name = "advise")
final class AdviseCommand extends PlimsollCommand {
    @Parameters(paramLabel = "RUN", descriptionKey = "argument.advise.run")
    Path run;

    @Override
    Exit perform() {
        out().print(AdviceText.render(ComparedRun.read(run).result(), run.toString(), look()));
        return Exit.PASSED;
    }
}
