package io.plimsoll.cli;

import io.plimsoll.web.WebPlace;
import picocli.CommandLine.Option;

/** Where pages are offered, and what they show of themselves. */
final class BindOptions extends PageOptions {
    @Option(names = "--ui-bind", paramLabel = "ADDRESS", defaultValue = "127.0.0.1")
    String address;

    WebPlace place(int port) {
        return place(address, port);
    }
}
