package io.plimsoll.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of every command that runs a plan: where its results go, and what is shown of them. */
final class ResultOptions {
    @Option(names = "--out", paramLabel = "DIR", defaultValue = "runs")
    Path out;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1")
    long seed;

    @Option(names = "--quiet")
    boolean quiet;

    @Option(names = "--json")
    boolean json;
}
