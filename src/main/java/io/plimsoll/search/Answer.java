package io.plimsoll.search;

import java.util.Map;

/**
 * The findings of a search so far.
 *
 * @param bounds of each goal asked for
 * @param end why it ended; null while it runs
 * @param confirmed the longer trial at the lower bound of the lowest goal was passed, or none was asked for
 */
public record Answer(Map<Goal, Bounds> bounds, End end, boolean confirmed) {

    /** Why a search ended. */
    public enum End {
        /** Both bounds are known. */
        FOUND,
        /** The highest load that was asked for passes. */
        MOST_REACHED,
        /** Not even the least load passes. */
        NOTHING_PASSES,
        /** The load generator failed first: the cluster sustains at least the lower bound. */
        GENERATOR_LIMITED,
        /** The time was over before the bounds were known as well as asked for. */
        OUT_OF_TIME
    }

    public Answer {
        bounds = Map.copyOf(bounds);
    }
}
