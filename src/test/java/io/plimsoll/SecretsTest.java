package io.plimsoll;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of settings that speak of secrets are never printed. */
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
    void knowsWhatIsSecret(String name) {
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
    void knowsWhatIsNot(String name) {
        assertThat(Secrets.isSecret(name)).isFalse();
    }

    @Test
    void redactsValuesAndKeepsOrder() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("z", "1");
        properties.put("ssl.key.password", "hush");
        properties.put("a", "2");
        assertThat(Secrets.redact(properties))
                .containsExactly(
                        Map.entry("z", "1"), Map.entry("ssl.key.password", Secrets.HIDDEN), Map.entry("a", "2"));
    }

    @Test
    void scrubsWhatALibraryQuotes() {
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
    void scrubsTheLongerOfTwoOverlappingValuesWhole() {
        Map<String, String> properties = Map.of("a.password", "abc", "b.password", "abcdef");
        assertThat(Secrets.scrub("is abcdef", properties)).isEqualTo("is (redacted)");
    }
}
