package io.plimsoll;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;

/** The list of displayable settings equals the settings that Kafka defines, without its passwords. */
class KafkaSettingsTest {
    private static final Path LIST = Path.of("src/main/resources/io/plimsoll/kafka-settings.txt");

    /** Settings of brokers and clients of earlier versions, which scenarios for them and recorded runs contain. */
    private static final List<String> BEFORE = List.of(
            "auto.include.jmx.reporter",
            "control.plane.listener.name",
            "inter.broker.protocol.version",
            "log.message.downconversion.enable",
            "log.message.format.version",
            "log.message.timestamp.difference.max.ms",
            "max.in.flight.requests.per.connection",
            "message.downconversion.enable",
            "message.format.version",
            "message.timestamp.difference.max.ms",
            "offsets.commit.required.acks",
            "password.encoder.cipher.algorithm",
            "password.encoder.iterations",
            "password.encoder.key.length",
            "password.encoder.keyfactory.algorithm",
            "zookeeper.connect",
            "zookeeper.connection.timeout.ms",
            "zookeeper.max.in.flight.requests",
            "zookeeper.session.timeout.ms",
            "zookeeper.set.acl");

    /** With {@code -Dplimsoll.write=true} it writes the list instead. */
    @Test
    void listsAllKafkaSettingsExceptPasswords() throws Exception {
        TreeSet<String> names = new TreeSet<>(BEFORE);
        List<ConfigDef> definitions = List.of(
                ProducerConfig.configDef(),
                ConsumerConfig.configDef(),
                AdminClientConfig.configDef(),
                ofBrokers("kafka.server.KafkaConfig", "configDef"),
                ofBrokers("org.apache.kafka.storage.internals.log.LogConfig", "configDefCopy"));
        for (Field field : TopicConfig.class.getFields()) {
            if (field.getName().endsWith("_CONFIG")) {
                names.add((String) field.get(null));
            }
        }
        definitions.forEach(definition -> names.addAll(definition.names()));
        definitions.forEach(definition -> definition.configKeys().values().stream()
                .filter(key -> key.type == ConfigDef.Type.PASSWORD)
                .forEach(key -> names.remove(key.name)));
        String list = String.join("\n", names) + "\n";
        if (Boolean.getBoolean("plimsoll.write")) {
            Files.writeString(LIST, list);
        }
        assertThat(Files.readString(LIST)).isEqualTo(list);
        assertThat(names)
                .contains("acks", "ssl.truststore.location", "sasl.oauthbearer.token.endpoint.url", "retention.ms")
                .doesNotContain("sasl.jaas.config", "ssl.key.password", "ssl.truststore.certificates");
    }

    private static ConfigDef ofBrokers(String className, String method) throws ReflectiveOperationException {
        return (ConfigDef) Class.forName(className).getMethod(method).invoke(null);
    }
}
