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
 * A kind of fault as seen by scenarios, results and reports. The kinds come from the {@link Source} named in
 * {@code META-INF/services}.
 */
public interface FaultKind {
    /** Its key in an entry of {@code faults}; the value is the target or the action. */
    Key<?> key();

    /** Its name in scenarios and results, such as {@code kill}. */
    default String name() {
        return key().name();
    }

    /** Its additional keys. */
    default List<Key<?>> keys() {
        return List.of();
    }

    /** The key that sets its end: {@link FaultSpec#FOR} or {@link FaultSpec#RESTART_AFTER}. */
    default Key<Optional<Duration>> end() {
        return FaultSpec.FOR;
    }

    /** Default duration; empty: until the load ends. */
    default Optional<Duration> usually() {
        return Optional.empty();
    }

    /** Whether it acts on brokers, so that it is limited to our own clusters. */
    default boolean changesBrokers(FaultSpec fault) {
        return false;
    }

    /** Whether a repeated fault, or one with {@code each}, must have an end. */
    default boolean needsEnd() {
        return true;
    }

    /** The target of an entry; empty if invalid, with a problem added. */
    Optional<FaultSpec.Target> target(Settings fault);

    /** Describes the action and the target of an entry. */
    Sentence planned(FaultSpec fault);

    /** Whether it can lose acknowledged records, so that the audit attributes losses to it. */
    boolean mayLoseRecords();

    /** The state of the broker during the fault, for results. */
    enum Outage {
        /** The broker is down until its restart, and other brokers take over. */
        GONE,
        /** The broker is slow or unresponsive during the fault. */
        IMPAIRED,
        /** The fault affects another component, or the broker performs an operation. */
        NONE
    }

    Outage outage();

    /** Checks the values of an entry against each other and adds problems. */
    default void check(EntryReading fault) {}

    /** All kinds by name, in the order of declaration. */
    static Map<String, FaultKind> all() {
        return Registered.KINDS;
    }

    /** Declares kinds. */
    interface Source {
        /** The kinds, in the order in which they are documented. */
        List<FaultKind> kinds();
    }

    /** Caches the kinds, because the lookup reads files on the class path. */
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
