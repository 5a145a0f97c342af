package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Keys and rules that entries of producers and of consumers share. */
final class LoadKeys {
    static final int MOST_CLIENTS = 10_000;
    private static final String KIND = "kind";

    static Key<List<String>> topics() {
        return Key.list("topic", Sentence.of("scenario.a.topics"), String.class, LoadKeys::topics)
                .required();
    }

    private static Optional<List<String>> topics(EntryReading entry, String key) {
        Collection<String> known = entry.topics().keySet();
        Set<String> names = new LinkedHashSet<>();
        return entry.list(key, true, text -> {
                    for (String name : TopicSpec.expand(text)) {
                        if (!known.isEmpty() && !known.contains(name)) {
                            Sentence near = Suggestions.didYouMean(name, known);
                            String wrong = near.equals(Sentence.NONE) ? "scenario.noTopic" : "scenario.noTopicNear";
                            throw new InvalidValueException(wrong, Texts.quoted(name), near);
                        }
                        InvalidValueException.when(!names.add(name), "scenario.namedTwice", Texts.quoted(name));
                    }
                    return text;
                })
                .map(all -> List.copyOf(names));
    }

    /** The engine of an entry, which must support this kind of entry; keys of other engines are invalid. */
    static Key<String> engine(Predicate<Engine> able, Function<Engine, List<Key<?>>> keys) {
        Map<String, String> words = new LinkedHashMap<>();
        names(able).forEach(name -> words.put(name, name));
        Key<String> declared = Key.of(
                "engine",
                KeyShape.Value.of(words.keySet()),
                Engine.DEFAULT,
                (entry, key) -> entry.has(key) || entry.has(KIND)
                        ? entry.only(List.of(key, KIND)).flatMap(given -> entry.choice(given, words))
                        : Optional.empty(),
                String.class);
        return declared.always().rule((entry, engine) -> {
            List<Key<?>> own = keys.apply(Engine.all().get(engine));
            Engine.all().values().forEach(other -> keys.apply(other).stream()
                    .filter(key -> !own.contains(key) && entry.settings().keys().contains(key))
                    .forEach(key -> entry.problemAt(key.name(), "scenario.otherEngine", other.name(), engine)));
        });
    }

    /** An alias of the key {@code engine}, for engines that differ in more than the transport of records. */
    static Key<Object> kind(Predicate<Engine> able) {
        return Key.part(KIND, KeyShape.Value.of(names(able)));
    }

    static List<String> names(Predicate<Engine> able) {
        return Engine.all().values().stream().filter(able).map(Engine::name).toList();
    }

    static List<Key<?>> own(Function<Engine, List<Key<?>>> keys) {
        return Engine.all().values().stream()
                .<Key<?>>flatMap(engine -> keys.apply(engine).stream())
                .distinct()
                .toList();
    }

    static Key<Map<String, String>> agents() {
        return Key.labels("on", "{zone: a}");
    }

    static BiConsumer<EntryReading, Map<String, String>> wholeNumbers(String... properties) {
        return (entry, config) -> {
            for (String property : properties) {
                String text = config.get(property);
                if (text != null && !isWhole(text.strip()) && !isLookedUp(text)) {
                    entry.problemInMap(
                            "config",
                            property,
                            InvalidValueException.expected("scenario.a.whole", text)
                                    .sentence());
                }
            }
        };
    }

    /** Whether the text contains a reference that a config provider of the Kafka client resolves only later. */
    static boolean isLookedUp(String text) {
        return text.contains("${");
    }

    private static boolean isWhole(String text) {
        return text.matches("-?[0-9]{1,18}");
    }

    /**
     * A property's value; the fallback if the property is missing, an unresolved reference, or invalid, which another
     * rule reports.
     */
    static long number(Map<String, String> config, String property, long fallback) {
        String text = config.getOrDefault(property, "").strip();
        return isWhole(text) ? Long.parseLong(text) : fallback;
    }

    /**
     * With {@code oneTopicEach}, at least as many clients or groups as topics are required, so that every topic is
     * used.
     */
    static BiConsumer<EntryReading, Boolean> enough(Key<List<String>> topics, Key<Integer> parties) {
        return (entry, oneTopicEach) -> {
            int all = entry.get(topics).size();
            if (oneTopicEach && entry.get(parties) < all) {
                entry.problemAt("oneTopicEach", "scenario.topicsLeftOut", all, entry.get(parties), parties);
            }
        };
    }
}
