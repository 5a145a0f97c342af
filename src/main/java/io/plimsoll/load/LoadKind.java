package io.plimsoll.load;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Engine;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Optional;

/**
 * A way of making load, which is one package below this one: it names its class in
 * {@code META-INF/services/io.plimsoll.scenario.Engine} and answers whatever others want to know of it. Nobody outside
 * the package asks by name what it is. Any thread.
 */
public interface LoadKind extends Engine {

    /** How it makes producers; empty if it has none. */
    default Optional<ProducerKind> producers() {
        return Optional.empty();
    }

    /** How it makes consumers; empty if it has none. */
    default Optional<ConsumerKind> consumers() {
        return Optional.empty();
    }

    /** Whether {@code plimsoll calibrate} can measure what it does on a host at most. */
    default boolean calibrated() {
        return produces() && consumes();
    }

    @Override
    default boolean produces() {
        return producers().isPresent();
    }

    @Override
    default boolean consumes() {
        return consumers().isPresent();
    }

    /** Says that an entry asks for what its kind cannot do. */
    static PlimsollException refused(String where, String key, Object... arguments) {
        return Exit.USAGE.because("load.ofPart", where, Sentence.of(key, arguments));
    }

    /** All kinds, in the order in which they are registered. */
    static List<LoadKind> all() {
        return Engine.all().values().stream()
                .filter(LoadKind.class::isInstance)
                .map(LoadKind.class::cast)
                .toList();
    }

    /**
     * The kind of this name.
     *
     * @throws IllegalStateException if there is none, since scenarios were held against the names
     */
    static LoadKind of(String engine) {
        return all().stream()
                .filter(kind -> kind.name().equals(engine))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no engine is registered under the name " + engine));
    }

    /** The producers of the kind of this name, which has some. */
    static ProducerKind producers(String engine) {
        return of(engine).producers().orElseThrow();
    }

    /** The consumers of the kind of this name, which has some. */
    static ConsumerKind consumers(String engine) {
        return of(engine).consumers().orElseThrow();
    }
}
