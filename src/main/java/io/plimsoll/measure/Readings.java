package io.plimsoll.measure;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Named sums and gauges of one observed target; null for a figure that no source provides. */
public interface Readings {
    Map<String, Double> sums();

    default @Nullable Double sum(String name) {
        return sums().get(name);
    }

    /** Time-weighted mean of a gauge. */
    @Nullable
    Double mean(String gauge);

    /** Maximum of a gauge. */
    @Nullable
    Double most(String gauge);

    /** One sum ÷ another; null if either is missing or the divisor is 0. */
    default @Nullable Double per(String name, String other) {
        Double above = sum(name);
        Double below = sum(other);
        return above == null || below == null || below <= 0 ? null : Double.valueOf(above / below);
    }

    /** A sum divided by the length of the interval in seconds. */
    default @Nullable Double rate(String name) {
        return per(name, "seconds");
    }
}
