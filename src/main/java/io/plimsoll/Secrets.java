package io.plimsoll;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which properties are secret, and how to keep their values out of files and messages. Stateless. */
public final class Secrets {
    /** What stands in the place of a secret value. */
    public static final String HIDDEN = "(redacted)";

    private static final List<String> WORDS = List.of(
            "password",
            "passwd",
            "passphrase",
            "secret",
            "token",
            "jaas",
            "credential",
            "private.key",
            "privatekey",
            "api.key",
            "apikey",
            "basic.auth.user.info");

    /** {@code ssl.keystore.key} and {@code ssl.key.*}, also behind a prefix such as {@code listener.name.x.}. */
    private static final Pattern KEY_MATERIAL = Pattern.compile("(.*\\.)?ssl\\.(keystore\\.key|key\\..*)");

    /** One {@code option="value"} of a JAAS entry. */
    private static final Pattern JAAS_OPTION =
            Pattern.compile("([\\w.]+)\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)'|([^\\s;]+))");

    private Secrets() {}

    /** Whether the value of this property must never be shown; judged by the name alone, upper or lower case. */
    public static boolean isSecret(String propertyName) {
        String name = propertyName.toLowerCase(Locale.ROOT);
        return WORDS.stream().anyMatch(name::contains)
                || KEY_MATERIAL.matcher(name).matches();
    }

    /** The same properties in the same order, each secret value replaced by {@link #HIDDEN}. */
    public static Map<String, String> redact(Map<String, String> properties) {
        Map<String, String> redacted = new LinkedHashMap<>();
        properties.forEach((name, value) -> redacted.put(name, isSecret(name) ? HIDDEN : value));
        return Collections.unmodifiableMap(redacted);
    }

    /**
     * A text of foreign origin (a library's error message) without the secret values of these properties, should it
     * quote them; the options of a JAAS entry are looked for one by one.
     */
    public static String scrub(String text, Map<String, String> properties) {
        List<String> values = new ArrayList<>();
        properties.forEach((name, value) -> {
            if (value != null && isSecret(name)) {
                values.add(value);
                if (name.toLowerCase(Locale.ROOT).contains("jaas")) {
                    values.addAll(secretJaasValues(value));
                }
            }
        });
        // The longest first: a value that is part of another must not leave the rest of it behind.
        values.sort(Comparator.comparingInt(String::length).reversed());
        String scrubbed = text;
        for (String value : values) {
            if (!value.isBlank()) {
                scrubbed = scrubbed.replace(value, HIDDEN);
            }
        }
        return scrubbed;
    }

    private static List<String> secretJaasValues(String jaas) {
        List<String> values = new ArrayList<>();
        Matcher option = JAAS_OPTION.matcher(jaas);
        while (option.find()) {
            // user_NAME="..." is how a PLAIN listener holds its users' passwords.
            if (isSecret(option.group(1)) || option.group(1).startsWith("user_")) {
                for (int group = 2; group <= 4; group++) {
                    if (option.group(group) != null) {
                        values.add(option.group(group));
                    }
                }
            }
        }
        return values;
    }
}
