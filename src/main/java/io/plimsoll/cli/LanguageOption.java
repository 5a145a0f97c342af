package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.Arrays;
import picocli.CommandLine.Option;

/** The language that a report is wanted in. */
final class LanguageOption {
    @Option(names = "--lang", paramLabel = "LANGUAGE", defaultValue = "en")
    String code;

    /** @throws PlimsollException {@link Exit#USAGE} if there is no such language */
    Language language() {
        return Language.of(code)
                .orElseThrow(() -> new PlimsollException(
                        Exit.USAGE,
                        Sentence.of(
                                "cli.noLanguage",
                                code,
                                Arrays.stream(Language.values())
                                        .map(Language::code)
                                        .toList())));
    }
}
