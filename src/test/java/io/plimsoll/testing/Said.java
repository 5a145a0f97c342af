package io.plimsoll.testing;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.text.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Recognizes a sentence of the catalog in output by its key, so that tests survive changes of wording: {@code
 * assertThat(out).containsPattern(Said.en("watch.stays"))}.
 */
public final class Said {
    private static final Pattern PART =
            Pattern.compile("\\{(\\d)(?:\\|[^}]*)?}|\\[(?:\\d:)?([^\\[\\]|]*)\\|([^\\[\\]|]*)]");

    private static final Pattern MARKED = Pattern.compile("«([^«»]*)»");
    /** The character of the private use area that holds the place of the first sentence in a text. */
    private static final int PLACE = 0xE000;

    private static final String MISSING = "\u0001";

    private Said() {}

    /**
     * The English sentence of a key.
     *
     * @param arguments values of its places in order; null and missing values match anything
     * @return a pattern that also matches across line breaks
     * @throws IllegalArgumentException if the key is unknown
     */
    public static Pattern en(String key, Object... arguments) {
        return of(Language.EN, key, arguments);
    }

    /** As {@link #en}, for the Chinese sentence. */
    public static Pattern zh(String key, Object... arguments) {
        return of(Language.ZH, key, arguments);
    }

    /**
     * A text in which {@code «key¦argument¦argument»} represents the English words of a sentence; an argument can be
     * such a sentence itself. If the last arguments are missing, the words end before their places.
     *
     * @throws IllegalArgumentException if the key does not exist
     */
    public static String text(String marked) {
        Matcher innermost = MARKED.matcher(marked);
        return innermost.find()
                ? text(innermost.replaceFirst(
                        Matcher.quoteReplacement(words(innermost.group(1).split("¦", -1)))))
                : marked;
    }

    /**
     * A pattern of a text with sentences in the notation of {@link #text}. An argument {@code …} and missing arguments
     * match anything; white space also matches line breaks.
     *
     * @throws IllegalArgumentException if a key does not exist
     */
    public static Pattern pattern(String marked) {
        return pattern(Language.EN, marked);
    }

    /** As {@link #pattern(String)}, for the Chinese sentences. */
    public static Pattern zhPattern(String marked) {
        return pattern(Language.ZH, marked);
    }

    private static Pattern pattern(Language language, String marked) {
        List<String> sentences = new ArrayList<>();
        String rest = marked;
        for (Matcher innermost = MARKED.matcher(rest); innermost.find(); innermost = MARKED.matcher(rest)) {
            String[] parts = innermost.group(1).split("¦", -1);
            Object[] arguments = Stream.of(parts)
                    .skip(1)
                    .map(part -> part.equals("…") ? null : part)
                    .toArray();
            rest = innermost.replaceFirst(place(sentences.size()));
            sentences.add(of(language, parts[0], arguments).pattern());
        }
        String pattern = literal(rest);
        for (int i = sentences.size() - 1; i >= 0; i--) {
            pattern = pattern.replace(literal(place(i)), sentences.get(i));
        }
        return Pattern.compile(pattern, Pattern.DOTALL);
    }

    private static String place(int sentence) {
        return Character.toString(PLACE + sentence);
    }

    private static String words(String... parts) {
        String template = Wording.of(parts[0].substring(0, parts[0].indexOf('.')), Language.EN)
                .getOrDefault(parts[0], "");
        int places = (int) PART.matcher(template)
                .results()
                .map(part -> part.group(1))
                .filter(Objects::nonNull)
                .distinct()
                .count();
        Object[] arguments = IntStream.range(0, places)
                .mapToObj(i -> i + 1 < parts.length ? parts[i + 1] : MISSING)
                .toArray();
        String words = Sentence.of(parts[0], arguments).english().split(MISSING, 2)[0];
        if (words.isBlank()) {
            throw new IllegalArgumentException("says nothing without its first argument: " + parts[0]);
        }
        return words;
    }

    private static Pattern of(Language language, String key, Object... arguments) {
        String room = key.substring(0, key.indexOf('.'));
        String text = Wording.of(room, language).get(key);
        if (text == null) {
            throw new IllegalArgumentException("no such key: " + key);
        }
        StringBuilder pattern = new StringBuilder();
        Matcher part = PART.matcher(text);
        int from = 0;
        while (part.find()) {
            pattern.append(literal(text.substring(from, part.start())));
            pattern.append(
                    part.group(1) == null
                            ? "(?:" + literal(part.group(2)) + "|" + literal(part.group(3)) + ")"
                            : argument(Integer.parseInt(part.group(1)), arguments));
            from = part.end();
        }
        pattern.append(literal(text.substring(from)));
        // Chinese text has no space beside an argument that is Chinese, too.
        return Pattern.compile(
                language == Language.ZH ? pattern.toString().replace("\\s+", "\\s*") : pattern.toString(),
                Pattern.DOTALL);
    }

    private static String argument(int place, Object... arguments) {
        boolean given = place < arguments.length && arguments[place] != null;
        return given ? literal(String.valueOf(arguments[place])) : ".*?";
    }

    /** Terminals break Chinese text at any character. */
    private static String literal(String text) {
        StringBuilder pattern = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (Character.isWhitespace(c)) {
                pattern.append("\\s+");
            } else if (Character.isIdeographic(c)) {
                pattern.append("\\s*").append(Character.toString(c)).append("\\s*");
            } else {
                pattern.append(Pattern.quote(Character.toString(c)));
            }
        });
        return pattern.toString();
    }
}
