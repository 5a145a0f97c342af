package io.plimsoll.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A message, independent of language: a key with templates in {@code /sentences}, and its arguments. Sentences with equal
 * keys and arguments are equal. Immutable.
 *
 * @param key the catalogue file, a dot, and a name, such as {@code result.nothingMeasured}; null for verbatim text
 * @param arguments texts with units, sentences, or lists of both; for verbatim text, the text
 */
public record Sentence(@Nullable String key, List<Object> arguments) {
    /** The empty sentence, for an unused placeholder. */
    public static final Sentence NONE = verbatim("");

    /** @throws IllegalArgumentException if the key is unknown or has a different number of placeholders */
    public Sentence {
        arguments = arguments.stream().map(Sentence::argument).toList();
        if (key != null) {
            Wording.check(key, arguments.size());
        }
    }

    /**
     * A sentence of the catalogue.
     *
     * @param arguments sentences and lists are kept, other objects are converted to text; lists can be empty
     * @throws IllegalArgumentException if the key is unknown or has a different number of placeholders
     */
    public static Sentence of(String key, @Nullable Object... arguments) {
        return new Sentence(Objects.requireNonNull(key, "key"), Arrays.asList(arguments));
    }

    /** A text that is the same in every language: a name, a number, or output of another program. */
    public static Sentence verbatim(String text) {
        return new Sentence(null, List.of(text));
    }

    /** A text given in both languages. */
    public static Sentence both(String english, String chinese) {
        return of("text.both", english, chinese);
    }

    /**
     * The sentence for one of a fixed set of values that results store as text.
     * @param group key prefix of the set; the value follows it, with {@code _} for characters other than letters and
     *     digits
     * @return the sentence; the verbatim value if it is not in the set
     */
    public static Sentence term(String group, String value) {
        String key = group + value.replaceAll("\\W+", "_");
        return Wording.knows(key, 0) ? of(key) : verbatim(value);
    }

    /**
     * Translates an English message of another program. The key is {@code group} and the message without its variable
     * parts, with {@code _} for characters other than letters.
     *
     * @param argument matches the variable parts of such messages
     * @return the sentence; the verbatim message if the catalogue does not contain it
     */
    public static Sentence translated(String group, Pattern argument, String text) {
        List<Object> arguments = new ArrayList<>();
        String plain = argument.matcher(text).replaceAll(found -> {
            arguments.add(found.group());
            return " ";
        });
        String key = group + plain.strip().replaceAll("[^a-zA-Z]+", "_").replaceAll("^_|_$", "");
        return Wording.knows(key, arguments.size()) ? of(key, arguments.toArray()) : verbatim(text);
    }

    public static Sentence joined(List<Sentence> sentences) {
        return sentences.size() == 1 ? sentences.get(0) : of("text.sentences", sentences);
    }

    /** Several sentences, one per line. */
    public static Sentence lines(List<Sentence> sentences) {
        return sentences.size() == 1 ? sentences.get(0) : of("text.lines", sentences);
    }

    /** A choice such as {@code a, b or c}. */
    public static Sentence or(Collection<?> choices) {
        List<?> all = List.copyOf(choices);
        int last = all.size() - 1;
        return last == 0 ? of("text.list", all) : of("text.or", all.subList(0, last), all.get(last));
    }

    /** A list such as {@code a, b and 3 more}. */
    public static Sentence list(List<?> names, int most) {
        return names.size() > most
                ? of("text.more", names.subList(0, most - 1), names.size() - most + 1)
                : of("text.list", names);
    }

    /** Adds a sentence to a list if the condition is true. */
    public static void addIf(boolean holds, Collection<Sentence> others, String key, @Nullable Object... arguments) {
        if (holds) {
            others.add(of(key, arguments));
        }
    }

    private static Object argument(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(Sentence::argument).toList();
        }
        if (value instanceof Sentence sentence) {
            return sentence.isVerbatim() ? sentence.arguments.get(0) : sentence;
        }
        // A null message must not cause another failure at this point.
        return String.valueOf(value);
    }

    public boolean isVerbatim() {
        return key == null;
    }

    /** The English text, which results store. */
    public String english() {
        return in(Language.EN);
    }

    public String in(Language language) {
        return isVerbatim() ? arguments.get(0).toString() : language.set(Wording.say(this, language));
    }

    @Override
    public String toString() {
        return english();
    }
}
