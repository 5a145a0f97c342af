package io.plimsoll.report;

import io.plimsoll.report.Table.Label;
import io.plimsoll.result.Outcome;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.Locale;

/** The outcome of a line or cell: a sign, or a word for screen readers. */
public enum Mark implements Label {
    GOOD("✓"),
    BAD("✗"),
    UNKNOWN("?"),
    SAME("="),
    NOTE("!"),
    /** An item of a list without an outcome. */
    POINT("·"),
    /** In line with those that have one. */
    NONE(" ");

    private final String sign;

    Mark(String sign) {
        this.sign = sign;
    }

    /** @param holds null if undecided */
    public static Mark of(Boolean holds) {
        return holds == null ? UNKNOWN : holds ? GOOD : BAD;
    }

    static Mark of(Outcome outcome) {
        return switch (outcome) {
            case USABLE -> GOOD;
            case UNUSABLE -> NOTE;
            case FAILED -> BAD;
        };
    }

    /** With the words that it stands before. */
    public String before(String words, Look look) {
        if (!look.plain()) {
            return paint(new Ansi(look.color()), sign) + " " + words;
        }
        boolean silent = this == POINT || this == NONE;
        return silent
                ? words
                : Sentence.of("text.at", word(look.language()), words).in(look.language());
    }

    /** Alone in a cell, to be seen. */
    @Override
    public String in(Language language) {
        return sign;
    }

    /** For pages that have no colors; empty where nothing is said. */
    String emoji() {
        return switch (this) {
            case GOOD -> "✅";
            case BAD -> "❌";
            case UNKNOWN -> "❔";
            case NOTE -> "⚠️";
            case SAME, POINT, NONE -> "";
        };
    }

    /** Alone in a cell, to be heard. */
    String word(Language language) {
        return Sentence.of("report.mark." + name().toLowerCase(Locale.ROOT)).in(language);
    }

    /** Text in the color of this mark. */
    String paint(Ansi ansi, String text) {
        return switch (this) {
            case GOOD -> ansi.good(text);
            case BAD -> ansi.bad(text);
            case SAME -> ansi.accent(text);
            case UNKNOWN, NOTE -> ansi.attention(text);
            case POINT -> text;
            case NONE -> ansi.dim(text);
        };
    }
}
