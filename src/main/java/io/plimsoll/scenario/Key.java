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
import org.jspecify.annotations.Nullable;

/**
 * A key of a scenario file, declared once: name, shape, default, parser, rules and description. Reading, overrides, the
 * reference pages, {@code --dry-run} and the messages to agents are derived from it. A key is complete before it is
 * added to a section, and immutable from then on.
 *
 * @param <T> type of the value, immutable
 */
public final class Key<T> {
    /** How a value is redacted before it is shown or stored. */
    public enum Content {
        PLAIN,
        /** Always redacted. */
        HIDDEN,
        /** Free text, redacted if it mentions passwords or other secrets. */
        TEXT,
        /** Texts by name, each redacted by its name or, like {@link #TEXT}, by its content. */
        TEXTS,
        /** Kafka properties, each redacted by its name. */
        PROPERTIES,
        /** Key paths with values, each redacted like the key that it changes. */
        CHANGES
    }

    private final String name;
    private final KeyShape shape;
    private final T fallback;
    private final @Nullable BiFunction<EntryReading, String, Optional<T>> reader;
    private final List<Class<?>> type;
    private @Nullable String shownFallback;
    private Function<T, String> shown = Key::plain;
    private BiConsumer<EntryReading, T> rule = (entry, value) -> {};
    private boolean required;
    private boolean always;
    private boolean endsLoad;
    boolean sameInAllTrials;
    private Content content = Content.PLAIN;
    private @Nullable Sentence about;

    private Key(
            String name,
            KeyShape shape,
            T fallback,
            @Nullable BiFunction<EntryReading, String, Optional<T>> reader,
            List<Class<?>> type) {
        this.name = name;
        this.shape = shape;
        this.fallback = fallback;
        this.reader = reader;
        this.type = type;
    }

    /** A key with an integer of at least 1. */
    public static Key<Integer> count(String name, int fallback, int most) {
        return scalar(name, Quantities.COUNT, fallback, text -> (int) Quantities.count(text, 1, most));
    }

    /** A key with a boolean, false by default. */
    public static Key<Boolean> flag(String name) {
        return flag(name, false);
    }

    public static Key<Boolean> flag(String name, boolean fallback) {
        return choice(name, fallback, List.of(true, false), String::valueOf);
    }

    /** A key with a number from 0 to 1, 0 by default. */
    public static Key<Double> ratio(String name) {
        return scalar(name, Quantities.RATIO, 0.0, Quantities::ratio);
    }

    /** A key with one of several values, each written as a word. */
    public static <T> Key<T> choice(String name, T fallback, List<T> values, Function<T, String> word) {
        Map<String, T> words = new LinkedHashMap<>();
        values.forEach(value -> words.put(word.apply(value), value));
        Class<?> type = fallback instanceof Enum<?> constant ? constant.getDeclaringClass() : fallback.getClass();
        return of(name, KeyShape.Value.of(words.keySet()), fallback, (entry, key) -> entry.choice(key, words), type)
                .shown(word);
    }

    /** A key with a number of records, multiplied by {@code --scale}; no default. */
    public static Key<OptionalLong> records(String name) {
        return scalar(
                name,
                Sentence.of("scenario.a.records"),
                OptionalLong.empty(),
                (entry, text) -> OptionalLong.of(entry.scale().records(Quantities.count(text, 1, Long.MAX_VALUE))),
                OptionalLong.class);
    }

    /** A key with a duration above 0, not scaled. */
    public static Key<Duration> duration(String name, Duration fallback) {
        return scalar(name, Quantities.DURATION, fallback, Quantities::duration);
    }

    /** A key with a duration, multiplied by {@code --scale}; no default. */
    public static Key<Optional<Duration>> time(String name, Function<String, Duration> parser) {
        return scalar(
                name,
                Quantities.DURATION,
                Optional.empty(),
                (entry, text) -> Optional.of(entry.scale().time(parser.apply(text))),
                Optional.class,
                Duration.class);
    }

    /** Like the other {@link #scalar}, for values that depend on other keys. */
    static <T> Key<T> scalar(
            String name, Sentence expected, T fallback, BiFunction<EntryReading, String, T> parser, Class<?>... type) {
        KeyShape shape = new KeyShape.Value(expected);
        return of(name, shape, fallback, (entry, key) -> entry.read(key, text -> parser.apply(entry, text)), type);
    }

    /** A key with a scalar; the parser throws {@link InvalidValueException}. */
    public static <T> Key<T> scalar(String name, Sentence expected, T fallback, Function<String, T> parser) {
        return scalar(name, expected, fallback, (entry, text) -> parser.apply(text), fallback.getClass());
    }

    /** @param expected key of the sentence with the expected form */
    public static <T> Key<T> scalar(String name, String expected, T fallback, Function<String, T> parser) {
        return scalar(name, Sentence.of(expected), fallback, parser);
    }

    public static Key<String> text(String name) {
        return scalar(name, "scenario.a.text", "", text -> text);
    }

    /** A key with a list, empty by default. */
    static <T> Key<List<T>> list(
            String name,
            Sentence expected,
            Class<T> element,
            BiFunction<EntryReading, String, Optional<List<T>>> reader) {
        return of(name, new KeyShape.Value(expected), List.of(), reader, List.class, element);
    }

    /** A key with a value that can be missing. */
    static <T> Key<Optional<T>> optional(
            String name, KeyShape shape, Class<T> type, BiFunction<EntryReading, String, Optional<T>> reader) {
        return of(
                name,
                shape,
                Optional.empty(),
                (entry, key) -> reader.apply(entry, key).map(Optional::of),
                Optional.class,
                type);
    }

    public static Key<Map<String, String>> properties(String name, String example) {
        return labels(name, example).content(Content.PROPERTIES);
    }

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

    public static <T> Key<T> section(
            String name, KeyShape.Section section, T fallback, Function<EntryReading, T> made) {
        return of(name, section, fallback, (entry, key) -> entry.below(key).map(made), fallback.getClass());
    }

    /**
     * A key with a custom reader.
     *
     * @param reader reads an existing value; if it is invalid, returns empty and adds a problem, and the default is
     *     used
     * @param type class of the value, followed by the classes of its elements
     */
    public static <T> Key<T> of(
            String name,
            KeyShape shape,
            T fallback,
            @Nullable BiFunction<EntryReading, String, Optional<T>> reader,
            Class<?>... type) {
        return new Key<>(name, shape, fallback, reader, List.of(type));
    }

    static <T> Key<List<T>> entries(String name, String example, KeyShape.Section each, Function<Settings, T> made) {
        return of(
                name,
                KeyShape.Entries.of(example, each.keys().values()),
                List.of(),
                (entry, key) -> Optional.of(entry.entries(key).stream()
                        .map(e -> made.apply(e.settings()))
                        .toList()));
    }

    /** A key that is read as part of its section. */
    public static Key<Object> part(String name, KeyShape shape) {
        return of(name, shape, "", null);
    }

    /** Shows the default as "none" in the reference. */
    public Key<T> noneByDefault() {
        shownFallback = "none";
        return this;
    }

    /** Shows the key as required in the reference. */
    public Key<T> requiredWhereUsed() {
        shownFallback = "required";
        return this;
    }

    /** Sets the display form of a value. */
    public Key<T> shown(Function<T, String> text) {
        shown = text;
        return this;
    }

    /** Sets how the value is redacted. */
    public Key<T> content(Content what) {
        content = what;
        return this;
    }

    public Key<T> required() {
        required = true;
        return requiredWhereUsed();
    }

    /** Marks a key that is read even if it is missing, because its default depends on other keys. */
    Key<T> always() {
        always = true;
        return this;
    }

    /** Adds a rule that checks the value against other keys; all rules are applied. */
    public Key<T> rule(BiConsumer<EntryReading, T> more) {
        rule = rule.andThen(more);
        return this;
    }

    /**
     * Marks a key that determines the end of the load. A ceiling search ignores it, because the search sets the length
     * of its trials.
     */
    public Key<T> endOfLoad() {
        endsLoad = true;
        return this;
    }

    /** Marks a key that {@code matrix} and {@code trials} cannot change. */
    public Key<T> sameInAllTrials() {
        sameInAllTrials = true;
        return this;
    }

    /** Sets the description, as Markdown; the catalogue describes Plimsoll's own keys. */
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

    /** The class of the value, followed by the classes of its elements. */
    public List<Class<?>> type() {
        return type;
    }

    public boolean isRequired() {
        return required;
    }

    public boolean endsLoad() {
        return endsLoad;
    }

    public Content content() {
        return content;
    }

    /** The value as {@code name value} for display; for a flag, only the name. */
    public String text(Settings settings) {
        String value = shown.apply(settings.get(this));
        return value.isEmpty() || value.equals("true") ? name() : name() + " " + value;
    }

    public String about(Language language) {
        return (about == null ? Sentence.term("scenario.key.", path()) : about).in(language);
    }

    private String path() {
        return Scenario.ALL.byPath().entrySet().stream()
                .filter(place -> place.getValue() == this)
                .findFirst()
                .map(Map.Entry::getKey)
                .orElse(name);
    }

    /** The default as Markdown: the text from the catalogue, otherwise the value; empty without a default. */
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
                // A record without components is a form without values, so it has no text.
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
