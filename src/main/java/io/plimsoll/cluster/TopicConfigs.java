package io.plimsoll.cluster;

import io.plimsoll.scenario.Suggestions;
import io.plimsoll.text.Sentence;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The topic configs of the Kafka release that this program has. Brokers of other releases and other products may know
 * others: they have the last word.
 */
public final class TopicConfigs {
    private static final Set<String> NAMES = names();

    private TopicConfigs() {}

    static Set<String> names() {
        Set<String> names = new TreeSet<>(
                Set.of("leader.replication.throttled.replicas", "follower.replication.throttled.replicas"));
        try {
            for (Field field : TopicConfig.class.getFields()) {
                // What brokers no longer take is deprecated there.
                if (field.getName().endsWith("_CONFIG") && !field.isAnnotationPresent(Deprecated.class)) {
                    names.add((String) field.get(null));
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return names;
    }

    /**
     * One sentence for each config that the release does not have, with the name that was probably meant.
     *
     * @param where of the configs, such as {@code --config}
     */
    public static List<Sentence> unknown(Map<String, String> configs, Object where) {
        return configs.keySet().stream()
                .filter(name -> !NAMES.contains(name))
                .map(name ->
                        Sentence.of("cluster.unknownTopicConfig", where, name, Suggestions.didYouMean(name, NAMES)))
                .toList();
    }
}
