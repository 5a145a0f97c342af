package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options that the commands in place of Kafka's performance tools have beyond those tools' own. */
final class PerfOptions {
    @Option(names = "--json", paramLabel = "FILE", description = "Also write the result as JSON to this file.")
    Path json;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Also keep the run, with its report, in a directory that is made in this one.")
    Path report;

    /** @throws PlimsollException ({@link Exit#USAGE}) if what was measured could not be written in the end */
    void check() {
        if (json == null) {
            return;
        }
        Path parent = json.toAbsolutePath().getParent();
        String problem = Files.isDirectory(json)
                ? "it is a directory; name a file"
                : parent == null || !Files.isDirectory(parent)
                        ? "there is no directory " + parent + "; make it first"
                        : !Files.isWritable(Files.exists(json) ? json : parent) ? "it may not be written" : "";
        if (!problem.isEmpty()) {
            throw new PlimsollException(Exit.USAGE, Sentence.of("cli.cannotWriteJson", json, problem));
        }
    }
}
