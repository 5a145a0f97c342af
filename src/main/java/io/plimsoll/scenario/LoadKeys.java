package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Keys and rules that entries of producers and of consumers share. */
final class LoadKeys {
    static final int MOST_CLIENTS = 10_000;
    private static final String KIND = "kind";

    private LoadKeys() {}

    /** The topics that an entry names, each of them one of the scenario's. */
    static Key.Draft<List<String>> topics() {
        return Key.<List<String>>of(
                        "topic",
                        new KeyShape.Value(Sentence.of("scenario.a.topics")),
                        List.of(),
                        LoadKeys::topics,
                        List.class,
                        String.class)
                .required();
    }

    private static Optional<List<String>> topics(EntryReading entry, String key) {
        Collection<String> known = entry.topics().keySet();
        Set<String> names = new LinkedHashSet<>();
        return entry.list(key, true, text -> {
                    for (String name : TopicNames.expand(text)) {
                        if (!known.isEmpty() && !known.contains(name)) {
                            Sentence near = Suggestions.didYouMean(name, known);
                            String wrong = near.equals(Sentence.NONE) ? "scenario.noTopic" : "scenario.noTopicNear";
                            throw new InvalidValueException(wrong, Texts.quoted(name), near);
                        }
                        if (!names.add(name)) {
                            throw new InvalidValueException("scenario.namedTwice", Texts.quoted(name));
                        }
                    }
                    return text;
                })
                .map(all -> List.copyOf(names));
    }

    /** The engine of an entry, one of those that can do something; keys of other engines are not for it. */
    static Key.Draft<String> engine(Predicate<Engine> able, Function<Engine, List<Key<?>>> keys) {
        List<String> names =
                Engine.all().values().stream().filter(able).map(Engine::name).toList();
        Map<String, String> words = new LinkedHashMap<>();
        names.forEach(name -> words.put(name, name));
        Key.Draft<String> draft = Key.of(
                "engine",
                KeyShape.Value.of(names),
                Engine.DEFAULT,
                (entry, key) -> entry.has(key) || entry.has(KIND)
                        ? entry.only(List.of(key, KIND)).flatMap(given -> entry.choice(given, words))
                        : Optional.empty(),
                String.class);
        return draft.always().rule((entry, engine) -> {
            List<Key<?>> own = keys.apply(Engine.all().get(engine));
            Engine.all().values().forEach(other -> keys.apply(other).stream()
                    .filter(key -> !own.contains(key) && entry.settings().keys().contains(key))
                    .forEach(key ->
                            entry.problemAt(key.name(), Sentence.of("scenario.otherEngine", other.name(), engine))));
        });
    }

    /** Another name of the key {@code engine}, for kinds that differ in more than how records travel. */
    static Key.Draft<Object> kind(Predicate<Engine> able) {
        List<String> names =
                Engine.all().values().stream().filter(able).map(Engine::name).toList();
        return Key.part(KIND, KeyShape.Value.of(names)).byDefault("", "");
    }

    /** The keys that engines have for their own entries, each once. */
    static List<Key<?>> own(Function<Engine, List<Key<?>>> keys) {
        return Engine.all().values().stream()
                .flatMap(engine -> keys.apply(engine).stream())
                .<Key<?>>map(key -> key)
                .distinct()
                .toList();
    }

    static Key<Map<String, String>> agents() {
        return Key.labels("on", "{zone: a}")
                .byDefault("any agent", "任意代理")
                .about(
                        "in a [fleet](fleet.md): labels that an agent must have to be given a part of it, such as"
                                + " `{zone: a}`",
                        "在[机群](fleet.md)中：代理必须具有这些标签才会分到它的一部分，例如 `{zone: a}`");
    }

    /** Reports properties that are there and not whole numbers. */
    static Key.Rule<Map<String, String>> wholeNumbers(String... properties) {
        return (entry, config) -> {
            for (String property : properties) {
                String text = config.get(property);
                if (text != null && !isWhole(text.strip())) {
                    entry.problemInMap(
                            "config",
                            property,
                            InvalidValueException.expected(Sentence.of("scenario.a.whole"), text)
                                    .sentence());
                }
            }
        };
    }

    private static boolean isWhole(String text) {
        return text.matches("-?[0-9]{1,18}");
    }

    /** A property's value, or the fallback if it is missing or, as already reported, not a whole number. */
    static long number(Map<String, String> config, String property, long fallback) {
        String text = config.getOrDefault(property, "").strip();
        return isWhole(text) ? Long.parseLong(text) : fallback;
    }

    /** One of the topics is for each of several parties: none may be left over. */
    static Key.Rule<Boolean> enough(Key<List<String>> topics, Key<Integer> parties) {
        return (entry, oneTopicEach) -> {
            int all = entry.get(topics).size();
            if (oneTopicEach && entry.get(parties) < all) {
                entry.problemAt(
                        "oneTopicEach", Sentence.of("scenario.topicsLeftOut", all, entry.get(parties), parties));
            }
        };
    }
}
