package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A figure that checks can name.
 *
 * @param id such as {@code produce.throughput} or, with a statistic, {@code produce.response.p99}
 * @param dimensions possible dimensions of a limit, in the order in which they are tried
 * @param perSecond whether each second also has the figure
 * @param guards whether the figure is known during the load, as guards require
 * @param statistic such as {@code p99}; null without statistics
 */
public record CheckableFigure(
        String id,
        Set<Dimension> dimensions,
        boolean perSecond,
        boolean guards,
        @Nullable String statistic) {
    /** Declares figures; found as a {@link java.util.ServiceLoader service}. */
    public interface Source {
        Iterable<CheckableFigure> checkable();
    }
}
