package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.AuditText;
import io.plimsoll.report.Look;
import io.plimsoll.result.Json;
import io.plimsoll.run.Verification;
import io.plimsoll.run.Verification.Verified;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll verify}: audits an earlier run again. */
@Command(name = "verify")
final class VerifyCommand extends PlimsollCommand {
    @Parameters(paramLabel = "RUN_DIR", descriptionKey = "argument.verify.directory")
    Path directory;

    @Mixin
    ClusterOptions cluster;

    @Option(names = "--json")
    boolean json;

    @Override
    Exit perform() {
        List<Verified> trials = new Verification(directory, cluster.connectionIfNamed(), this::say).verify();
        if (json) {
            out().print(Json.pretty(trials));
        } else {
            Look look = look();
            trials.forEach(t -> out().print(AuditText.line(t.trial(), t.ended(), t.audit(), look)));
        }
        if (trials.stream().anyMatch(t -> t.audit().violated())) {
            return Exit.AUDIT_FAILED;
        }
        // An incomplete audit can miss lost records.
        boolean complete = trials.stream().allMatch(t -> t.audit().complete());
        return complete ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
    }
}
