package io.plimsoll.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;

/** A load engine as seen by scenarios; registered in {@code META-INF/services/io.plimsoll.scenario.Engine}. */
public interface Engine {
    /** The default engine. */
    String DEFAULT = "client";

    /** The engine's name in scenarios and results, in lower case. */
    String name();

    boolean produces();

    boolean consumes();

    /** Whether the engine's consumers are group members, which faults can affect. */
    default boolean joinsGroups() {
        return true;
    }

    /** Whether several members of a group can read the same partition. */
    default boolean sharesPartitions() {
        return false;
    }

    default Set<String> writes(ConsumerSpec spec) {
        return Set.of();
    }

    /** Whether the engine's consumers change settings of their groups, which also affects other members. */
    default boolean changesGroups(ConsumerSpec spec) {
        return false;
    }

    /** Keys in entries of {@code producers} that only this engine has. */
    default List<Key<?>> producerKeys() {
        return List.of();
    }

    /** Keys in entries of {@code consumers} that only this engine has. */
    default List<Key<?>> consumerKeys() {
        return List.of();
    }

    /** All engines by name, in the order of registration. */
    static Map<String, Engine> all() {
        return Registered.ENGINES;
    }

    static Engine of(String name) {
        return Objects.requireNonNull(all().get(name), name);
    }

    /** Caches the engines, because the lookup reads files on the class path. */
    final class Registered {
        private static final Map<String, Engine> ENGINES = find();

        private static Map<String, Engine> find() {
            Map<String, Engine> found = new LinkedHashMap<>();
            ServiceLoader.load(Engine.class, Engine.class.getClassLoader())
                    .forEach(engine -> found.put(engine.name(), engine));
            return Collections.unmodifiableMap(found);
        }
    }
}
