package io.plimsoll.scenario;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A kind of fault, as far as a scenario, a result and a report have to know of it. The classes of all that are there are
 * named in {@code META-INF/services/io.plimsoll.scenario.FaultKind}.
 */
public interface FaultKind {
    /** Its key in an entry of {@code faults}, whose value says to whom it happens, or what is done. */
    Key<?> key();

    /** As in scenarios and results, such as {@code kill}. */
    default String name() {
        return key().name();
    }

    /** The keys that it has for itself. */
    default List<Key<?>> keys() {
        return List.of();
    }

    /** The key that says when it ends: {@link FaultKeys#FOR} or {@link FaultKeys#RESTART_AFTER}. */
    default Key<Optional<Duration>> end() {
        return FaultKeys.FOR;
    }

    /** Whether one that comes again, or comes to each broker in turn, must say when it ends. */
    default boolean needsEnd() {
        return true;
    }

    /**
     * To whom an entry lets it happen.
     *
     * @return empty if that could not be read, and a problem was added
     */
    Optional<FaultSpec.Target> target(Settings fault);

    /** What is planned, as a person would say it. */
    default String planned(String whom, Settings fault) {
        return name() + " " + whom;
    }

    /** What is done, in English, with <code>{0}</code> for the one to whom it is done. */
    String english();

    /** {@link #english()} in Chinese. */
    String chinese();

    /** Whether acknowledged records may be lost by it, so that an audit charges it with those that are. */
    boolean mayLoseRecords();

    /** Holds the values of an entry against each other, and adds problems. */
    default void check(EntryReading fault) {}

    /** All of them by name, in the order in which they are registered. */
    static Map<String, FaultKind> all() {
        return Registered.KINDS;
    }

    /** Keeps them, since looking for them reads files of the class path. */
    final class Registered {
        private static final Map<String, FaultKind> KINDS = find();

        private Registered() {}

        private static Map<String, FaultKind> find() {
            Map<String, FaultKind> found = new LinkedHashMap<>();
            ServiceLoader.load(FaultKind.class, FaultKind.class.getClassLoader())
                    .forEach(kind -> found.put(kind.name(), kind));
            return Collections.unmodifiableMap(found);
        }
    }
}
