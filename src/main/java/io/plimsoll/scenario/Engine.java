package io.plimsoll.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * A way of making load, as far as a scenario has to know of it: its name at the key {@code engine}, and what it can be
 * asked for. The classes of all that are there are named in {@code META-INF/services/io.plimsoll.scenario.Engine}.
 */
public interface Engine {
    /** The engine of an entry that names none. */
    String DEFAULT = "client";

    /** Its name in scenarios and results: a word in small letters. */
    String name();

    /** Whether entries of {@code producers} may name it. */
    boolean produces();

    /** Whether entries of {@code consumers} may name it. */
    boolean consumes();

    /** Whether its consumers are members of groups on the cluster, each of which can be made to fail. */
    default boolean joinsGroups() {
        return true;
    }

    /** Whether several members of a group may read a partition at a time. */
    default boolean sharesPartitions() {
        return false;
    }

    /** Topics that such consumers write to. */
    default Set<String> writes(ConsumerSpec spec) {
        return Set.of();
    }

    /** Whether such consumers change settings of their groups, which others in these would have as well. */
    default boolean changesGroups(ConsumerSpec spec) {
        return false;
    }

    /** The keys that entries of {@code producers} have for it alone. */
    default List<Key<?>> producerKeys() {
        return List.of();
    }

    /** The keys that entries of {@code consumers} have for it alone. */
    default List<Key<?>> consumerKeys() {
        return List.of();
    }

    /** All of them by name, in the order in which they are registered. */
    static Map<String, Engine> all() {
        return Registered.ENGINES;
    }

    /** Keeps them, since looking for them reads files of the class path. */
    final class Registered {
        private static final Map<String, Engine> ENGINES = find();

        private Registered() {}

        private static Map<String, Engine> find() {
            Map<String, Engine> found = new LinkedHashMap<>();
            ServiceLoader.load(Engine.class, Engine.class.getClassLoader())
                    .forEach(engine -> found.put(engine.name(), engine));
            return Collections.unmodifiableMap(found);
        }
    }
}
