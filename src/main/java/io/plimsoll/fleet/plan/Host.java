package io.plimsoll.fleet.plan;

import java.util.Map;

/**
 * Where load can be placed.
 *
 * @param name unique in the fleet
 * @param labels what its owner says of it, such as {@code zone=a}
 * @param capacity how much it carries in proportion to the others; more than 0
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
