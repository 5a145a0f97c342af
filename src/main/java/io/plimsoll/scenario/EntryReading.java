package io.plimsoll.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * An entry of a scenario file while its keys are read, one after the other in the order of their section: what is
 * written there, and the values so far. Used by one thread.
 */
public final class EntryReading {
    private final Form form;
    private final EntryReading parent;
    private final Scale scale;
    private final String fallbackName;
    private Settings settings = Settings.NONE;

    /**
     * A whole file.
     *
     * @param fallbackName for a file that has no name
     */
    EntryReading(Form form, Scale scale, String fallbackName) {
        this(form, null, scale, fallbackName);
    }

    private EntryReading(Form form, EntryReading parent, Scale scale, String fallbackName) {
        this.form = form;
        this.parent = parent;
        this.scale = scale;
        this.fallbackName = fallbackName;
    }

    /** Reads all keys of the entry. */
    EntryReading readAll() {
        form.keys().forEach(key -> settings = key.read(this, settings));
        return this;
    }

    /** Holds the values against each other. */
    EntryReading checkAll() {
        form.keys().forEach(key -> key.check(this));
        return this;
    }

    /** The entry in the map at a key; empty, with a problem added, if there is none. */
    Optional<EntryReading> below(String key) {
        return form.form(key).map(this::reading);
    }

    /** The entries of the list at a key. */
    List<EntryReading> entries(String key) {
        return form.forms(key).stream().map(this::reading).toList();
    }

    private EntryReading reading(Form entry) {
        return new EntryReading(entry, this, scale, fallbackName).readAll().checkAll();
    }

    Form form() {
        return form;
    }

    Scale scale() {
        return scale;
    }

    String fallbackName() {
        return fallbackName;
    }

    /** The values that have been read. */
    public Settings settings() {
        return settings;
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    /** The file as a whole, as far as it has been read. */
    public EntryReading whole() {
        return parent == null ? this : parent.whole();
    }

    /** Whether a key is written there, be its value right or wrong. */
    public boolean has(String key) {
        return form.has(key);
    }

    /** Whether something is written at a key that is not an empty list; be it right or wrong, so that one mistake is not reported twice. */
    boolean hasSome(String key) {
        return form.has(key) && !form.isEmptyList(key);
    }

    /** The topics that the scenario has, by name. */
    Map<String, TopicSpec> topics() {
        return TopicSpec.byName(whole().get(ScenarioKeys.TOPICS));
    }

    /**
     * The scalar at a key, as a parser reads it.
     *
     * @param parser throws {@link IllegalArgumentException} with what it expected
     * @return empty if the key is missing or, with a problem added, wrong
     */
    public <T> Optional<T> read(String key, Function<String, T> parser) {
        return form.read(key, parser);
    }

    /** One of several words at a key; empty as with {@link #read}. */
    public <T> Optional<T> choice(String key, Map<String, T> words) {
        return form.choice(key, words);
    }

    /** Adds a mistake in the value of a key or, if the key is missing, in the entry. */
    public void problem(String key, String message) {
        form.problem(key, message);
    }

    /** Adds a mistake in the entry as a whole. */
    public void problem(String message) {
        form.problem(message);
    }
}
