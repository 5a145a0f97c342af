package io.plimsoll.search;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a search so far.
 * @param bounds bounds of each requested goal
 * @param end reason why the search ended; null while it runs
 * @param confirmed whether the longer trial at the lower bound of the most demanding goal passed, or no such trial was
 *     requested
 */
public record Answer(Map<Goal, Bounds> bounds, @Nullable End end, boolean confirmed) {

    /** The reason why a search ended. */
    public enum End {
        /** Both bounds are known. */
        FOUND,
        /** The highest requested load passed. */
        MOST_REACHED,
        /** Even the lowest load failed. */
        NOTHING_PASSES,
        /** The load generator failed first, so the cluster sustains at least the lower bound. */
        GENERATOR_LIMITED,
        /** The time limit was reached before the bounds had the requested precision. */
        OUT_OF_TIME
    }
}
