package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.OrderCheck.DataDirectory;
import io.plimsoll.testing.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files readable through an agent never include its own keys. */
class DataDirectoryTest {
    @TempDir
    Path directory;

    private Path data;
    private Path certs;

    @BeforeEach
    void layOut() throws Exception {
        data = Files.createDirectories(directory.resolve("home/data"));
        certs = Files.createDirectories(directory.resolve("home/certs"));
        for (String file : new String[] {Certificates.KEYS, Certificates.PASSWORD}) {
            Files.writeString(certs.resolve(file), "secret");
        }
        Files.writeString(data.resolve("values.txt"), "one\n");
    }

    private List<Path> secrets(Path in) {
        return List.of(in, in.resolve(Certificates.KEYS), in.resolve(Certificates.PASSWORD));
    }

    private void refused(Path data, Path certs) {
        assertThatThrownBy(() -> new DataDirectory(Optional.of(data), secrets(certs)))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining("--data " + data.normalize());
    }

    @Test
    void refusesDirectoryHoldingCertificatesUnderAnyPath() throws Exception {
        refused(certs, certs);
        refused(directory.resolve("home"), certs);
        refused(directory.resolve("home/data/.."), certs);
        refused(Path.of("/"), certs);
        refused(Files.createSymbolicLink(directory.resolve("link"), directory.resolve("home")), certs);
        // The certificates are named by a link elsewhere, and by a link in the directory.
        refused(directory.resolve("home"), Files.createSymbolicLink(directory.resolve("certs"), certs));
        refused(data, Files.createSymbolicLink(data.resolve("certs"), certs));
    }

    @Test
    void refusesDirectoryHoldingOneSecretFile() throws Exception {
        Path moved = Files.move(certs.resolve(Certificates.PASSWORD), data.resolve("password"));
        Files.createSymbolicLink(certs.resolve(Certificates.PASSWORD), moved);
        refused(data, certs);
    }

    @Test
    void acceptsFilesBesideCertificates() throws Exception {
        DataDirectory taken = new DataDirectory(Optional.of(data), secrets(certs));
        assertThat(taken.file("values.txt"))
                .isEqualTo(data.resolve("values.txt").toString());
        Files.createLink(data.resolve("hard.txt"), certs.resolve(Certificates.PASSWORD));
        assertThatThrownBy(() -> taken.file("hard.txt"))
                .hasMessageFindingMatch(Said.en("fleet.payloadFileOutside").pattern());
    }

    /** The root directory has no parent. */
    @Test
    void acceptsCertificatesInRootDirectory() {
        assertThatCode(() -> new DataDirectory(Optional.of(data), List.of(Path.of("/"))))
                .doesNotThrowAnyException();
    }

    @Test
    void readsNothingWithoutDirectory() {
        DataDirectory none = new DataDirectory(Optional.empty(), secrets(certs));
        assertThatThrownBy(() -> none.file("values.txt")).hasMessageContaining("without --data");
        assertThatThrownBy(() -> none.file("/etc/hostname")).hasMessageContaining("without --data");
        assertThatThrownBy(() -> new DataDirectory(Optional.of(directory.resolve("absent")), List.of()))
                .hasMessageContaining("cannot read the directory");
        assertThatCode(() -> new DataDirectory(Optional.of(data), List.of())).doesNotThrowAnyException();
    }
}
