package io.plimsoll.report;

import io.plimsoll.result.Outcome;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The outcome of a line or cell: a symbol, or a word for screen readers. */
public enum Mark implements Table.Label {
    GOOD("✓", "32", "✅"),
    BAD("✗", "1;31", "❌"),
    UNKNOWN("?", "33", "❔"),
    SAME("=", "36", ""),
    NOTE("!", "33", "⚠️"),
    /** A list item without an outcome. */
    POINT("·", "", ""),
    /** No symbol, but aligned with items that have an outcome. */
    NONE(" ", "2", "");

    private final String sign;
    private final String style;
    /** The symbol on pages without colors; empty for no symbol. */
    private final String emoji;

    Mark(String sign, String style, String emoji) {
        this.sign = sign;
        this.style = style;
        this.emoji = emoji;
    }

    /** @param holds null if undecided */
    public static Mark of(@Nullable Boolean holds) {
        return holds == null ? UNKNOWN : holds ? GOOD : BAD;
    }

    public static Mark of(Outcome outcome) {
        return switch (outcome) {
            case USABLE -> GOOD;
            case UNUSABLE -> NOTE;
            case FAILED -> BAD;
        };
    }

    /** The symbol, or a word for screen readers, followed by the text. */
    public String before(String words, Look look) {
        if (!look.plain()) {
            return paint(sign, look) + " " + words;
        }
        boolean silent = this == POINT || this == NONE;
        return silent
                ? words
                : Sentence.of("text.at", word(look.language()), words).in(look.language());
    }

    @Override
    public String in(Language language) {
        return sign;
    }

    String emoji() {
        return emoji;
    }

    String word(Language language) {
        return Sentence.of("report.mark." + name().toLowerCase(Locale.ROOT)).in(language);
    }

    String paint(String text, Look look) {
        return look.styled(style, text);
    }
}
