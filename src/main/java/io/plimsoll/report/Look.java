package io.plimsoll.report;

import io.plimsoll.text.Language;

/**
 * The presentation of text on standard output.
 *
 * @param width columns
 * @param color false for output to a file, or where {@code NO_COLOR} is set
 * @param plain for screen readers: each line names its values and holds whole sentences, with words for signs and without
 *     plots
 */
public record Look(int width, boolean color, boolean plain, Language language) {
    /** No line is that long. */
    private static final int UNBOUNDED = 1_000_000;

    public Look(int width, boolean color, Language language) {
        this(width, color, false, language);
    }

    /** To be listened to. */
    public static Look plain(Language language) {
        return new Look(UNBOUNDED, false, true, language);
    }

    /** The same for a file. */
    public Look uncolored() {
        return new Look(width, false, plain, language);
    }

    /** With another width; plain text has none. */
    Look ofWidth(int columns) {
        return plain ? this : new Look(columns, color, false, language);
    }
}
