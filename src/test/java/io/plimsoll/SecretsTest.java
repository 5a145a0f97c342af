package io.plimsoll;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of settings with secret names are never printed. */
class SecretsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ssl.keystore.password",
                "ssl.key.password",
                "SSL.TRUSTSTORE.PASSWORD",
                "sasl.jaas.config",
                "listener.name.x.plain.sasl.jaas.config",
                "sasl.oauthbearer.client.credentials.client.secret",
                "my.token",
                "aws.credentials",
                "ssl.keystore.key",
                "listener.name.x.ssl.keystore.key",
                "ssl.key.pem",
                "basic.auth.user.info",
                "schema.registry.basic.auth.user.info",
                "private.key.file",
                "api.key"
            })
    void recognizesSecretSettings(String name) {
        assertThat(Secrets.isSecret(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bootstrap.servers",
                "key.serializer",
                "ssl.keystore.location",
                "ssl.keystore.type",
                "ssl.keymanager.algorithm",
                "sasl.mechanism",
                "security.protocol",
                "acks"
            })
    void recognizesNonSecretSettings(String name) {
        assertThat(Secrets.isSecret(name)).isFalse();
    }

    @Test
    void redactsValuesAndKeepsOrder() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("linger.ms", "1");
        properties.put("ssl.key.password", "hush");
        properties.put("my.cipher.passcode", "hush");
        properties.put("sasl.jaas.config", "${env:JAAS}");
        properties.put("sasl.oauthbearer.token.endpoint.url", "https://me:hush@host/token");
        properties.put("acks", "2");
        assertThat(Secrets.redact(properties))
                .containsExactly(
                        Map.entry("linger.ms", "1"),
                        Map.entry("ssl.key.password", Secrets.HIDDEN),
                        Map.entry("my.cipher.passcode", Secrets.HIDDEN),
                        Map.entry("sasl.jaas.config", "${env:JAAS}"),
                        Map.entry("sasl.oauthbearer.token.endpoint.url", "https://(redacted)@host/token"),
                        Map.entry("acks", "2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acks",
                "retention.ms",
                "num.network.threads",
                "listener.name.x.ssl.truststore.location",
                "listener.name.x.plain.sasl.server.callback.handler.class",
                "sasl.oauthbearer.token.endpoint.url",
                "config.providers.env.class",
                "inter.broker.protocol.version"
            })
    void showsNonSecretKafkaSettings(String name) {
        assertThat(Secrets.shows(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "my.pwd",
                "interceptor.licence",
                "listener.name.x.plain.sasl.jaas.config",
                "ssl.truststore.certificates",
                "config.providers.vault.param.token"
            })
    void hidesSecretAndUnknownSettings(String name) {
        assertThat(Secrets.shows(name)).isFalse();
    }

    /** All printed, stored or sent text passes through this class. */
    @Test
    void removesLearnedSecretsAndUserInfoFromText() {
        Secrets.learn(
                Map.of("sasl.jaas.config", "a.B required password=\"Learnt-by-the-test\";", "a.password", "short"));
        assertThat(Secrets.clean("it is Learnt-by-the-test and short")).isEqualTo("it is (redacted) and short");
        assertThat(Secrets.clean("at http://me:pw@host:1/x?y=a@b, jdbc:x://u@h and ftp://h/a@b"))
                .isEqualTo("at http://(redacted)@host:1/x?y=a@b, jdbc:x://(redacted)@h and ftp://h/a@b");
    }

    @Test
    void scrubsSecretsQuotedByLibraries() {
        Map<String, String> properties = Map.of(
                "sasl.jaas.config",
                "x.PlainLoginModule required username=\"alice\" password=\"wonder land\" user_bob='bobs';",
                "ssl.key.password",
                "hush",
                "client.id",
                "visible");
        assertThat(Secrets.scrub("alice/wonder land/bobs/hush/visible", properties))
                .isEqualTo("alice/(redacted)/(redacted)/(redacted)/visible");
        assertThat(Secrets.scrub("bad value " + properties.get("sasl.jaas.config"), properties))
                .isEqualTo("bad value (redacted)");
    }

    @Test
    void removesSecretsOfFilesThatEndWithNewline() {
        Secrets.learn(Map.of("a.password", "Newline-by-the-test\n"));
        assertThat(Secrets.clean("it is Newline-by-the-test!")).isEqualTo("it is (redacted)!");
        assertThat(Secrets.scrub("it is hush", Map.of("b.password", "hush\n"))).isEqualTo("it is (redacted)");
        assertThat(Secrets.scrub("it is passcode", Map.of("my.cipher", "passcode\n")))
                .isEqualTo("it is (redacted)");
    }

    @Test
    void scrubsLongerOfOverlappingSecretsCompletely() {
        Map<String, String> properties = Map.of("a.password", "abc", "b.password", "abcdef");
        assertThat(Secrets.scrub("is abcdef", properties)).isEqualTo("is (redacted)");
    }
}
