package io.plimsoll.text;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A language that sentences are put into. */
public enum Language {
    EN(", ", " and "),
    ZH("、", " 和 ");

    private static final Pattern GAP = Pattern.compile("(?<=[\\p{IsHan}，。：；（）、]) (?=[\\p{IsHan}，。：；（）、])");

    private final String comma;
    private final String and;

    Language(String comma, String and) {
        this.comma = comma;
        this.and = and;
    }

    /** @return empty if there is no language of this code */
    public static Optional<Language> of(String code) {
        return Arrays.stream(values()).filter(l -> l.code().equals(code)).findFirst();
    }

    /** The language that a process's environment asks for, by {@code PLIMSOLL_LANG} or the locale. */
    public static Language of(Map<String, String> environment) {
        return Stream.of("PLIMSOLL_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(locale -> !locale.isEmpty())
                .findFirst()
                .filter(locale -> locale.startsWith(ZH.code()))
                .map(chinese -> ZH)
                .orElse(EN);
    }

    /** The name of the language in options, files and pages, such as {@code zh}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    String list(List<String> items) {
        int last = items.size() - 1;
        return last < 1 ? String.join("", items) : String.join(comma, items.subList(0, last)) + and + items.get(last);
    }

    /** Between Chinese characters is no space, as there is beside a figure or a name that stands between them. */
    String set(String text) {
        return this == ZH ? GAP.matcher(text).replaceAll("") : text;
    }
}
