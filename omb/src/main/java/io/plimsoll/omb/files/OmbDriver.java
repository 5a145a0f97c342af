package io.plimsoll.omb.files;

import io.plimsoll.Secrets;
import io.plimsoll.omb.files.OmbFile.Property;
import io.plimsoll.omb.files.OmbSetting.KafkaProperties.Client;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.scenario.Texts;
import io.plimsoll.text.Sentence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Kafka driver file, with its properties divided among the clients. */
final class OmbDriver {
    private static final String SERVERS = "bootstrap.servers";
    private static final String PROVIDERS = "config.providers";
    private static final String ZONE = "{zone.id}";
    private static final Set<String> OURS =
            Set.of("key.serializer", "value.serializer", "key.deserializer", "value.deserializer", "group.id");
    /** Properties for which scenarios have separate keys. */
    private static final Set<String> SCENARIO_KEYS =
            Set.of("auto.offset.reset", "enable.auto.commit", "offsetCommitLingerMs");

    private final OmbFile file;
    private final OmbSetting setting;
    private final Map<String, Property> topic;
    private final Map<String, Property> common;
    private final Map<String, Property> producer;
    private final Map<String, Property> consumer;

    OmbDriver(OmbFile file, OmbSetting setting) {
        this.file = file;
        this.setting = setting;
        this.topic = file.properties(OmbKeys.TOPIC_CONFIG);
        this.common = file.properties(OmbKeys.COMMON_CONFIG);
        this.producer = file.properties(OmbKeys.PRODUCER_CONFIG);
        this.consumer = file.properties(OmbKeys.CONSUMER_CONFIG);
        checkClass();
        common.forEach(this::checkCommon);
        producer.forEach((name, p) -> check(Client.PRODUCER, OmbKeys.PRODUCER_CONFIG, name, p));
        consumer.forEach((name, p) -> check(Client.CONSUMER, OmbKeys.CONSUMER_CONFIG, name, p));
    }

    OmbFile file() {
        return file;
    }

    String name(String fallback) {
        String name = file.get(OmbKeys.NAME);
        return name.isBlank() ? fallback : name;
    }

    private void checkClass() {
        String name = file.get(OmbKeys.DRIVER_CLASS);
        String simple = name.substring(name.lastIndexOf('.') + 1);
        if (file.has(OmbKeys.DRIVER_CLASS) && !simple.contains("Kafka") && !simple.contains("Redpanda")) {
            file.problem(OmbKeys.DRIVER_CLASS, "scenario.omb.notKafka", Texts.quoted(simple));
        }
    }

    private void checkCommon(String name, Property property) {
        Optional<Client> knowing =
                Stream.of(Client.values()).filter(client -> knows(client, name)).findFirst();
        if (name.startsWith(PROVIDERS)) {
            return;
        }
        if (knowing.isPresent()) {
            refuse(knowing.get(), OmbKeys.COMMON_CONFIG, name, property);
        } else {
            Sentence near = nearest(name, Client.values());
            file.findings()
                    .unknown(property.at(), OmbKeys.COMMON_CONFIG + "." + name, "scenario.omb.noClientProperty", near);
        }
    }

    private void check(Client client, Key<?> block, String name, Property property) {
        if (OURS.contains(name)) {
            file.findings().warn(property.at(), block + "." + name, "scenario.omb.setByRun");
        } else if (knows(client, name)) {
            refuse(client, block, name, property);
        } else if (!SCENARIO_KEYS.contains(name) && !name.startsWith(PROVIDERS)) {
            String who = client == Client.PRODUCER ? "producer" : "consumer";
            file.findings()
                    .unknown(property.at(), block + "." + name, "scenario.omb.noProperty", who, nearest(name, client));
        }
    }

    private boolean knows(Client client, String name) {
        return setting.surroundings().kafka().names(client).contains(name);
    }

    private Sentence nearest(String name, Client... clients) {
        Set<String> names = Stream.of(clients)
                .flatMap(client -> setting.surroundings().kafka().names(client).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        return Suggestions.didYouMean(name, names);
    }

    private void refuse(Client client, Key<?> block, String name, Property property) {
        // A rejection can quote a secret, and clients never accept an unresolved reference.
        if (!name.equals(SERVERS)
                && !Secrets.isSecret(name)
                && !property.value().contains("${")) {
            setting.surroundings()
                    .kafka()
                    .refusal(client, name, property.value())
                    .ifPresent(why -> file.findings().problem(property.at(), block + "." + name, "scenario.text", why));
        }
    }

    /** The addresses of the cluster; empty for a lab, or if they are missing, which adds a problem. */
    Optional<String> servers() {
        if (setting.cluster().lab()) {
            return Optional.empty();
        }
        if (setting.cluster().bootstrapServers().isPresent()) {
            return setting.cluster().bootstrapServers();
        }
        for (Map<String, Property> block : List.of(common, producer, consumer)) {
            Property servers = block.get(SERVERS);
            if (servers != null && !servers.value().isBlank()) {
                return Optional.of(servers.value());
            }
        }
        Property empty = common.get(SERVERS);
        file.findings()
                .problem(
                        empty == null ? file.at(OmbKeys.COMMON_CONFIG) : empty.at(),
                        "commonConfig",
                        empty == null ? "scenario.omb.noServers" : "scenario.omb.emptyServers",
                        SERVERS);
        return Optional.empty();
    }

    /** The properties of the connection; empty for a lab. */
    Map<String, String> connection() {
        Map<String, String> properties = new LinkedHashMap<>();
        common.forEach((name, property) -> {
            if (!isConnection(name) || name.equals(SERVERS)) {
                return;
            }
            if (!setting.cluster().lab()) {
                properties.put(name, property.value());
            } else if (!name.startsWith(PROVIDERS)) {
                file.findings().warn(property.at(), "commonConfig." + name, "scenario.omb.labDoesNotAsk");
            }
        });
        return properties;
    }

    private static boolean isConnection(String name) {
        return name.equals(SERVERS)
                || name.equals("client.dns.lookup")
                || name.startsWith(PROVIDERS)
                || name.startsWith("security.")
                || name.startsWith("sasl.")
                || name.startsWith("ssl.");
    }

    Tree topicConfig() {
        Tree config = new Tree(file.at(OmbKeys.TOPIC_CONFIG), false);
        topic.forEach((name, property) -> config.text(name, property.at(), property.value()));
        return config;
    }

    Tree producerConfig() {
        return config(Client.PRODUCER, OmbKeys.PRODUCER_CONFIG, producer);
    }

    Tree consumerConfig() {
        Tree config = config(Client.CONSUMER, OmbKeys.CONSUMER_CONFIG, consumer);
        Property linger = consumer.get("offsetCommitLingerMs");
        if (linger != null) {
            config.text("auto.commit.interval.ms", linger.at(), linger.value());
        }
        return config;
    }

    private Tree config(Client client, Key<?> block, Map<String, Property> own) {
        Tree config = new Tree(file.at(block), false);
        common.forEach((name, property) -> {
            if (!isConnection(name) && knows(client, name)) {
                put(config, name, property);
            }
        });
        own.forEach((name, property) -> put(config, name, property));
        boolean refers = Stream.of(common, own)
                .flatMap(each -> each.values().stream())
                .anyMatch(property -> property.value().contains("${"));
        common.forEach((name, property) -> {
            if (refers && name.startsWith(PROVIDERS) && !own.containsKey(name)) {
                put(config, name, property);
            }
        });
        return config;
    }

    private void put(Tree config, String name, Property property) {
        if (OURS.contains(name) || SCENARIO_KEYS.contains(name) || name.equals(SERVERS)) {
            return;
        }
        String value = property.value();
        if (name.equals("client.id") && value.contains(ZONE)) {
            value = value.replace(ZONE, setting.cluster().zoneId().orElse(""));
            if (setting.cluster().zoneId().isEmpty()) {
                file.findings().warn(property.at(), "client.id", "scenario.omb.zoneEmpty", ZONE);
            }
        }
        config.text(name, property.at(), value);
    }

    String start() {
        Property reset = effective("auto.offset.reset");
        if (reset == null || reset.value().equals("latest")) {
            return "latest";
        }
        if (!reset.value().equals("earliest")) {
            Sentence expected = Sentence.or(List.of("earliest", "latest"));
            Sentence wrong =
                    InvalidValueException.expected(expected, reset.value()).sentence();
            file.findings().problems().add(reset.at(), "consumerConfig.auto.offset.reset", wrong);
        }
        return "earliest";
    }

    /** Whether the client commits offsets itself; otherwise they are committed after each poll, as in OpenMessaging Benchmark. */
    boolean commitsByItself() {
        Property auto = effective("enable.auto.commit");
        return consumer.containsKey("offsetCommitLingerMs")
                || (auto != null && auto.value().equals("true"));
    }

    Position consumerAt() {
        return file.at(OmbKeys.CONSUMER_CONFIG);
    }

    private @Nullable Property effective(String name) {
        return consumer.getOrDefault(name, common.get(name));
    }
}
