package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.Certificates.FleetToken;
import io.plimsoll.fleet.OrderCheck.DataDirectory;
import io.plimsoll.testing.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only its user can access the token of a fleet on one machine. */
class FleetTokenTest {
    @TempDir
    Path directory;

    @Test
    void concurrentStartsShareOneToken() throws Exception {
        FleetToken token = new FleetToken(directory.resolve("new/token"));
        CompletableFuture<FleetToken> other = CompletableFuture.supplyAsync(token::made);
        token.made();
        other.join();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token.file())))
                .isEqualTo("rw-------");
        try (var files = Files.list(token.file().getParent())) {
            assertThat(files.toList()).containsExactly(token.file());
        }
        byte[] made = Files.readAllBytes(token.file());
        assertThat(Files.readAllBytes(token.made().file())).isEqualTo(made);
        Certificates ours = Certificates.of(token);
        assertThat(ours.secrets()).containsExactly(token.file());
        assertThat(ours.host()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw-rw----", "rwx------", "r--r--r--"})
    void refusesTokenFileWithUnsafeMode(String mode) throws Exception {
        Path file = Files.writeString(directory.resolve("token"), "x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        assertThatThrownBy(() -> Certificates.of(new FleetToken(file)))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining(mode)
                .message()
                .containsPattern(Said.en("fleet.tokenOfOthers"));
    }

    @Test
    void coordinatorCreatesNoToken() {
        Path absent = directory.resolve("absent");
        assertThatThrownBy(() -> Certificates.of(new FleetToken(absent)))
                .hasMessageMatching(Said.en("fleet.noToken", absent).pattern())
                .hasMessageContaining("the first agent on this machine creates it");
        assertThat(absent).doesNotExist();
    }

    @Test
    void refusesDataDirectoryHoldingToken() {
        assertThatThrownBy(() -> new DataDirectory(
                        Optional.of(directory),
                        List.of(new FleetToken(directory.resolve("token"))
                                .made()
                                .file())))
                .hasMessageContaining("--data");
    }
}
