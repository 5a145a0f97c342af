package io.plimsoll.scenario;

import java.util.List;
import java.util.Locale;

/** Which settings must never be printed or stored. */
public final class Secrets {
    /** Stands in for a value that is not shown. */
    public static final String REDACTED = "(redacted)";

    private static final List<String> WORDS =
            List.of("password", "passphrase", "secret", "token", "jaas", "credential", "keystore.key", "private.key");

    private Secrets() {}

    /** True if a value under this name (a property, a YAML key, a dotted path) must not be shown. */
    public static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return WORDS.stream().anyMatch(lower::contains);
    }
}
