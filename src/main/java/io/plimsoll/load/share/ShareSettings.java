package io.plimsoll.load.share;

import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.LoadContext;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Quantities;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The scenario keys of an entry with share groups, and the resulting client and group settings. */
final class ShareSettings {
    /** Whether members acknowledge each record, or the next poll accepts all records. */
    static final Key<String> ACKNOWLEDGE =
            Key.choice("acknowledge", "implicit", List.of("implicit", "explicit"), word -> word);

    static final Key<Double> RELEASE = ratio("release");
    static final Key<Double> REJECT = ratio("reject");
    static final Key<Double> HOLD = ratio("hold");
    static final Key<Duration> LOCK = Key.duration("lock", Duration.ofSeconds(30));

    static final Key<Map<String, String>> GROUP_CONFIG =
            Key.properties("groupConfig", "{share.delivery.count.limit: 3}").noneByDefault();

    static final Key<Boolean> COUNT_MEMBERS = Key.flag("countMembers");
    static final List<Key<?>> ALL = List.of(ACKNOWLEDGE, RELEASE, REJECT, HOLD, LOCK, GROUP_CONFIG, COUNT_MEMBERS);

    /** Properties that Plimsoll sets by default for other consumers, and that a share consumer rejects. */
    private static final List<String> NOT_FOR_SHARES = List.of("auto.offset.reset", "enable.auto.commit");

    private static Key<Double> ratio(String name) {
        return Key.scalar(name, Quantities.RATIO, 0.0, Quantities::ratio);
    }

    static boolean explicit(ConsumerSpec spec) {
        return spec.get(ACKNOWLEDGE).equals("explicit");
    }

    static Map<String, Object> client(LoadContext context, ConsumerSpec spec, String groupId, int member) {
        Map<String, Object> properties = ClientProperties.of(context, spec, groupId, member);
        NOT_FOR_SHARES.stream().filter(name -> !spec.config().containsKey(name)).forEach(properties::remove);
        // IDs are made unique, as in Kafka's own tool.
        properties.computeIfPresent(
                "client.id", (name, id) -> spec.config().containsKey(name) ? id + "-" + (member + 1) : id);
        properties.putIfAbsent("share.acknowledgement.mode", spec.get(ACKNOWLEDGE));
        return properties;
    }

    /** The settings of a group. An existing group keeps its start position. */
    static Map<String, String> group(ConsumerSpec spec) {
        Map<String, String> settings = new TreeMap<>();
        boolean latest = spec.start() instanceof ConsumerSpec.Start.Latest;
        if (!spec.get(ConsumerSpec.EXISTING_GROUP)) {
            settings.put("share.auto.offset.reset", latest ? "latest" : "earliest");
        }
        if (spec.settings().keys().contains(LOCK)) {
            settings.put(
                    "share.record.lock.duration.ms",
                    String.valueOf(spec.get(LOCK).toMillis()));
        }
        settings.putAll(spec.get(GROUP_CONFIG));
        return settings;
    }
}
