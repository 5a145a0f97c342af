package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A figure that checks can name.
 *
 * @param id such as {@code produce.throughput} or, with a statistic, {@code produce.response.p99}
 * @param dimensions of its limit, in the order in which they are tried
 * @param perSecond whether each second has it, too
 * @param guards whether it is known during the load, for guards
 * @param statistic such as {@code p99}; null without statistics
 */
public record CheckableFigure(
        String id,
        Set<Dimension> dimensions,
        boolean perSecond,
        boolean guards,
        @Nullable String statistic) {
    /** Declares figures, as a {@link java.util.ServiceLoader service}. */
    public interface Source {
        Iterable<CheckableFigure> checkable();
    }
}
