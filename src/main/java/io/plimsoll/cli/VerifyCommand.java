package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.Live;
import io.plimsoll.report.VerificationReport;
import io.plimsoll.result.Json;
import io.plimsoll.run.Verification;
import io.plimsoll.run.Verification.Verified;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Audits an earlier run again. */
@Command(
        name = "verify",
        description = {
            "Audits again what a run has acknowledged, also one that was killed.",
            "It reads the topics that the run wrote to, which must still be there. Exit code 4 if records were lost or damaged, or a guarantee was broken."
        },
        mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "RUN_DIR", description = "A directory that a run with audit: true has written.")
    Path directory;

    @Mixin
    ClusterOptions cluster;

    @Option(names = "--json", description = "Print the audits as JSON, as in result.json.")
    boolean json;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        List<Verified> trials = new Verification(
                        directory, cluster.connectionIfNamed(), note -> err.println("plimsoll: " + note))
                .verify();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.print(Json.pretty(trials));
        } else {
            trials.forEach(t -> VerificationReport.lines(t.trial(), t.ended(), t.audit(), Live.color(System.getenv()))
                    .forEach(out::println));
        }
        out.flush();
        boolean violated = trials.stream().anyMatch(t -> t.audit().violated());
        return (violated ? Exit.AUDIT_FAILED : Exit.PASSED).code();
    }
}
