package io.plimsoll.measure;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * Clients (producers and group members) that terminated because of an unplanned error. They are counted in {@link
 * Produced#EVENTS} and {@link Consumed#EVENTS} by error. Stateless.
 */
public final class Endings {
    private static final String PREFIX = "ended.";

    /** The name of the event for this error. */
    public static String event(String errorKind) {
        return PREFIX + errorKind;
    }

    public static boolean any(Map<String, Long> events) {
        return !byKind(events).isEmpty();
    }

    /** Number of terminated clients by kind of error. */
    public static Map<String, Long> byKind(Map<String, Long> events) {
        return events.entrySet().stream()
                .filter(event -> event.getKey().startsWith(PREFIX))
                .collect(Collectors.toMap(event -> event.getKey().substring(PREFIX.length()), Map.Entry::getValue));
    }
}
