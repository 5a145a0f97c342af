package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Suggests known names for a misspelled name. Stateless. */
public final class Suggestions {
    /** Maximum number of known names in a message. */
    private static final int MOST_NAMED = 40;

    private static final int MOST_SUGGESTED = 3;

    /** The closest known name, if it is close enough for the length of the word. */
    public static Optional<String> nearest(String word, Collection<String> known) {
        String lower = word.toLowerCase(Locale.ROOT);
        int allowed = Math.max(1, Math.min(4, (lower.length() + 1) / 3));
        return closest(word, known).filter(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= allowed);
    }

    /** The closest known name; empty only if no name is known. */
    static Optional<String> closest(String word, Collection<String> known) {
        String lower = word.toLowerCase(Locale.ROOT);
        return known.stream().min(Comparator.comparingInt(name -> distance(lower, name.toLowerCase(Locale.ROOT))));
    }

    /** {@code "; did you mean x?"}, or {@link Sentence#NONE} if no name is close. */
    public static Sentence didYouMean(String word, Collection<String> known) {
        return nearest(word, known)
                .map(near -> Sentence.of("scenario.didYouMean", near))
                .orElse(Sentence.NONE);
    }

    /** Like {@link #didYouMean}; without a close name, a list of the known names. */
    public static Sentence hint(String word, Collection<String> known) {
        Sentence near = didYouMean(word, known);
        return near.equals(Sentence.NONE) && known.size() <= MOST_NAMED
                ? Sentence.of("scenario.knownHere", List.copyOf(known))
                : near;
    }

    /**
     * Like {@link #hint}, for an unknown key. Also finds keys below, such as {@code record.size} for {@code recordSize},
     * and the map for a client setting or for a key that a trial changes.
     *
     * @param rest the key, and all text after it in a path
     * @param before the text before the key in a path
     */
    static Sentence key(String key, String rest, Section section, String before) {
        List<String> found = section.keys().values().stream()
                .filter(map -> switch (map.content()) {
                    case PROPERTIES -> rest.contains(".") || rest.equals("acks");
                    case CHANGES -> Scenario.ALL.keys().containsKey(key);
                    default -> false;
                })
                .map(map -> before + map.name() + "." + rest)
                .limit(1)
                .toList();
        if (found.isEmpty()) {
            found = section.byPath().keySet().stream()
                    .filter(path -> path.contains("."))
                    .filter(path -> joined(path).equals(joined(key))
                            || path.substring(path.lastIndexOf('.') + 1).equalsIgnoreCase(key))
                    .map(before::concat)
                    .toList();
        }
        return found.isEmpty() || found.size() > MOST_SUGGESTED
                ? nearest(key, section.keys().keySet())
                        .map(near -> Sentence.of("scenario.didYouMean", before + near))
                        .orElseGet(() -> Sentence.of(
                                "scenario.knownHere", List.copyOf(section.keys().keySet())))
                : Sentence.of("scenario.didYouMean", Sentence.or(found));
    }

    /** A path or a key without separators, as {@code recordsize} for {@code record.size} and {@code record-size}. */
    private static String joined(String path) {
        return path.replaceAll("[._-]", "").toLowerCase(Locale.ROOT);
    }

    /** The Damerau-Levenshtein distance of two words. */
    static int distance(String from, String to) {
        if (Math.abs(from.length() - to.length()) > 40) {
            return Math.abs(from.length() - to.length());
        }
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replace = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                cost[i][j] = Math.min(cost[i - 1][j - 1] + replace, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[from.length()][to.length()];
    }
}
