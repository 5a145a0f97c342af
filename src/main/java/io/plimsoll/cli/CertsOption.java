package io.plimsoll.cli;

import io.plimsoll.fleet.Certificates;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the certificates are by which hosts of a fleet know each other. */
final class CertsOption {
    @Option(names = "--certs", paramLabel = "DIR")
    Path directory;

    boolean given() {
        return directory != null;
    }

    Certificates certificates() {
        return Certificates.in(Optional.ofNullable(directory));
    }
}
