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
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Renders sentences. The templates of keys {@code room.…} are in {@code /sentences/room.en.properties} and
 * {@code /sentences/room.zh.properties}, loaded on first use. Thread-safe.
 */
public final class Wording {
    private static final Map<String, Map<String, Template>> FILES = new ConcurrentHashMap<>();

    /** All keys of a file with their templates in this language. */
    public static Map<String, String> of(String room, Language language) {
        String name = "sentences/" + room + "." + language.code() + ".properties";
        Properties texts = new Properties();
        try {
            // Extensions on the class path, such as another kind of load, have their own files.
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
        String key = Objects.requireNonNull(sentence.key(), "verbatim text has no template");
        Template template = find(key, language);
        // Tests detect missing translations; at run time, the English template is used instead.
        return Objects.requireNonNull(template == null ? find(key, Language.EN) : template)
                .fill(sentence.arguments(), language, value -> argument(value, language));
    }

    private static String argument(Object value, Language language) {
        if (value instanceof List<?> list) {
            return language.list(
                    list.stream().map(item -> argument(item, language)).toList());
        }
        return value instanceof Sentence sentence ? sentence.in(language) : value.toString();
    }

    private static @Nullable Template find(String key, Language language) {
        String room = key.substring(0, Math.max(0, key.indexOf('.')));
        return FILES.computeIfAbsent(room + "." + language.code(), file -> of(room, language).entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, e -> new Template(e.getValue()))))
                .get(key);
    }

    /**
     * The template of a sentence in one language. <code>{0}</code> is a placeholder. A list becomes {@code a, b and c},
     * or has the separator given in <code>{0|; }</code>. {@code [record is|records are]} agrees with the number, or the
     * size of the list, in the placeholder before it or, if none precedes it, in the first placeholder after it. {@code
     * [1:record|records]} agrees with the number in the given placeholder.
     */
    static final class Template {
        private static final Pattern PART =
                Pattern.compile("\\{(\\d)(?:\\|([^}]*))?}|\\[(?:(\\d):)?([^\\[\\]|]*)\\|([^\\[\\]|]*)]");

        private final String text;
        private final Set<Integer> places = new TreeSet<>();

        Template(String text) {
            this.text = text;
            each((part, number) -> {
                places.add(number);
                return "";
            });
        }

        /** Renders a part of a template that agrees with the argument at this index. */
        private interface Filling {
            String of(Matcher part, int number);
        }

        private String each(Filling filling) {
            StringBuilder said = new StringBuilder();
            Matcher part = PART.matcher(text);
            int before = 0;
            while (part.find()) {
                boolean place = part.group(1) != null;
                String named = place ? part.group(1) : part.group(3);
                int number = named == null ? before : Integer.parseInt(named);
                before = place ? number : before;
                part.appendReplacement(said, "");
                said.append(filling.of(part, number));
            }
            return part.appendTail(said).toString();
        }

        Set<Integer> places() {
            return places;
        }

        String fill(List<Object> arguments, Language language, Function<Object, String> say) {
            return each((part, number) -> {
                Object argument = arguments.get(number);
                if (part.group(1) != null) {
                    return place(argument, part.group(2), language, say);
                }
                boolean one = argument instanceof List<?> list
                        ? list.size() == 1
                        : say.apply(argument).equals("1");
                return part.group(one ? 4 : 5);
            });
        }

        private static String place(
                Object value, @Nullable String separator, Language language, Function<Object, String> say) {
            if (!(value instanceof List<?> list)) {
                return say.apply(value);
            }
            List<String> items = list.stream().map(say).toList();
            return separator == null ? language.list(items) : String.join(separator, items);
        }
    }
}
