package io.plimsoll.text;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A language of messages, reports and pages. */
public enum Language {
    EN,
    ZH;

    private static final Pattern GAP = Pattern.compile("(?<=[\\p{IsHan}，。：；（）、]) (?=[\\p{IsHan}，。：；（）、])");

    /** @return the language; empty for an unknown code */
    public static Optional<Language> of(String code) {
        return Arrays.stream(values()).filter(l -> l.code().equals(code)).findFirst();
    }

    /** The language set by {@code PLIMSOLL_LANG} or, without it, by the locale variables. */
    public static Language of(Map<String, String> environment) {
        return Stream.of("PLIMSOLL_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(locale -> !locale.isEmpty())
                .findFirst()
                .filter(locale -> locale.startsWith(ZH.code()))
                .map(chinese -> ZH)
                .orElse(EN);
    }

    /** The code of the language in options, files and pages, such as {@code zh}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    String list(List<String> items) {
        int last = items.size() - 1;
        return last < 1
                ? String.join("", items)
                : Sentence.of("text.and", items.subList(0, last), items.get(last))
                        .in(this);
    }

    /** Removes spaces between Chinese characters, but not next to Latin text or numbers. */
    String set(String text) {
        return this == ZH ? GAP.matcher(text).replaceAll("") : text;
    }
}
