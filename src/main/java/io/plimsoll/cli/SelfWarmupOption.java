package io.plimsoll.cli;

import picocli.CommandLine.Option;

/**
 * How long the load generator may let its own code run before the first trial. The script that starts the program sets the
 * property; a process that is started otherwise, such as a test, does not pay for it unless it asks.
 */
final class SelfWarmupOption {
    static final String NAME = "--self-warmup";

    @Option(names = NAME, paramLabel = "TIME", defaultValue = "${sys:plimsoll.selfWarmup:-0s}")
    String longest;
}
