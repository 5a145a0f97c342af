package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.web.WebPlace;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where pages are offered, and what they show of themselves. */
final class BindOptions {
    @Option(names = "--ui-bind", paramLabel = "ADDRESS", defaultValue = "127.0.0.1")
    String address;

    @Option(names = "--ui-cert", paramLabel = "FILE")
    Path certificate;

    @Option(names = "--ui-key", paramLabel = "FILE")
    Path key;

    @Option(names = "--ui-token", paramLabel = "FILE")
    Path token;

    WebPlace place(int port) {
        Exit.USAGE.when((certificate == null) != (key == null), "cli.uiCertAndKey");
        return new WebPlace(address, port, certificate == null ? null : new WebPlace.Pem(certificate, key), token);
    }
}
