package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.fleet.Certificates.CertificateMaker;
import io.plimsoll.testing.Said;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates expire and can be revoked. */
class CertificatesTest {
    private static final NodeAddress HERE = new NodeAddress("127.0.0.1", 0);

    @TempDir
    Path directory;

    @Test
    void warnsBeforeExpiryAndRefusesExpiredOrRevoked() {
        Path made = new CertificateMaker(directory, 40).host("127.0.0.1");
        Certificates certificates = Certificates.in(made);
        Instant ends = certificates.ends();
        assertThat(Duration.between(Instant.now(), ends)).isBetween(Duration.ofDays(39), Duration.ofDays(41));
        assertThat(Certificates.warning("x", ends, ends.minus(Duration.ofDays(31))))
                .isEmpty();
        assertThat(Certificates.warning("x", ends, ends.minus(Duration.ofDays(29)))
                        .orElseThrow()
                        .english())
                .containsPattern(Said.en("fleet.certificateEnds", "x", Certificates.date(ends), 29));
        assertThatCode(() -> certificates.requireFor(HERE, ends.minusSeconds(1)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> certificates.requireFor(HERE, ends))
                .hasMessageFindingMatch(Said.en("fleet.certificateEnded", null, Certificates.date(ends))
                        .pattern());
        revokedOnesAreListedForAllOthers(certificates);
    }

    /** Reuses the existing authority: each call of keytool takes time. */
    private void revokedOnesAreListedForAllOthers(Certificates first) {
        CertificateMaker maker = new CertificateMaker(directory, 40);
        Certificates second = Certificates.in(maker.host("localhost"));
        assertThat(first.revoked()).isEmpty();
        assertThatThrownBy(() -> maker.revoke(List.of("load9")))
                .hasMessageFindingMatch(
                        Said.en("fleet.nothingToRevoke", "load9").pattern());
        Path list = maker.revoke(List.of("localhost"));
        assertThat(list).hasFileName("crl.pem");
        assertThat(first.revoked().orElseThrow().getRevokedCertificates()).hasSize(1);
        assertThatCode(() -> first.requireFor(HERE, Instant.now())).doesNotThrowAnyException();
        assertThatThrownBy(() -> second.requireFor(HERE, Instant.now())).hasMessageContaining("is revoked");
        maker.revoke(List.of("127.0.0.1"));
        assertThat(first.revoked().orElseThrow().getRevokedCertificates()).hasSize(2);
        assertThatThrownBy(() -> first.requireFor(HERE, Instant.now())).hasMessageContaining("is revoked");
    }

    /** Its directory is the authority's; the keys would be overwritten. */
    @Test
    void refusesHostNamedAuthority() {
        assertThatThrownBy(() -> new CertificateMaker(directory, 1).host("authority"))
                .hasMessageFindingMatch(Said.en("fleet.notAHost", "authority").pattern());
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void refusesToRevokeWithoutAuthority() throws Exception {
        assertThatThrownBy(() -> new CertificateMaker(directory, 1).revoke(List.of("x")))
                .hasMessageFindingMatch(Said.en("fleet.noAuthority").pattern());
        assertThat(directory).isEmptyDirectory();
    }
}
