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
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A key of a scenario, declared once: its name, what may stand there, its default, how it is read and what it may not be
 * combined with, and what it means. Reading, overriding, the tables of the documents, {@code --dry-run} and what an agent
 * is sent follow from it. It is complete before a section has it, and does not change afterwards.
 *
 * @param <T> type of the value, immutable
 */
public final class Key<T> {
    /** How what stands at a key is judged before it is shown or stored. */
    public enum Content {
        PLAIN,
        /** It may hold anything, and nobody but the one whom it is for is to read it. */
        HIDDEN,
        /** Text of the user's own, hidden if it speaks of passwords or other secrets. */
        TEXT,
        /** Properties of Kafka's, each judged by its name. */
        PROPERTIES,
        /** Paths of keys, each with a value, or several, that is judged as at its place. */
        CHANGES
    }

    private final String name;
    private final KeyShape shape;
    private final T fallback;
    private final BiFunction<EntryReading, String, Optional<T>> reader;
    private final List<Class<?>> type;
    private String shownFallback;
    private Function<T, String> shown = Key::plain;
    private BiConsumer<EntryReading, T> rule = (entry, value) -> {};
    private boolean required;
    private boolean always;
    private boolean endsLoad;
    private boolean sameInAllTrials;
    private Content content = Content.PLAIN;
    private Sentence about;

    private Key(
            String name,
            KeyShape shape,
            T fallback,
            BiFunction<EntryReading, String, Optional<T>> reader,
            List<Class<?>> type) {
        this.name = name;
        this.shape = shape;
        this.fallback = fallback;
        this.reader = reader;
        this.type = type;
    }

    /** A whole number from 1 on. */
    public static Key<Integer> count(String name, int fallback, int most) {
        return scalar(name, Quantities.COUNT, fallback, text -> (int) Quantities.count(text, 1, most));
    }

    /** True or false, and false if it is not given. */
    public static Key<Boolean> flag(String name) {
        return choice(name, false, List.of(true, false), String::valueOf);
    }

    /** One of several values, each of which is written as a word. */
    public static <T> Key<T> choice(String name, T fallback, List<T> values, Function<T, String> word) {
        Map<String, T> words = new LinkedHashMap<>();
        values.forEach(value -> words.put(word.apply(value), value));
        Class<?> type = fallback instanceof Enum<?> constant ? constant.getDeclaringClass() : fallback.getClass();
        return of(name, KeyShape.Value.of(words.keySet()), fallback, (entry, key) -> entry.choice(key, words), type)
                .shown(word);
    }

    /** A number of records, which {@code --scale} multiplies; none if it is not given. */
    public static Key<OptionalLong> records(String name) {
        return scalar(
                name,
                Sentence.of("scenario.a.records"),
                OptionalLong.empty(),
                (entry, text) -> OptionalLong.of(entry.scale().records(Quantities.count(text, 1, Long.MAX_VALUE))),
                OptionalLong.class);
    }

    /** A length of time of more than 0, as it is written. */
    public static Key<Duration> duration(String name, Duration fallback) {
        return scalar(name, Quantities.DURATION, fallback, Quantities::duration);
    }

    /** A length of time, which {@code --scale} multiplies; none if it is not given. */
    public static Key<Optional<Duration>> time(String name, Function<String, Duration> parser) {
        return scalar(
                name,
                Quantities.DURATION,
                Optional.empty(),
                (entry, text) -> Optional.of(entry.scale().time(parser.apply(text))),
                Optional.class,
                Duration.class);
    }

    /** A scalar whose meaning depends on other things; as the other {@link #scalar}. */
    static <T> Key<T> scalar(
            String name, Sentence expected, T fallback, BiFunction<EntryReading, String, T> parser, Class<?>... type) {
        KeyShape shape = new KeyShape.Value(expected);
        return of(name, shape, fallback, (entry, key) -> entry.read(key, text -> parser.apply(entry, text)), type);
    }

    /** A scalar that a parser understands, which throws {@link InvalidValueException}. */
    public static <T> Key<T> scalar(String name, Sentence expected, T fallback, Function<String, T> parser) {
        return scalar(name, expected, fallback, (entry, text) -> parser.apply(text), fallback.getClass());
    }

    public static Key<String> text(String name) {
        return scalar(name, Sentence.of("scenario.a.text"), "", text -> text);
    }

    /** A map of properties of Kafka's, each as it is written. */
    public static Key<Map<String, String>> properties(String name, String example) {
        return labels(name, example).content(Content.PROPERTIES);
    }

    /** A map of texts, each as it is written. */
    public static Key<Map<String, String>> labels(String name, String example) {
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
    public static <T> Key<T> section(
            String name, KeyShape.Section section, T fallback, Function<EntryReading, T> made) {
        return of(name, section, fallback, (entry, key) -> entry.below(key).map(made), fallback.getClass());
    }

    /**
     * A key that is read in a way of its own.
     *
     * @param reader of a value that is there; empty, with a problem added, if it is none, and the default holds
     * @param type class of the value, and those of its elements
     */
    public static <T> Key<T> of(
            String name,
            KeyShape shape,
            T fallback,
            BiFunction<EntryReading, String, Optional<T>> reader,
            Class<?>... type) {
        return new Key<>(name, shape, fallback, reader, List.of(type));
    }

    /** A list of maps with keys of their own, each of which becomes what is made of its values. */
    static <T> Key<List<T>> entries(String name, String example, KeyShape.Section each, Function<Settings, T> made) {
        return of(
                name,
                KeyShape.Entries.of(example, each.keys().values()),
                List.of(),
                (entry, key) -> Optional.of(entry.entries(key).stream()
                        .map(e -> made.apply(e.settings()))
                        .toList()));
    }

    /** A key that is read together with what stands around it. */
    public static Key<Object> part(String name, KeyShape shape) {
        return of(name, shape, "", null);
    }

    /** Documents give no value as its default. */
    public Key<T> noneByDefault() {
        shownFallback = "none";
        return this;
    }

    /** Documents say that it is required, by those that use it. */
    public Key<T> requiredWhereUsed() {
        shownFallback = "required";
        return this;
    }

    /** Tells a value otherwise than as it is written. */
    public Key<T> shown(Function<T, String> text) {
        shown = text;
        return this;
    }

    /** It is judged otherwise than as plain text before it is shown or stored. */
    public Key<T> content(Content what) {
        content = what;
        return this;
    }

    public Key<T> required() {
        required = true;
        return requiredWhereUsed();
    }

    /** It is read also where it is not given, because its default depends on other things. */
    Key<T> always() {
        always = true;
        return this;
    }

    /** Holds its value against others; of several rules all hold. */
    public Key<T> rule(BiConsumer<EntryReading, T> more) {
        rule = rule.andThen(more);
        return this;
    }

    /** It says when the load is over, which a search decides in its place. */
    public Key<T> endOfLoad() {
        endsLoad = true;
        return this;
    }

    /** Neither {@code matrix} nor {@code trials} can change it. */
    public Key<T> sameInAllTrials() {
        sameInAllTrials = true;
        return this;
    }

    /** Says what it means, as Markdown without a full stop; of Plimsoll's own keys the catalogue says it. */
    public Key<T> about(String english, String chinese) {
        about = Sentence.both(english, chinese);
        return this;
    }

    public String name() {
        return name;
    }

    public KeyShape shape() {
        return shape;
    }

    public T fallback() {
        return fallback;
    }

    /** The class of the value, and behind it those of its elements. */
    public List<Class<?>> type() {
        return type;
    }

    public boolean isRequired() {
        return required;
    }

    public boolean endsLoad() {
        return endsLoad;
    }

    /** Whether no trial can have another value of it than the others. */
    boolean isSameInAllTrials() {
        return sameInAllTrials;
    }

    public Content content() {
        return content;
    }

    /** Its value in settings, as {@code name value}, for people; of a flag that is set its name. */
    public String told(Settings settings) {
        String value = shown.apply(settings.get(this));
        return value.isEmpty() || value.equals("true") ? name() : name() + " " + value;
    }

    public String about(Language language) {
        return (about == null ? Sentence.term("scenario.key.", path()) : about).in(language);
    }

    private String path() {
        return ScenarioKeys.ALL.byPath().entrySet().stream()
                .filter(place -> place.getValue() == this)
                .findFirst()
                .map(Map.Entry::getKey)
                .orElse(name);
    }

    /** Its default, as Markdown: what the catalogue says of it, or else the value; empty if there is none. */
    public String defaultText(Language language) {
        Sentence said = Sentence.term("scenario.default.", shownFallback == null ? path() : shownFallback);
        if (!said.isVerbatim()) {
            return said.in(language);
        }
        String text = shown.apply(fallback);
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
                || (value instanceof Map<?, ?> map && map.isEmpty())
                // Of a form of its key, the default of which is another one.
                || (value instanceof Record word && word.getClass().getRecordComponents().length == 0)) {
            return "";
        }
        return value.toString();
    }

    Settings read(EntryReading entry, Settings before) {
        if (required) {
            entry.require(this);
        }
        if (reader == null || (!entry.has(name()) && !always)) {
            return before;
        }
        return reader.apply(entry, name())
                .map(value -> before.with(this, value))
                .orElse(before);
    }

    void check(EntryReading entry) {
        rule.accept(entry, entry.settings().get(this));
    }

    @Override
    public String toString() {
        return name();
    }
}
