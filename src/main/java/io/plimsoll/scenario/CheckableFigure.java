package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import java.util.Set;

/**
 * A figure as a check names it.
 *
 * @param id such as {@code produce.throughput}, or {@code produce.response.p99} where there are statistics
 * @param dimensions that its limit may have, in the order in which they are tried
 * @param perSecond whether each second has it, too
 * @param guards whether it is known while a load goes on, so that it can guard one
 * @param statistic such as {@code p99}, with which the id ends; null for a figure without statistics
 */
public record CheckableFigure(
        String id, Set<Dimension> dimensions, boolean perSecond, boolean guards, String statistic) {
    /** Knows figures; found as a {@link java.util.ServiceLoader service}, since figures are declared in rooms above. */
    public interface Source {
        /** Every figure that checks may name. */
        Iterable<CheckableFigure> checkable();
    }
}
