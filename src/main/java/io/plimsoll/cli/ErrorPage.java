package io.plimsoll.cli;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.text.Wording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where to read about what a failure says, by the keys in {@code sentences/page}. Stateless. */
final class ErrorPage {
    static final String ROOM = "page";
    static final String BEGINS = "page.of.";
    private static final String HOME = "plimsoll.home";

    private ErrorPage() {}

    /**
     * A path such as {@code docs/security.md#logins}, from here if the program is there, otherwise with where it is;
     * empty if no page is about it.
     */
    static Optional<String> of(Sentence what, Language language) {
        Map<String, String> pages = Wording.of(ROOM, language);
        return keys(what)
                .flatMap(key -> pages.keySet().stream().filter((BEGINS + key)::startsWith))
                .max(Comparator.comparingInt(String::length))
                .map(pages::get)
                .map(page -> found(page, Path.of(""), System.getProperty(HOME)));
    }

    /** @param home where the program is, null if not known; others have files of these names, too */
    static String found(String page, Path here, String home) {
        String file = page.replaceFirst("#.*", "");
        try {
            boolean elsewhere = home != null
                    && Files.exists(Path.of(home, file))
                    && !(Files.exists(here.resolve(file)) && Files.isSameFile(here.resolve(file), Path.of(home, file)));
            return elsewhere ? Path.of(home, page).toString() : page;
        } catch (IOException e) {
            return page;
        }
    }

    private static Stream<String> keys(Object said) {
        if (said instanceof Collection<?> several) {
            return several.stream().flatMap(ErrorPage::keys);
        }
        return said instanceof Sentence sentence
                ? Stream.concat(Stream.ofNullable(sentence.key()), keys(sentence.arguments()))
                : Stream.empty();
    }
}
