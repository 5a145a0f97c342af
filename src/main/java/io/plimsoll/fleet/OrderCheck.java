package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.ProducerKeys;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordKeys;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.Settings;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Checks orders from coordinators: only Kafka clients with settings that name no class and no file, and only payload files from
 * the agent's data directory.
 */
record OrderCheck(DataDirectory data, LoginSettings logins) {
    private static final Set<String> KNOWN = known();
    /** Settings that make a client load a class, read a file, or ask some server for a token. */
    private static final List<String> DENIED = List.of(
            "class",
            "interceptor",
            "reporter",
            "location",
            "file",
            "path",
            "provider",
            "callback",
            "factory",
            "url",
            "oauthbearer",
            "kerberos",
            "engine",
            "assignor",
            "assignment.strategy",
            "serializer");

    /** Kafka's own, which scenarios that repeat old experiments name; no other class can be named. */
    private static final Set<String> ASSIGNORS = Set.of(
            "org.apache.kafka.clients.consumer.RangeAssignor",
            "org.apache.kafka.clients.consumer.RoundRobinAssignor",
            "org.apache.kafka.clients.consumer.StickyAssignor",
            "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");

    private static Set<String> known() {
        Set<String> names = new HashSet<>(ProducerConfig.configNames());
        names.addAll(ConsumerConfig.configNames());
        return names;
    }

    /** @throws PlimsollException {@link Exit#USAGE} for a rejected order */
    Order checked(Order order) {
        settings(Sentence.of("fleet.clientProperties"), order.clientProperties());
        List<ProducerSpec> producers = new ArrayList<>();
        for (ProducerSpec p : order.load().producers()) {
            settings("producers.", p.settings());
            producers.add(withFiles(p));
        }
        for (ConsumerSpec c : order.load().consumers()) {
            settings("consumers.", c.settings());
        }
        return order.withProducers(producers);
    }

    /** A kind of load may have properties of its own beside {@code config}. */
    @SuppressWarnings("unchecked")
    private void settings(String where, Settings of) {
        of.keys().stream()
                .filter(key -> key.content() == Key.Content.PROPERTIES)
                .forEach(key -> settings(where + key.name(), (Map<String, String>) of.get(key)));
    }

    private void settings(Object where, Map<String, String> properties) {
        Secrets.learn(properties);
        properties.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            // Settings of share groups are the cluster's, and name nothing.
            boolean known = KNOWN.contains(name) || name.startsWith("share.");
            boolean denied = !known || DENIED.stream().anyMatch(lower::contains);
            boolean taken = !denied || isAssignors(name, value) || (KNOWN.contains(name) && logins.takes(name, value));
            Exit.USAGE.when(!taken, "fleet.settingNotTaken", where, name);
            Exit.USAGE.when(name.equals("sasl.jaas.config") && !logins.takesJaas(value), "fleet.jaasNotTaken", where);
        });
    }

    private static boolean isAssignors(String name, String value) {
        return name.equals(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG)
                && Stream.of(value.split(",", -1)).map(String::strip).allMatch(ASSIGNORS::contains);
    }

    private ProducerSpec withFiles(ProducerSpec p) {
        RecordSpec r = p.record();
        RecordSpec.Payload payload = r.payload();
        if (payload instanceof RecordSpec.Payload.File file) {
            payload = new RecordSpec.Payload.File(data.file(file.path()), file.delimiter());
        } else if (payload instanceof RecordSpec.Payload.Files files) {
            payload = new RecordSpec.Payload.Files(
                    files.paths().stream().map(data::file).toList());
        } else {
            return p;
        }
        return p.with(ProducerKeys.RECORD, r.with(RecordKeys.PAYLOAD, payload));
    }
}
