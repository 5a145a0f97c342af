package io.plimsoll.scenario;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/**
 * A way of making load, as far as a scenario has to know of it: its name at the key {@code engine}, and what it can be
 * asked for. The classes of all that are there are named in {@code META-INF/services/io.plimsoll.scenario.Engine}.
 */
public interface Engine {
    /** The engine of an entry that names none. */
    String DEFAULT = "client";

    /** As in scenarios and results: a word in small letters. */
    String name();

    /** Whether entries of {@code producers} may name it. */
    boolean produces();

    /** Whether entries of {@code consumers} may name it. */
    boolean consumes();

    /** Whether its consumers are members of groups on the cluster, each of which can be made to fail. */
    boolean joinsGroups();

    /** All of them by name, in the order in which they are registered. */
    static Map<String, Engine> all() {
        return Registered.ENGINES;
    }

    /** The names of those that can do something, each with itself, as words of a key. */
    static Map<String, String> names(Predicate<Engine> able) {
        Map<String, String> names = new LinkedHashMap<>();
        all().values().stream().filter(able).map(Engine::name).forEach(name -> names.put(name, name));
        return names;
    }

    /** Keeps them, since looking for them reads files of the class path. */
    final class Registered {
        private static final Map<String, Engine> ENGINES = find();

        private Registered() {}

        private static Map<String, Engine> find() {
            Map<String, Engine> found = new LinkedHashMap<>();
            ServiceLoader.load(Engine.class, Engine.class.getClassLoader())
                    .forEach(engine -> found.put(engine.name(), engine));
            return java.util.Collections.unmodifiableMap(found);
        }
    }
}
