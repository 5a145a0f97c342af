package io.plimsoll.report.language;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A language that reports can be read in. */
public enum Language {
    EN,
    ZH;

    /**
     * @param code as of {@code --lang}, such as {@code zh}
     * @throws PlimsollException {@link Exit#USAGE} if there is no such language
     */
    public static Language of(String code) {
        return Arrays.stream(values())
                .filter(l -> l.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new PlimsollException(
                        Exit.USAGE,
                        "There is no language '" + code + "': it is one of "
                                + Arrays.stream(values()).map(Language::code).collect(Collectors.joining(" and "))
                                + "."));
    }

    public String code() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
