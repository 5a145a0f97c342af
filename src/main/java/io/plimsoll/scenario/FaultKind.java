package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A kind of fault, as far as a scenario, a result and a report have to know of it. All that are there come
 * from the {@link Source} that {@code META-INF/services} names.
 */
public interface FaultKind {
    /** Its key in an entry of {@code faults}, whose value says to whom it happens, or what is done. */
    Key<?> key();

    /** Its name in scenarios and results, such as {@code kill}. */
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

    /** How long one lasts whose entry does not say so; empty: until the load ends. */
    default Optional<Duration> usually() {
        return Optional.empty();
    }

    /** Whether it changes brokers of others, so that it may happen to clusters of our own alone. */
    default boolean changesBrokers(FaultSpec fault) {
        return false;
    }

    /** Whether one that comes again, or comes to each broker in turn, must say when it ends. */
    default boolean needsEnd() {
        return true;
    }

    /** The target of an entry; empty if that could not be read, and a problem was added. */
    Optional<FaultSpec.Target> target(Settings fault);

    /** Says what one entry lets happen, and to whom. */
    Sentence planned(FaultSpec fault);

    /** Whether acknowledged records may be lost by it, so that an audit charges it with those that are. */
    boolean mayLoseRecords();

    /** What it makes of its broker, as results tell it. */
    enum Outage {
        /** The broker is gone until it is started again, and the others do its work. */
        GONE,
        /** The broker works badly, or not at all, and is missed as long as that lasts. */
        IMPAIRED,
        /** It happens to something else, or the broker does what its operator wants. */
        NONE
    }

    Outage outage();

    /** Holds the values of an entry against each other, and adds problems. */
    default void check(EntryReading fault) {}

    /** All of them by name, in the order of their declaration. */
    static Map<String, FaultKind> all() {
        return Registered.KINDS;
    }

    /** Declares kinds. */
    interface Source {
        /** The kinds, in the order in which they are documented. */
        List<FaultKind> kinds();
    }

    /** Keeps them, since looking for them reads files of the class path. */
    final class Registered {
        private static final Map<String, FaultKind> KINDS = find();

        private Registered() {}

        private static Map<String, FaultKind> find() {
            Map<String, FaultKind> found = new LinkedHashMap<>();
            ServiceLoader.load(Source.class, Source.class.getClassLoader())
                    .forEach(source -> source.kinds().forEach(kind -> found.put(kind.name(), kind)));
            return Collections.unmodifiableMap(found);
        }
    }
}
