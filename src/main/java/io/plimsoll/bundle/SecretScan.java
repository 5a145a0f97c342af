package io.plimsoll.bundle;

import io.plimsoll.Secrets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks for secrets that redaction has missed: values of settings named like secrets, private keys, and tokens in
 * common formats. Secrets without such a name or format are not recognized. Stateless.
 */
final class SecretScan {
    private static final Pattern FORM =
            Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY|\\beyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}"
                    + "|\\bAKIA[A-Z0-9]{16}\\b|\\b(?i:bearer|basic) [A-Za-z0-9+/_.-]{16,}=*");

    /** A property and its value in properties, JSON, YAML, JAAS, or a command line. */
    private static final Pattern SETTING = Pattern.compile("(?<![\\w.-])([a-z][\\w.-]{2,120}|[A-Z][A-Z0-9_]{2,80})"
            + "\\\\?[\"']?\\s{0,3}[=:]\\s{0,3}\\\\?[\"']?([^\\s\"',;\\\\}\\]\\[]{1,200})");

    /** Placeholders of hidden or absent values, and flags. */
    private static final Pattern HARMLESS =
            Pattern.compile("\\(?(redacted|hidden).*|null|none|true|false|class|\\$?\\{.*");

    private static final Pattern NUMBER = Pattern.compile("-?[\\d.]+");

    /** The name or format of a secret, never its value, and its position in the text. */
    record FoundSecret(String name, int start) {}

    /** The first secret in a line or in several lines. */
    static Optional<FoundSecret> find(String text) {
        Matcher form = FORM.matcher(text);
        if (form.find()) {
            String name = form.group().substring(0, Math.min(form.group().length(), 5)) + "…";
            return Optional.of(new FoundSecret(name, form.start()));
        }
        if (!Secrets.isSecret(text) && !text.contains("ssl.k")) {
            return Optional.empty();
        }
        return SETTING.matcher(text)
                .results()
                .filter(setting -> Secrets.isSecret(setting.group(1)))
                .filter(setting -> isValue(setting.group(1), setting.group(2)))
                .map(setting -> new FoundSecret(setting.group(1), setting.start()))
                .findFirst();
    }

    /** A number is a lifetime or a count, not a secret, unless the setting is a password. */
    private static boolean isValue(String name, String value) {
        boolean password = name.toLowerCase(Locale.ROOT).contains("pass");
        return !HARMLESS.matcher(value).matches()
                && (password || !NUMBER.matcher(value).matches());
    }
}
