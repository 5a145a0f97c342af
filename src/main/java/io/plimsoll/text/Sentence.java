package io.plimsoll.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Something that is said to people, kept apart from its words: a key, whose templates are in the files of
 * {@code /sentences}, and what stands in their places. Sentences with the same key and arguments are equal. Immutable.
 *
 * @param key the room that says it, a dot, and a name, such as {@code result.nothingMeasured}; null if the sentence is a
 *     text that is shown as it is in every language
 * @param arguments texts with their units, other sentences, or lists of both; of a text that is shown as it is, that text
 */
public record Sentence(String key, List<Object> arguments) {
    /** It says nothing: for a place that is empty this time. */
    public static final Sentence NONE = verbatim("");

    /** @throws IllegalArgumentException if there is no such key, or it has another number of places */
    public Sentence {
        arguments = arguments.stream().map(Sentence::argument).toList();
        if (key != null) {
            Wording.check(key, arguments.size());
        }
    }

    /**
     * A sentence of the catalogue.
     *
     * @param arguments sentences and lists are kept, everything else becomes its text; lists may be empty
     * @throws IllegalArgumentException if there is no such key, or it has another number of places
     */
    public static Sentence of(String key, Object... arguments) {
        return new Sentence(Objects.requireNonNull(key, "key"), Arrays.asList(arguments));
    }

    /** A text that is the same in every language: a name, a figure, or what another program said. */
    public static Sentence verbatim(String text) {
        return new Sentence(null, List.of(text));
    }

    /** A text that somebody has written in both languages. */
    public static Sentence both(String english, String chinese) {
        return of("text.both", english, chinese);
    }

    /**
     * The words for one of a fixed set of values that results hold as text.
     *
     * @param group what the keys of the set begin with; the value follows, with {@code _} for what is no letter or digit
     * @return the value as it is if it is none of the set
     */
    public static Sentence term(String group, String value) {
        String key = group + value.replaceAll("\\W+", "_");
        return Wording.knows(key, 0) ? of(key) : verbatim(value);
    }

    /**
     * What another program said in English, in the words of the catalogue: the key is what {@code group} begins and the text
     * without its arguments, with {@code _} for what is no letter.
     *
     * @param argument matches what differs from one such text to the next
     * @return the text as it is if the catalogue does not have it
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

    /** Several sentences, one after the other. */
    public static Sentence joined(List<Sentence> sentences) {
        return sentences.size() == 1 ? sentences.get(0) : of("text.sentences", sentences);
    }

    /** Several sentences, a line each. */
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

    /** Adds a sentence of the catalogue to others, if it holds. */
    public static void addIf(boolean holds, Collection<Sentence> others, String key, Object... arguments) {
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
        // A failure without a message must not hide behind one of its own.
        return String.valueOf(value);
    }

    /** Whether it has no key, and is shown as it is. */
    public boolean isVerbatim() {
        return key == null;
    }

    /** Its English words, as results hold them. */
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
