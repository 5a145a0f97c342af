package io.plimsoll.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What keys of producers and of consumers have in common. */
final class LoadKeys {
    static final int MOST_CLIENTS = 10_000;

    private static final String AGENTS_ENGLISH =
            "in a [fleet](fleet.md): labels that an agent must have to be given a part of it, such as `{zone: a}`";
    private static final String AGENTS_CHINESE = "在[集群压测](fleet.md)中：agent 必须具有这些标签才会分到它的一部分，例如 `{zone: a}`";

    private LoadKeys() {}

    /** The topics that an entry names, each of them one of the scenario's. */
    static Key.Draft<List<String>> topics() {
        return Key.<List<String>>of(
                        "topic",
                        new KeyShape.Value("a topic's name, a list of names, or a pattern such as events-[1-10]"),
                        List.of(),
                        (entry, key) -> Optional.of(TopicNames.referenced(
                                entry.form(), entry.topics().keySet())),
                        List.class,
                        String.class)
                .required();
    }

    /** The engine of an entry, one of those that can do something. */
    static Key.Draft<String> engine(Predicate<Engine> able) {
        Map<String, String> names = Engine.names(able);
        return Key.choice("engine", String.join(" or ", names.keySet()), names, Engine.DEFAULT);
    }

    static Key<Map<String, String>> agents() {
        return Key.properties("on", "a map of labels such as {zone: a}")
                .byDefault("any agent", "任意 agent")
                .about(AGENTS_ENGLISH, AGENTS_CHINESE);
    }

    /** Reports properties that are there and not whole numbers. */
    static Key.Rule<Map<String, String>> wholeNumbers(String... properties) {
        return (entry, config) -> {
            for (String property : properties) {
                Configs.wholeNumber(entry.form(), config, property);
            }
        };
    }

    /** One of the topics is for each of several parties. */
    static Key.Rule<Boolean> enough(Key<List<String>> topics, Key<Integer> parties) {
        return (entry, oneTopicEach) -> TopicNames.requireEnough(
                entry.form(), oneTopicEach, entry.get(topics), entry.get(parties), parties.name());
    }
}
