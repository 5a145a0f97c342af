package io.plimsoll.bundle;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces host names, addresses and user names with {@code host-1}, {@code address-1} and {@code user-1}; a name has
 * the same replacement in all files. All texts are {@link #learn learned} before the first is {@link #mask masked}.
 * Used by one thread.
 *
 * <p>A plain word, such as {@code kafka}, can also be a topic or a field, so it is masked only in the contexts of
 * {@link #PLACES}. Names with a dot, a digit, a hyphen, a space or a character beyond ASCII are masked wherever they
 * occur as a whole word. All texts are UTF-8 bytes that were decoded as Latin-1.
 */
final class Masking {
    private static final String LABEL = "[A-Za-z0-9](?:[\\w-]{0,100}[A-Za-z0-9])?";
    private static final String HOST = "(?<name>" + LABEL + "(?:\\." + LABEL + ")*)";
    private static final String WORD = "[\\w.@+$%\\x80-\\xFF-]++";
    private static final String USER = "(?<name>" + WORD + ")";
    /** A directory name. Up to three spaces belong to the name only if a slash or a quotation mark follows it. */
    private static final String HOME = "(?<name>" + WORD + "(?:(?: (?!-)" + WORD + "){1,3}(?=[/\\\\\"']))?)";

    /** Contexts in which names are recognized, with the text before the name. */
    private static final Map<Pattern, String> PLACES = new LinkedHashMap<>();

    static {
        PLACES.put(place("\"(?:host|worker)\"\\s*:\\s*\"", HOST + "(?=\")"), "host-");
        PLACES.put(place("\"host\"\\s*:\\s*\\{\\s*\"name\"\\s*:\\s*\"", HOST + "(?=\")"), "host-");
        PLACES.put(place("(?<![\\w./-])", HOST + "(?=:\\d{2,5}(?![\\d:.]))"), "host-");
        PLACES.put(place("/(?:home|Users)/", HOME), "user-");
        PLACES.put(place("\\bUser:", USER), "user-");
        PLACES.put(place("(?i:\\busername)\\s*=\\s*\\\\?[\"']?", USER), "user-");
    }

    private static final Pattern ADDRESS = Pattern.compile(
            "(?<![\\w.])(?!127\\.|0\\.0\\.0\\.0)(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\w.]\\w)"
                    + "|(?<![\\w:.])(?:(?:[\\da-fA-F]{1,4}:){7}|(?:[\\da-fA-F]{1,4}:){1,6}(?::[\\da-fA-F]{1,4}){0,5}:)[\\da-fA-F]{1,4}(?![\\w:])");

    /**
     * Names that stay as they are: loopback, this process as a worker, numbers, source files in stack traces, and the
     * anonymous user. IPv4 addresses are masked only by {@link #ADDRESS}.
     */
    private static final Pattern HARMLESS =
            Pattern.compile("localhost|local|\\d+|.*\\.(?:java|scala)|ANONYMOUS|(?:\\d{1,3}\\.){3}\\d{1,3}");

    private static final Pattern DISTINCT = Pattern.compile("[.\\d \\x80-\\xFF-]");

    /** Longest first, because a host name can be the start of another one. */
    private final Map<String, String> words =
            new TreeMap<>(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));

    private static Pattern place(String before, String name) {
        return Pattern.compile("(?<before>" + before + ")" + name);
    }

    void learn(String line) {
        PLACES.forEach((place, kind) -> place.matcher(line).results().forEach(found -> word(found.group(2), kind)));
    }

    /** Learns the name of a user that can also occur outside {@link #PLACES}. */
    void learnUser(String name) {
        if (!name.isBlank()) {
            word(name, "user-");
        }
    }

    private String word(String name, String kind) {
        if (HARMLESS.matcher(name).matches() && !kind.equals("address-")) {
            return name;
        }
        String known = words.get(name);
        if (known == null) {
            long others =
                    words.values().stream().filter(w -> w.startsWith(kind)).count();
            known = kind + (others + 1);
            words.put(name, known);
        }
        return known;
    }

    String mask(String line) {
        String masked = line;
        for (Map.Entry<Pattern, String> place : PLACES.entrySet()) {
            masked = place.getKey().matcher(masked).replaceAll(this::placed);
        }
        for (Map.Entry<String, String> word : words.entrySet()) {
            if (masked.contains(word.getKey())
                    && DISTINCT.matcher(word.getKey()).find()) {
                masked = Pattern.compile("(?<![\\w.-])" + Pattern.quote(word.getKey()) + "(?![\\w-])")
                        .matcher(masked)
                        .replaceAll(word.getValue());
            }
        }
        return ADDRESS.matcher(masked).replaceAll(found -> word(found.group(), "address-"));
    }

    private String placed(MatchResult found) {
        return Matcher.quoteReplacement(found.group(1) + words.getOrDefault(found.group(2), found.group(2)));
    }
}
