package io.plimsoll.cli;

import io.plimsoll.scenario.omb.KafkaProperties;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The properties that the Kafka clients of this build know. */
final class KafkaClientProperties implements KafkaProperties {
    private static final Map<Client, ConfigDef> DEFINITIONS = Map.of(
            Client.PRODUCER, ProducerConfig.configDef(),
            Client.CONSUMER, ConsumerConfig.configDef(),
            Client.ADMIN, AdminClientConfig.configDef());

    @Override
    public Set<String> names(Client client) {
        return DEFINITIONS.get(client).names();
    }

    @Override
    public Optional<String> refusal(Client client, String name, String value) {
        ConfigDef.ConfigKey key = DEFINITIONS.get(client).configKeys().get(name);
        try {
            Object parsed = ConfigDef.parseType(name, value, key.type);
            if (key.validator != null) {
                key.validator.ensureValid(name, parsed);
            }
            return Optional.empty();
        } catch (ConfigException e) {
            return Optional.of("the Kafka client refuses it: " + e.getMessage() + "; change that value");
        }
    }
}
