package io.plimsoll.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Puts sentences into words. The templates of the keys {@code room.…} are in {@code /sentences/room.en.properties} and
 * {@code /sentences/room.zh.properties}, read when the first of them is asked for. Thread-safe.
 */
public final class Wording {
    private static final Map<String, Map<String, Template>> FILES = new ConcurrentHashMap<>();

    private Wording() {}

    /** Every key of a room with its words as they are written, in this language. */
    public static Map<String, String> of(String room, Language language) {
        String name = "sentences/" + room + "." + language.code() + ".properties";
        Properties texts = new Properties();
        try {
            // What is added to the class path, such as a kind of load, brings its words along.
            for (URL file : Collections.list(Wording.class.getClassLoader().getResources(name))) {
                try (InputStream in = file.openStream()) {
                    texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts.stringPropertyNames().stream().collect(Collectors.toMap(k -> k, texts::getProperty));
    }

    static boolean knows(String key, int arguments) {
        Template template = find(key, Language.EN);
        return template != null && template.places().size() == arguments;
    }

    static void check(String key, int arguments) {
        if (!knows(key, arguments)) {
            throw new IllegalArgumentException("no sentence with " + arguments + " places: " + key);
        }
    }

    static String say(Sentence sentence, Language language) {
        Template template = find(sentence.key(), language);
        // What one language lacks is a fault that a test finds; whoever meets it all the same reads English.
        return (template == null ? find(sentence.key(), Language.EN) : template)
                .fill(sentence.arguments(), language, value -> argument(value, language));
    }

    private static String argument(Object value, Language language) {
        if (value instanceof List<?> list) {
            return language.list(
                    list.stream().map(item -> argument(item, language)).toList());
        }
        return value instanceof Sentence sentence ? sentence.in(language) : value.toString();
    }

    private static Template find(String key, Language language) {
        String room = key.substring(0, Math.max(0, key.indexOf('.')));
        return FILES.computeIfAbsent(room + "." + language.code(), file -> of(room, language).entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, e -> new Template(e.getValue()))))
                .get(key);
    }
}
