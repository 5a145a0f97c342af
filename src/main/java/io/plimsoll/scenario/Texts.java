package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.util.List;

/** Formats text written by users for messages. */
public final class Texts {
    private static final int LONGEST = 60;

    /** A text in quotes, on one line, shortened if it is long. */
    public static String quoted(String text) {
        return '"' + shown(text) + '"';
    }

    /** The alternatives of a text such as {@code "auto | none"}, as a sentence. */
    static Sentence either(String examples) {
        return Sentence.or(List.of(examples.split(" \\| ")));
    }

    /** A text on one line, shortened if it is long. */
    public static String shown(String text) {
        return shown(text, LONGEST);
    }

    /** A text on one line, shortened to this number of characters. */
    public static String shown(String text, int longest) {
        String head = text.codePointCount(0, text.length()) > longest
                ? text.substring(0, text.offsetByCodePoints(0, longest)) + "…"
                : text;
        StringBuilder shown = new StringBuilder();
        head.codePoints().forEach(c -> {
            if (Character.isISOControl(c)) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    /** The path of a key inside a parent, such as {@code producers[0].rate}. */
    public static String path(String parent, String key) {
        return parent.isEmpty() ? shown(key) : parent + "." + shown(key);
    }
}
