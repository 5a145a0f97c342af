package io.plimsoll.load;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Engine;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Optional;

/**
 * An engine, implemented in a package below this one and registered in {@code
 * META-INF/services/io.plimsoll.scenario.Engine}. Code outside the package of an engine never compares engine names.
 * Usable by any thread.
 */
public interface LoadKind extends Engine {

    /** The producers of this engine; empty if not supported. */
    default Optional<ProducerKind> producers() {
        return this instanceof ProducerKind kind ? Optional.of(kind) : Optional.empty();
    }

    /** The consumers of this engine; empty if not supported. */
    default Optional<ConsumerKind> consumers() {
        return this instanceof ConsumerKind kind ? Optional.of(kind) : Optional.empty();
    }

    /** Whether {@code plimsoll calibrate} can measure the maximum of this engine on a host. */
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

    /** @throws PlimsollException {@link Exit#USAGE} for a setting that the engine does not support */
    static void refuse(boolean refused, String where, String key, Object... arguments) {
        Exit.USAGE.when(refused, "load.ofPart", where, Sentence.of(key, arguments));
    }

    /** All engines, in registration order. */
    static List<LoadKind> all() {
        return Engine.all().values().stream()
                .filter(LoadKind.class::isInstance)
                .map(LoadKind.class::cast)
                .toList();
    }

    /** @throws IllegalStateException if unknown; scenarios are validated earlier */
    static LoadKind of(String engine) {
        return all().stream()
                .filter(kind -> kind.name().equals(engine))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no engine is registered under the name " + engine));
    }

    static ProducerKind producers(String engine) {
        return of(engine).producers().orElseThrow();
    }

    static ConsumerKind consumers(String engine) {
        return of(engine).consumers().orElseThrow();
    }
}
