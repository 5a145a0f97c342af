package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.web.WebPlace;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What pages show of themselves beyond the loopback interface. */
class PageOptions {
    @Option(names = "--ui-cert", paramLabel = "FILE")
    Path certificate;

    @Option(names = "--ui-key", paramLabel = "FILE")
    Path key;

    @Option(names = "--ui-token", paramLabel = "FILE")
    Path token;

    WebPlace place(String address, int port) {
        Exit.USAGE.when((certificate == null) != (key == null), "cli.uiCertAndKey");
        return new WebPlace(address, port, certificate == null ? null : new WebPlace.Pem(certificate, key), token);
    }

    boolean given() {
        return certificate != null || key != null || token != null;
    }
}
