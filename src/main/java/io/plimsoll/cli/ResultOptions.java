package io.plimsoll.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of every command that runs a plan: where its results go, and what is shown of them. */
final class ResultOptions {
    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "runs",
            description = "Where a directory is made for each run. Default: ${DEFAULT-VALUE}.")
    Path out;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of everything random. Default: ${DEFAULT-VALUE}.")
    long seed;

    @Option(names = "--quiet", description = "Show no progress.")
    boolean quiet;

    @Option(names = "--json", description = "Print the result as JSON instead of the report, and no progress.")
    boolean json;
}
