package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The figures that a check can name, each with the possible dimensions of its limit. */
public final class Figures {
    /** All figures by name, in alphabetical order. */
    static final Map<String, CheckableFigure> KNOWN = known();

    /** Accepted dimensions by figure name, in alphabetical order. */
    public static final Map<String, Set<Dimension>> ALL = dimensions(false);

    /** Figures that exist for each second of a trial, with their accepted dimensions. */
    public static final Map<String, Set<Dimension>> PER_SECOND = dimensions(true);

    /** Rates and sizes that are costs of a load, so that lower values are better. */
    private static final Pattern COSTS =
            Pattern.compile(".*\\.(bytesRejected|diskRead|hostDiskRead|remoteFetch|memory)");

    /**
     * Whether a higher value of a figure is better: true for most rates, false for times, memory and rates that are
     * costs, empty for counts, shares and other sizes.
     */
    public static Optional<Boolean> moreIsBetter(String figure) {
        Set<Dimension> dimensions = ALL.getOrDefault(figure, Set.of());
        if (dimensions.contains(Dimension.MICROSECONDS) || COSTS.matcher(figure).matches()) {
            return Optional.of(false);
        }
        return dimensions.contains(Dimension.BYTES_PER_SECOND) ? Optional.of(true) : Optional.empty();
    }

    /** @throws IllegalArgumentException for an unknown figure */
    public static Set<Dimension> dimensions(String figure) {
        Set<Dimension> dimensions = ALL.get(figure);
        if (dimensions == null) {
            throw new IllegalArgumentException("no such figure: " + figure);
        }
        return dimensions;
    }

    private static Map<String, CheckableFigure> known() {
        Map<String, CheckableFigure> known = new TreeMap<>();
        for (CheckableFigure.Source source :
                ServiceLoader.load(CheckableFigure.Source.class, Figures.class.getClassLoader())) {
            source.checkable().forEach(figure -> known.put(figure.id(), figure));
        }
        return Collections.unmodifiableMap(known);
    }

    private static Map<String, Set<Dimension>> dimensions(boolean perSecond) {
        Map<String, Set<Dimension>> dimensions = new TreeMap<>();
        KNOWN.forEach((id, figure) -> {
            if (!perSecond || figure.perSecond()) {
                dimensions.put(id, figure.dimensions());
            }
        });
        return Collections.unmodifiableMap(dimensions);
    }
}
