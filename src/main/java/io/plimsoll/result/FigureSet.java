package io.plimsoll.result;

import java.util.List;

/**
 * The figures that one part of the program declares: what it measures brings them along, in its own package. A set is
 * found as a {@link java.util.ServiceLoader service}; nothing else has to know of it.
 */
public interface FigureSet {
    /** Its figures, in the order in which tables and documents show them. */
    List<Figure> figures();
}
