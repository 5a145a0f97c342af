package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetTlsTest {
    @TempDir
    Path directory;

    private Agent.Options agent(NodeAddress listen, Optional<Path> certificates) {
        return new Agent.Options(
                listen, List.of(), "a", Map.of(), directory, Certificates.in(certificates), "1", "test");
    }

    private static Fleet find(NodeAddress agent, Optional<Path> certificates, int seconds) {
        return Fleet.find(new Fleet.Options(
                List.of(agent),
                1,
                Duration.ofSeconds(seconds),
                Certificates.in(certificates),
                new FleetRules(Map.of(), Map.of(), false),
                "tls",
                "1"));
    }

    @Test
    void whoHasACertificateOfTheFleetIsInAndNobodyElse() throws Exception {
        Path fleet = new CertificateMaker(directory.resolve("fleet")).host("127.0.0.1");
        Path strangers = new CertificateMaker(directory.resolve("strangers")).host("127.0.0.1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fleet)))
                .isEqualTo("rwx------");
        assertThat(fleet).isDirectoryNotContaining(file -> file.toString().contains("authority"));
        try (Agent agent = Agent.start(agent(new NodeAddress("127.0.0.1", 0), Optional.of(fleet)), said -> {})) {
            try (Fleet found = find(agent.address(), Optional.of(fleet), 60)) {
                found.claim();
                assertThat(found.agents()).hasSize(1);
            }
            assertThatThrownBy(() -> find(agent.address(), Optional.empty(), 3)).hasMessageContaining("0 of 1 agents");
            assertThatThrownBy(() -> find(agent.address(), Optional.of(strangers), 3))
                    .hasMessageContaining("0 of 1 agents");
        }
    }

    @Test
    void beyondThisMachineNothingListensWithoutCertificates() {
        // Addresses of documentation: nobody has them, and it must not come to binding one.
        for (String host : new String[] {"192.0.2.1", "0.0.0.0", "2001:db8::1"}) {
            assertThatThrownBy(() -> Agent.start(agent(new NodeAddress(host, 0), Optional.empty()), said -> {}))
                    .isInstanceOfSatisfying(
                            PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                    .hasMessageContaining("plimsoll fleet certs DIR HOST");
        }
    }

    @Test
    void aDirectoryWithoutCertificatesIsNamed() {
        assertThatThrownBy(() -> Certificates.in(Optional.of(directory)))
                .hasMessageContaining(directory.resolve("host.p12").toString());
    }
}
