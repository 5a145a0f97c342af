package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.fleet.OrderCheck.DataDirectory;
import io.plimsoll.fleet.OrderCheck.LoginSettings;
import io.plimsoll.scenario.RecordSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An order that an agent cannot execute is rejected with the reason. */
class OrderCheckTest {
    @TempDir
    Path directory;

    private Path data;
    private OrderCheck check;

    @BeforeEach
    void makeData() throws Exception {
        data = Files.createDirectories(directory.resolve("data"));
        Files.writeString(data.resolve("values.txt"), "one\ntwo\n");
        Files.writeString(directory.resolve("secret.txt"), "three\n");
        Files.createSymbolicLink(data.resolve("link.txt"), directory.resolve("secret.txt"));
        check = new OrderCheck(new DataDirectory(Optional.of(data), List.of()), new LoginSettings(Set.of()));
    }

    private static Order order(String producer) {
        return WireTest.order("name: n\ntopics: [{name: t}]\nproducers: [{topic: t, " + producer + "}]");
    }

    private static Order with(String property, String value) {
        Order plain = order("clients: 1");
        Map<String, String> properties = new HashMap<>(plain.clientProperties());
        properties.put(property, value);
        return new Order(
                plain.trial(),
                plain.load(),
                plain.share(),
                plain.run(),
                properties,
                plain.endToEnd(),
                plain.drainLimit(),
                plain.faults());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acks | all",
                "enable.metrics.push | false",
                "security.protocol | SASL_SSL",
                "sasl.mechanism | PLAIN",
                "ssl.truststore.certificates | -----BEGIN CERTIFICATE-----",
                "ssl.truststore.type | PEM",
                "group.remote.assignor | uniform",
                "partition.assignment.strategy | org.apache.kafka.clients.consumer.RangeAssignor",
                "partition.assignment.strategy | org.apache.kafka.clients.consumer.StickyAssignor,"
                        + " org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
                "sasl.jaas.config | org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\""
                        + " password=\"p\";",
                "sasl.jaas.config | org.apache.kafka.common.security.scram.ScramLoginModule required username=\"u\""
                        + " password=\"p;q /* r\";"
            })
    void acceptsSafeSettings(String property, String value) {
        assertThatCode(() -> check.checked(with(property, value))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "interceptor.classes | com.example.Evil",
                "metric.reporters | com.example.Evil",
                "partitioner.class | com.example.Evil",
                "security.providers | com.example.Evil",
                "sasl.login.callback.handler.class | com.example.Evil",
                "sasl.client.callback.handler.class | com.example.Evil",
                "ssl.engine.factory.class | com.example.Evil",
                "ssl.keystore.location | /etc/shadow",
                "ssl.truststore.location | /etc/shadow",
                "sasl.oauthbearer.token.endpoint.url | file:///etc/shadow",
                "partition.assignment.strategy | com.example.Evil",
                "partition.assignment.strategy | org.apache.kafka.clients.consumer.RangeAssignor,com.example.Evil",
                "auto.include.jmx.reporter.x | zzz",
                "some.unknown.key | zzz",
                "sasl.jaas.config | com.sun.security.auth.module.JndiLoginModule required x=\"y\";",
                "sasl.jaas.config | org.apache.kafka.common.security.plain.PlainLoginModule required; com.example.Evil"
                        + " required;",
                "sasl.jaas.config | org.apache.kafka.common.security.plain.PlainLoginModule required /* \" */;"
                        + " com.example.Evil required; /* \" */",
                "sasl.jaas.config | org.apache.kafka.common.security.plain.PlainLoginModule optional username=\"u\";"
            })
    void refusesUnsafeSettings(String property, String value) {
        assertThatThrownBy(() -> check.checked(with(property, value)))
                .isInstanceOf(PlimsollException.class)
                .hasMessageContaining(property)
                .hasMessageNotContaining(value);
    }

    private static Order reading(String consumer) {
        return WireTest.order("name: n\ntopics: [{name: t}, {name: u}]\nproducers: [{topic: t, rate: 1/s}]\n"
                + "consumers: [{topic: t, " + consumer + "}]");
    }

    /** A pipeline's producers have their own properties, and share groups have settings of the cluster. */
    @Test
    void checksPropertiesOfEveryKey() {
        assertThatThrownBy(() -> check.checked(
                        reading("kind: pipeline, output: u, outputConfig: {interceptor.classes: com.example.Evil}")))
                .isInstanceOf(PlimsollException.class)
                .hasMessageContaining("consumers.outputConfig")
                .hasMessageContaining("interceptor.classes");
        assertThatThrownBy(() -> check.checked(reading("config: {ssl.keystore.location: /etc/shadow}")))
                .hasMessageContaining("consumers.config");
        assertThatCode(() -> check.checked(reading("kind: pipeline, output: u, outputConfig: {linger.ms: 5}")))
                .doesNotThrowAnyException();
        assertThatCode(() -> check.checked(reading("kind: share, groupConfig: {share.delivery.count.limit: 3}")))
                .doesNotThrowAnyException();
    }

    @Test
    void takesPayloadFilesFromDataDirectory() {
        Order checked = check.checked(order("record: {payload: {file: values.txt}}"));
        assertThat(checked.load().producers().get(0).record().payload())
                .isInstanceOfSatisfying(RecordSpec.Payload.File.class, file -> assertThat(file.path())
                        .isEqualTo(data.resolve("values.txt").toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../secret.txt", "/etc/hostname", "link.txt", "absent.txt", "x/../../secret.txt"})
    void refusesPayloadFilesOutsideDataDirectory(String path) {
        assertThatThrownBy(() -> check.checked(order("record: {payload: {file: " + path + "}}")))
                .isInstanceOf(PlimsollException.class)
                .hasMessageContaining("this agent's --data");
    }
}
