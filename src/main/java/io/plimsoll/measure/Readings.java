package io.plimsoll.measure;

import java.util.Map;

/** What was counted, and what was there, of something that is observed, by name; null where no source tells it. */
public interface Readings {
    /** What was counted. */
    Map<String, Double> sums();

    /** One of the sums. */
    default Double sum(String name) {
        return sums().get(name);
    }

    /** A gauge, on average over time. */
    Double mean(String gauge);

    /** The greatest value of a gauge. */
    Double most(String gauge);

    /** One sum ÷ another; null as well if there is nothing to divide by. */
    default Double per(String name, String other) {
        Double above = sum(name);
        Double below = sum(other);
        return above == null || below == null || below <= 0 ? null : Double.valueOf(above / below);
    }

    /** A sum ÷ the seconds in which it was counted. */
    default Double rate(String name) {
        return per(name, "seconds");
    }
}
