package io.plimsoll.measure;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * Clients that could not go on: producers and members of groups that ended on an error that nobody had planted. They are counted
 * among what {@link Produced#EVENTS} and {@link Consumed#EVENTS} count, by the error that ended them. Stateless.
 */
public final class Endings {
    private static final String PREFIX = "ended.";

    private Endings() {}

    /** The event of a client that ended on such an error. */
    public static String event(String errorKind) {
        return PREFIX + errorKind;
    }

    public static boolean any(Map<String, Long> events) {
        return !byKind(events).isEmpty();
    }

    /** How many clients ended, by the kind of error. */
    public static Map<String, Long> byKind(Map<String, Long> events) {
        return events.entrySet().stream()
                .filter(event -> event.getKey().startsWith(PREFIX))
                .collect(Collectors.toMap(event -> event.getKey().substring(PREFIX.length()), Map.Entry::getValue));
    }
}
