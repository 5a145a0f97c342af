package io.plimsoll.report;

import io.plimsoll.text.Language;

/**
 * How text on standard output looks.
 *
 * @param width columns
 * @param color false for output to a file, or where {@code NO_COLOR} is set
 */
public record Look(int width, boolean color, Language language) {
    /** The same for a file. */
    public Look plain() {
        return new Look(width, false, language);
    }
}
