package io.plimsoll.cli;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.text.Wording;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where to read about what a failure says, by the keys in {@code sentences/page}. Stateless. */
final class ErrorPage {
    static final String ROOM = "page";
    static final String BEGINS = "page.of.";

    private ErrorPage() {}

    /** A path such as {@code docs/security.md#logins}; empty if no page is about it. */
    static Optional<String> of(Sentence what, Language language) {
        Map<String, String> pages = Wording.of(ROOM, language);
        return keys(what)
                .flatMap(key -> pages.keySet().stream().filter((BEGINS + key)::startsWith))
                .max(Comparator.comparingInt(String::length))
                .map(pages::get);
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
