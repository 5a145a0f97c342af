package io.plimsoll.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.testing.Scenarios;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An entry's own properties also apply to its connections that bypass Kafka's clients. */
class ClientPropertiesTest {
    private static final LoadContext CONTEXT = new LoadContext(
            Map.of("bootstrap.servers", "a:1", "security.protocol", "SASL_SSL", "sasl.mechanism", "PLAIN"),
            "tag",
            1,
            1,
            text -> {});

    private static ProducerSpec spec(String config) {
        String yaml = "topics: [{name: t}]\nproducers: [{topic: t, engine: raw, config: {" + config + "}}]\n";
        return Scenarios.producer(yaml);
    }

    @Test
    void connectionsUseLoginOfTheEntry() {
        ProducerSpec spec = spec("sasl.mechanism: SCRAM-SHA-256, bootstrap.servers: 'b:1', linger.ms: 3");
        assertThat(ClientProperties.ofConnections(CONTEXT, spec.config()))
                .isEqualTo(Map.of(
                        "bootstrap.servers",
                        "a:1",
                        "security.protocol",
                        "SASL_SSL",
                        "sasl.mechanism",
                        "SCRAM-SHA-256"));
    }

    @Test
    void membersDoNotShareInstanceIdOfConnection() {
        LoadContext context = new LoadContext(Map.of("group.instance.id", "mine"), "tag", 1, 1, text -> {});
        ConsumerSpec spec = Scenarios.scenario("topics: [{name: t}]\nconsumers: [{topic: t, members: 2}]\n")
                .consumers()
                .get(0);
        assertThat(ClientProperties.of(context, spec, "group", 1)).doesNotContainKey("group.instance.id");
    }

    @ParameterizedTest
    @CsvSource({"PLAINTEXT, true", "' plaintext ', true", "ssl, false", "SASL_PLAINTEXT, false"})
    void knowsPlaintextInAnyCase(String protocol, boolean plaintext) {
        assertThat(ClientProperties.isPlaintext(Map.of("security.protocol", protocol)))
                .isEqualTo(plaintext);
        assertThat(ClientProperties.isPlaintext(Map.of())).isTrue();
    }

    @Test
    void usesClientIdOfTheEntry() {
        String none = "linger.ms: 3";
        assertThat(ClientProperties.clientId(ClientProperties.of(CONTEXT, spec(none), "producers-0", 2)))
                .isEqualTo("tag-producers-0-2");
        assertThat(ClientProperties.clientId(
                        ClientProperties.of(CONTEXT, spec("client.id: limited"), "producers-0", 2)))
                .isEqualTo("limited");
    }
}
