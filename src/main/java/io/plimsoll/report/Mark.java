package io.plimsoll.report;

import io.plimsoll.report.Table.Words;
import io.plimsoll.result.Outcome;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.Locale;

/** What stands before a line or in a cell to say how it went: a sign, or a word for those who listen. */
public enum Mark implements Words {
    GOOD("✓"),
    BAD("✗"),
    UNKNOWN("?"),
    SAME("="),
    NOTE("!"),
    /** One of several, of which nothing else is said. */
    POINT("·"),
    /** In line with those that have one. */
    NONE(" ");

    private final String sign;

    Mark(String sign) {
        this.sign = sign;
    }

    public static Mark of(boolean good) {
        return good ? GOOD : BAD;
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
            return painted(new Ansi(look.color())) + " " + words;
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

    /** Alone in a cell, to be heard. */
    String word(Language language) {
        return Sentence.of("report.mark." + name().toLowerCase(Locale.ROOT)).in(language);
    }

    private String painted(Ansi ansi) {
        return switch (this) {
            case GOOD -> ansi.good(sign);
            case BAD -> ansi.bad(sign);
            case SAME -> ansi.accent(sign);
            case UNKNOWN, NOTE -> ansi.attention(sign);
            case POINT, NONE -> sign;
        };
    }
}
