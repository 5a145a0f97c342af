package io.plimsoll.scenario;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A key of a scenario, declared once: its name, what may stand there, its default, how it is read and what it may not be
 * combined with, and what it means. Reading, overriding, the tables of the documents, {@code --dry-run} and what an agent
 * is sent follow from it. Two keys are the same if they come from one declaration. Immutable.
 *
 * @param <T> type of the value, immutable
 */
public final class Key<T> {
    /** Reads the value of a key that is there. */
    public interface Reader<T> {
        /**
         * Reads it.
         *
         * @return empty if there is no such value; then a problem was added, and the default holds
         */
        Optional<T> read(EntryReading entry, String name);
    }

    /** Holds the value of a key against the others of its entry, when all are read, and adds problems. */
    public interface Rule<T> {
        void check(EntryReading entry, T value);
    }

    /** How what stands at a key is judged before it is shown or stored. */
    public enum Content {
        PLAIN,
        /** It may hold anything, and nobody but the one whom it is for is to read it. */
        HIDDEN,
        /** Properties of Kafka's, each judged by its name. */
        PROPERTIES,
        /** Paths of keys, each with a value, or several, that is judged as at its place. */
        CHANGES
    }

    private final Draft<T> is;
    private final String english;
    private final String chinese;

    private Key(Draft<T> is, String english, String chinese) {
        this.is = is;
        this.english = english;
        this.chinese = chinese;
    }

    /** A whole number from 1 on. */
    public static Draft<Integer> count(String name, int fallback, int most) {
        return scalar(name, Quantities.COUNT, fallback, text -> (int) Quantities.count(text, 1, most));
    }

    /** True or false, and false if it is not given. */
    public static Draft<Boolean> flag(String name) {
        return choice(name, false, List.of(true, false), String::valueOf);
    }

    /** One of several values, each of which is written as a word. */
    public static <T> Draft<T> choice(String name, T fallback, List<T> values, Function<T, String> word) {
        Map<String, T> words = new LinkedHashMap<>();
        values.forEach(value -> words.put(word.apply(value), value));
        Class<?> type = fallback instanceof Enum<?> constant ? constant.getDeclaringClass() : fallback.getClass();
        return of(name, KeyShape.Value.of(words.keySet()), fallback, (entry, key) -> entry.choice(key, words), type)
                .shown(word);
    }

    /** A number of records, which {@code --scale} multiplies; none if it is not given. */
    public static Draft<OptionalLong> records(String name) {
        return of(
                name,
                new KeyShape.Value(Sentence.of("scenario.a.records")),
                OptionalLong.empty(),
                (entry, key) -> entry.read(key, text -> Quantities.count(text, 1, Long.MAX_VALUE))
                        .map(n -> OptionalLong.of(entry.scale().records(n))),
                OptionalLong.class);
    }

    /** A length of time of more than 0, as it is written. */
    public static Draft<Duration> duration(String name, Duration fallback) {
        return scalar(name, Quantities.DURATION, fallback, Quantities::duration);
    }

    /** A length of time, which {@code --scale} multiplies; none if it is not given. */
    public static Draft<Optional<Duration>> time(String name, Function<String, Duration> parser) {
        return of(
                name,
                new KeyShape.Value(Quantities.DURATION),
                Optional.empty(),
                (entry, key) -> entry.read(key, parser).map(entry.scale()::time).map(Optional::of),
                Optional.class,
                Duration.class);
    }

    /** A scalar that a parser understands, which throws {@link InvalidValueException}. */
    public static <T> Draft<T> scalar(String name, Sentence expected, T fallback, Function<String, T> parser) {
        return of(
                name,
                new KeyShape.Value(expected),
                fallback,
                (entry, key) -> entry.read(key, parser),
                fallback.getClass());
    }

    /** A text, as it is written. */
    public static Draft<String> text(String name) {
        return scalar(name, Sentence.of("scenario.a.text"), "", text -> text);
    }

    /** A map of properties of Kafka's, each as it is written. */
    public static Draft<Map<String, String>> properties(String name, String example) {
        return labels(name, example).content(Content.PROPERTIES);
    }

    /** A map of texts, each as it is written. */
    public static Draft<Map<String, String>> labels(String name, String example) {
        return of(
                name,
                new KeyShape.Open(Sentence.of("scenario.a.map", example)),
                Map.of(),
                (entry, key) -> Optional.of(entry.config(key)),
                Map.class,
                String.class,
                String.class);
    }

    /** A map with keys of its own, of which its value is made. */
    public static <T> Draft<T> section(
            String name, KeyShape.Section section, T fallback, Function<EntryReading, T> made) {
        return of(name, section, fallback, (entry, key) -> entry.below(key).map(made), fallback.getClass());
    }

    /**
     * A key that is read in a way of its own.
     *
     * @param type class of the value, and those of its elements
     */
    public static <T> Draft<T> of(String name, KeyShape shape, T fallback, Reader<T> reader, Class<?>... type) {
        return new Draft<>(name, shape, fallback, reader, List.of(type));
    }

    /** A key that is read together with what stands around it. */
    public static Draft<Object> part(String name, KeyShape shape) {
        return of(name, shape, "", null);
    }

    /** A key whose meaning has not been said yet, which completes it. Used by one thread. */
    public static final class Draft<T> {
        private final String name;
        private final KeyShape shape;
        private final T fallback;
        private final Reader<T> reader;
        private final List<Class<?>> type;
        private String[] shownFallback;
        private Function<T, String> shown = Key::plain;
        private Rule<T> rule = (entry, value) -> {};
        private boolean required;
        private boolean always;
        private boolean endsLoad;
        private boolean sameInAllTrials;
        private Content content = Content.PLAIN;

        private Draft(String name, KeyShape shape, T fallback, Reader<T> reader, List<Class<?>> type) {
            this.name = name;
            this.shape = shape;
            this.fallback = fallback;
            this.reader = reader;
            this.type = type;
        }

        /** Says in English and Chinese what documents give as its default, if that is not the value itself. */
        public Draft<T> byDefault(String english, String chinese) {
            shownFallback = new String[] {english, chinese};
            return this;
        }

        /** It is nothing by default. */
        public Draft<T> noneByDefault() {
            return byDefault("none", "无");
        }

        /** Tells a value otherwise than as it is written. */
        public Draft<T> shown(Function<T, String> text) {
            shown = text;
            return this;
        }

        /** It is judged otherwise than as plain text before it is shown or stored. */
        public Draft<T> content(Content what) {
            content = what;
            return this;
        }

        /** An entry without it is wrong. */
        public Draft<T> required() {
            required = true;
            return byDefault("required", "必填");
        }

        /** It is read also where it is not given, because its default depends on other things. */
        Draft<T> always() {
            always = true;
            return this;
        }

        /** Holds its value against others; of several rules all hold. */
        public Draft<T> rule(Rule<T> more) {
            Rule<T> before = rule;
            rule = (entry, value) -> {
                before.check(entry, value);
                more.check(entry, value);
            };
            return this;
        }

        /** It says when the load is over, which a search decides in its place. */
        public Draft<T> endsLoad() {
            endsLoad = true;
            return this;
        }

        /** Neither {@code matrix} nor {@code trials} can change it. */
        public Draft<T> sameInAllTrials() {
            sameInAllTrials = true;
            return this;
        }

        /** Completes a key whose meaning the documents of another tool tell. */
        public Key<T> ofAnotherTool() {
            return about("", "");
        }

        /** Says what it means, in a sentence without its full stop in each language, as Markdown. */
        public Key<T> about(String english, String chinese) {
            return new Key<>(this, english, chinese);
        }
    }

    public String name() {
        return is.name;
    }

    public KeyShape shape() {
        return is.shape;
    }

    /** The value where none is given. */
    public T fallback() {
        return is.fallback;
    }

    /** The class of the value, and behind it those of its elements. */
    public List<Class<?>> type() {
        return is.type;
    }

    /** Whether an entry without it is wrong. */
    public boolean isRequired() {
        return is.required;
    }

    /** Whether it says when the load is over. */
    public boolean endsLoad() {
        return is.endsLoad;
    }

    /** Whether no trial can have another value of it than the others. */
    boolean isSameInAllTrials() {
        return is.sameInAllTrials;
    }

    /** How its value is judged before it is shown or stored. */
    Content content() {
        return is.content;
    }

    /** Its value in settings, as {@code name value}, for people. */
    public String told(Settings settings) {
        String value = is.shown.apply(settings.get(this));
        return value.isEmpty() ? name() : name() + " " + value;
    }

    /** Its meaning, as Markdown. */
    public String about(Language language) {
        return language == Language.ZH ? chinese : english;
    }

    /** Its default, as Markdown; empty if there is none. */
    public String defaultText(Language language) {
        if (is.shownFallback != null) {
            return is.shownFallback[language == Language.ZH ? 1 : 0];
        }
        String text = is.shown.apply(is.fallback);
        return text.isEmpty() ? "" : "`" + text + "`";
    }

    private static String plain(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(Key::plain).orElse("");
        } else if (value instanceof OptionalLong number) {
            return number.isPresent() ? String.valueOf(number.getAsLong()) : "";
        } else if (value instanceof Duration duration) {
            return Quantities.text(duration);
        } else if ((value instanceof Collection<?> all && all.isEmpty())
                || (value instanceof Map<?, ?> map && map.isEmpty())) {
            return "";
        }
        return value.toString();
    }

    /** Reads it, if it is there. */
    Settings read(EntryReading entry, Settings before) {
        if (is.required) {
            entry.require(this);
        }
        if (is.reader == null || (!entry.has(name()) && !is.always)) {
            return before;
        }
        return is.reader
                .read(entry, name())
                .map(value -> before.with(this, value))
                .orElse(before);
    }

    void check(EntryReading entry) {
        is.rule.check(entry, entry.settings().get(this));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key<?> key && key.is == is;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(is);
    }

    @Override
    public String toString() {
        return name();
    }
}
