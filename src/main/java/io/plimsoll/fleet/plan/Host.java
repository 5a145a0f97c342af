package io.plimsoll.fleet.plan;

import java.util.Map;

/**
 * A host for load.
 *
 * @param name unique in the fleet
 * @param labels assigned by its owner, such as {@code zone=a}
 * @param capacity relative to other hosts; more than 0
 */
public record Host(String name, Map<String, String> labels, double capacity) {
    public Host {
        labels = Map.copyOf(labels);
        if (!(capacity > 0) || Double.isInfinite(capacity)) {
            throw new IllegalArgumentException("a capacity of " + capacity);
        }
    }

    /** Whether it has all of these labels. */
    public boolean has(Map<String, String> wanted) {
        return labels.entrySet().containsAll(wanted.entrySet());
    }
}
