package io.plimsoll.result;

import java.util.List;

/** Figures declared by one part of the program, found as {@link java.util.ServiceLoader services}. */
public interface FigureSet {
    /** The figures, in the order in which tables and documents show them. */
    List<Figure> figures();
}
