package io.plimsoll.scenario;

import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A kind of fault as seen by scenarios, results and reports. The kinds come from the {@link Source} named in
 * {@code META-INF/services}.
 */
public abstract class FaultKind {
    private final Key<?> key;
    private final Function<Settings, Optional<Target>> target;
    private final Outage outage;
    protected List<Key<?>> keys = List.of();
    protected Key<Optional<Duration>> endKey = FaultSpec.FOR;
    protected Optional<Duration> usually = Optional.empty();
    protected Predicate<FaultSpec> changesBrokers = fault -> false;
    protected Consumer<EntryReading> check = fault -> {};

    protected FaultKind(Key<?> key, Function<Settings, Optional<Target>> target, Outage outage) {
        this.key = key;
        this.target = target;
        this.outage = outage;
    }

    /** The kind's key in an entry of {@code faults}; the value is the target or the action. */
    public Key<?> key() {
        return key;
    }

    /** The name of the kind in scenarios and results, such as {@code kill}. */
    public String name() {
        return key.name();
    }

    public List<Key<?>> keys() {
        return keys;
    }

    /** The key that sets the end of the fault: {@link FaultSpec#FOR} or {@link FaultSpec#RESTART_AFTER}. */
    public Key<Optional<Duration>> end() {
        return endKey;
    }

    /** Default duration; if empty, the fault lasts until the load ends. */
    public Optional<Duration> usually() {
        return usually;
    }

    /** Whether the fault changes brokers, so that it is limited to labs. */
    public boolean changesBrokers(FaultSpec fault) {
        return changesBrokers.test(fault);
    }

    /** Whether a repeated fault, or one with {@code each}, must have an end. */
    public abstract boolean needsEnd();

    /** The target of an entry; empty if it is invalid, which adds a problem. */
    public Optional<Target> target(Settings fault) {
        return target.apply(fault);
    }

    /** Describes the action and the target of an entry. */
    public abstract Sentence planned(FaultSpec fault);

    /** Whether the fault can lose acknowledged records, so that the audit attributes losses to the fault. */
    public abstract boolean mayLoseRecords();

    /** The state of the broker during the fault, for results. */
    public enum Outage {
        /** The broker is down until its restart, and other brokers take over. */
        GONE,
        /** The broker is slow or unresponsive during the fault. */
        IMPAIRED,
        /** The fault affects another component, or the broker performs an operation. */
        NONE
    }

    public Outage outage() {
        return outage;
    }

    /** Checks the values of an entry against each other and adds problems. */
    void check(EntryReading fault) {
        check.accept(fault);
    }

    /** All kinds by name, in the order of declaration. */
    public static Map<String, FaultKind> all() {
        return Registered.KINDS;
    }

    /** Declares kinds of faults. */
    public interface Source {
        /** The kinds, in the order in which they are documented. */
        List<FaultKind> kinds();
    }

    /** Caches the kinds, because the lookup reads files on the class path. */
    private static final class Registered {
        private static final Map<String, FaultKind> KINDS = find();

        private static Map<String, FaultKind> find() {
            Map<String, FaultKind> found = new LinkedHashMap<>();
            ServiceLoader.load(Source.class, Source.class.getClassLoader())
                    .forEach(source -> source.kinds().forEach(kind -> found.put(kind.name(), kind)));
            return Collections.unmodifiableMap(found);
        }
    }
}
