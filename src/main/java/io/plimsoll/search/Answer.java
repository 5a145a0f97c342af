package io.plimsoll.search;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a search so far.
 *
 * @param bounds of each requested goal
 * @param end why it ended; null while it runs
 * @param confirmed whether the longer trial at the lower bound of the lowest goal passed, or none was requested
 */
public record Answer(Map<Goal, Bounds> bounds, @Nullable End end, boolean confirmed) {

    /** Why a search ended. */
    public enum End {
        /** Both bounds are known. */
        FOUND,
        /** The highest requested load passes. */
        MOST_REACHED,
        /** Not even the lowest load passes. */
        NOTHING_PASSES,
        /** The load generator failed first: the cluster sustains at least the lower bound. */
        GENERATOR_LIMITED,
        /** Time ran out before the bounds had the requested precision. */
        OUT_OF_TIME
    }
}
