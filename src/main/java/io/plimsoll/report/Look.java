package io.plimsoll.report;

import io.plimsoll.text.Language;

/**
 * The presentation of text on standard output.
 *
 * @param color false for files, or if {@code NO_COLOR} is set
 * @param plain for screen readers: rows as sentences, words instead of symbols, no plots
 */
public record Look(int width, boolean color, boolean plain, Language language) {
    private static final int UNBOUNDED = 1_000_000;

    public Look(int width, boolean color, Language language) {
        this(width, color, false, language);
    }

    /** The presentation for screen readers. */
    public static Look plain(Language language) {
        return new Look(UNBOUNDED, false, true, language);
    }

    public Look uncolored() {
        return new Look(width, false, plain, language);
    }

    /** The same look with another width; plain text is not wrapped. */
    Look ofWidth(int columns) {
        return plain ? this : new Look(columns, color, false, language);
    }

    String bold(String text) {
        return styled("1", text);
    }

    String dim(String text) {
        return styled("2", text);
    }

    /** @param code of the ANSI style; empty for none */
    String styled(String code, String text) {
        return color && !text.isEmpty() && !code.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
