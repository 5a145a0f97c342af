package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strict parsing of a lab's security, and owner-only credential files. */
class LabSecurityTest {
    @TempDir
    Path lab;

    @Test
    void acceptsWordsInAnyOrderAndCase() {
        LabSecurity security = LabSecurity.parse("acls, scram-sha-512, reauth=90s,Sasl_Ssl,PLAIN");
        assertThat(security.protocol()).isEqualTo("SASL_SSL");
        assertThat(security.mechanisms()).containsExactly("SCRAM-SHA-512", "PLAIN");
        assertThat(security.acls()).isTrue();
        assertThat(security.sessions()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void certificateExpiryRequiresTls() {
        LabOptions tls = LabOptions.ephemeral(1).withSecurity(LabSecurity.parse("SSL"));
        LabNode.LabPorts ports =
                new LabNodes(tls.withBrokersApart(), lab).all(null).get(0).ports();
        assertThat(ports.internal()).isPositive().isEqualTo(ports.internalAdvertised());
        assertThatThrownBy(() -> LabOptions.ephemeral(1).withBrokersApart())
                .hasMessageContaining("have no certificates");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PLAINTEXT",
                "SSL",
                "SSL,mutual,acls",
                "SASL_SSL,OAUTHBEARER,PLAIN,acls,reauth=5s",
                "SASL_PLAINTEXT,GSSAPI,realm=R,keytab=/k,krb5=/etc/krb5.conf"
            })
    void textParsesBackAsTheSame(String words) {
        LabSecurity security = LabSecurity.parse(words);
        assertThat(LabSecurity.parse(security.text())).isEqualTo(security);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SCRAM-SHA-256 | «lab.security.protocol¦SCRAM-SHA-256»",
                "SASL_SSL | «lab.security.mechanism»",
                "SSL,PLAIN | «lab.security.mechanism»",
                "SASL_SSL,PLAIN,mutual | «lab.security.mutual»",
                "SSL,acls | «lab.security.acls»",
                "SSL,mutual,reauth=1m | «lab.security.sessions»",
                "SASL_SSL,PLAIN,reauth=soon | reauth",
                "SASL_SSL,GSSAPI,realm=X | keytab=FILE",
                "SASL_SSL,PLAIN,acl | «lab.security.word¦acl»",
                "SASL_SSL,PLAIN,acls=yes | «lab.security.word¦acls=yes»"
            })
    void refusesInvalidSettings(String words, String why) {
        assertThatThrownBy(() -> LabSecurity.parse(words))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining(Said.text(why));
    }

    @Test
    void credentialFilesAreOwnerOnlyAndCreatedOnce() throws IOException {
        LabSecurity security = LabSecurity.parse("SASL_SSL,SCRAM-SHA-256,OAUTHBEARER");
        LabLogins logins = LabLogins.of(security, lab, LabNode.HOST);
        List<Path> files;
        try (Stream<Path> found = Files.walk(LabLogins.in(lab))) {
            files = found.toList();
        }
        assertThat(files).hasSizeGreaterThan(10).allSatisfy(file -> assertThat(
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------"));
        assertThat(LabLogins.of(security, lab, LabNode.HOST).client()).isEqualTo(logins.client());
        String properties = Files.readString(logins.properties(LabLogins.ADMIN), StandardCharsets.UTF_8);
        logins.client().forEach((name, value) -> assertThat(properties).contains(name + "=" + value + "\n"));
        assertThat(logins.client(LabLogins.USER, "SCRAM-SHA-256").get("sasl.jaas.config"))
                .isNotEqualTo(logins.client().get("sasl.jaas.config"));
    }
}
