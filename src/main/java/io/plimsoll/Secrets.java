package io.plimsoll;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What may be shown, and how the rest is kept out of files and messages. Properties are judged by their names: shown is what
 * Kafka defines and does not call a password, and everything else is hidden. Behind that stands a second line: secrets that
 * came in are learnt, and whatever is printed, stored or sent passes through {@link #clean}. Thread-safe.
 */
public final class Secrets {
    /** What stands in the place of a secret value. */
    public static final String HIDDEN = "(redacted)";

    /** Characters of values that many properties have. */
    private static final int SHORT = 3;

    /** Settings of Kafka's clients, topics and brokers that are no passwords, each on a line of its own. */
    private static final Set<String> SHOWN = names("kafka-settings.txt");

    /** What providers of Kafka's clients look up elsewhere, and says nothing by itself. */
    private static final Pattern REFERENCE = Pattern.compile("\\s*\\$\\{[A-Za-z]\\w*:[^{}]*}\\s*");

    private static final Pattern USER_INFO = Pattern.compile("(?<=[A-Za-z0-9]://)[^/\\s?#\"'<>\\\\]{1,500}@");
    private static final Pattern PREFIX = Pattern.compile("listener\\.name\\.[^.]+\\.(\\w+\\.(?=sasl\\.))?");
    private static final Pattern PROVIDER = Pattern.compile("config\\.providers(\\.\\w+\\.class)?");

    /** Shorter ones, and common words, stand in other places for other things. */
    private static final Pattern WORTH_LEARNING = Pattern.compile("(?s)(?=.*[^a-z]).{8,}|.{16,}");

    /** No address, class, path or list, which may be the value of something else, too. */
    private static final Pattern OPAQUE = Pattern.compile("[^\\s./:,]{8,}");

    private static volatile List<String> learnt = List.of();

    /**
     * How properties were written whose values were looked up elsewhere, by the property and its value. For as long as the process
     * lives, as clients of a run that has ended may still report their settings, and a run may end while others go on. It can only
     * hide: a later run that gives a property the same value literally shows the reference, which is equal to it.
     */
    private static final Map<Map.Entry<String, String>, String> WRITTEN = new ConcurrentHashMap<>();

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

    private static final Pattern JAAS_PROBLEM = Pattern.compile("JAAS|control flag|^Line \\d+|found \\[");

    /** In brackets or quotation marks, but for the name of a module or of a property. */
    private static final Pattern QUOTED = Pattern.compile(
            "(?<=[\\['\"])(?!([\\w.$]+LoginModule|sasl[.\\w]+)[\\]'\"])[^\\]'\"]+(?=[\\]'\"])|(?<=found ')[^']*");

    private Secrets() {}

    private static Set<String> names(String resource) {
        try (InputStream in = Secrets.class.getResourceAsStream(resource)) {
            return Set.copyOf(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the value of a property may be shown: Kafka defines it, and does not call it a password. */
    public static boolean shows(String propertyName) {
        return SHOWN.contains(PREFIX.matcher(propertyName).replaceFirst(""))
                || PROVIDER.matcher(propertyName).matches();
    }

    /** The value of a property, for people: as it is, without its secret parts, or {@link #HIDDEN}. */
    public static String shown(String propertyName, String value) {
        String written = WRITTEN.getOrDefault(Map.entry(propertyName, value), value);
        return isReference(written) ? written : shows(propertyName) ? clean(written) : HIDDEN;
    }

    /**
     * Has a property with this value shown as it was written from now on, with a reference in place of what was looked up.
     * A value such as {@code all} or {@code 1} tells nothing about its source and is shown as it is, unless it is secret.
     */
    public static void lookedUp(String propertyName, String written, String value) {
        boolean telling = value.length() > SHORT || !shows(propertyName);
        if (!written.equals(value) && telling) {
            WRITTEN.put(Map.entry(propertyName, value), written);
            if (!shows(propertyName)) {
                learn(value);
            }
        }
    }

    /** Whether a value is looked up elsewhere, such as <code>${env:NAME}</code>. */
    public static boolean isReference(String value) {
        return REFERENCE.matcher(value).matches();
    }

    /** Whether a text speaks of secrets, such as the name of a property or a line that has one; upper or lower case. */
    public static boolean isSecret(String propertyName) {
        String name = propertyName.toLowerCase(Locale.ROOT);
        return !SHOWN.contains(name)
                && (WORDS.stream().anyMatch(name::contains)
                        || KEY_MATERIAL.matcher(name).matches());
    }

    /** The same properties in the same order, each with its {@link #shown} value. */
    public static Map<String, String> redact(Map<String, String> properties) {
        Map<String, String> redacted = new LinkedHashMap<>();
        properties.forEach((name, value) -> redacted.put(name, shown(name, value)));
        return Collections.unmodifiableMap(redacted);
    }

    /** Keeps a value from being printed, stored or sent from now on, unless it is too short or too common to be told apart. */
    public static void learn(String value) {
        synchronized (Secrets.class) {
            if (!learnt.contains(value)
                    && !isReference(value)
                    && !value.contains(HIDDEN)
                    && WORTH_LEARNING.matcher(value).matches()) {
                List<String> more = new ArrayList<>(learnt);
                more.add(value);
                // The longest first: a value that is part of another must not leave the rest of it behind.
                more.sort(Comparator.comparingInt(String::length).reversed());
                learnt = List.copyOf(more);
            }
        }
    }

    /** Learns the values of those properties that are secret by their name. */
    public static void learn(Map<String, String> properties) {
        secrets(properties).forEach(Secrets::learn);
    }

    /** A text without what was learnt, and without user and password in addresses. */
    public static String clean(String text) {
        String clean = text;
        for (String value : learnt) {
            clean = clean.replace(value, HIDDEN);
        }
        return clean.contains("://") ? USER_INFO.matcher(clean).replaceAll(HIDDEN + "@") : clean;
    }

    /**
     * A text of foreign origin (a library's error message) without the secret values of these properties, should it
     * quote them; the options of a JAAS entry are looked for one by one.
     */
    public static String scrub(String text, Map<String, String> properties) {
        List<String> values = secrets(properties);
        properties.forEach((name, value) -> {
            if (value != null && !shows(name) && OPAQUE.matcher(value).matches()) {
                values.add(value);
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
        boolean jaas = properties.keySet().stream()
                .anyMatch(name -> name.toLowerCase(Locale.ROOT).contains("jaas"));
        // Of a malformed entry the parser quotes any piece, also a part of a password.
        return clean(
                jaas && JAAS_PROBLEM.matcher(scrubbed).find()
                        ? QUOTED.matcher(scrubbed).replaceAll(Matcher.quoteReplacement(HIDDEN))
                        : scrubbed);
    }

    private static List<String> secrets(Map<String, String> properties) {
        List<String> values = new ArrayList<>();
        properties.forEach((name, value) -> {
            if (value != null && isSecret(name)) {
                values.add(value);
                if (name.toLowerCase(Locale.ROOT).contains("jaas")) {
                    values.addAll(secretJaasValues(value));
                }
            }
        });
        return values;
    }

    private static List<String> secretJaasValues(String jaas) {
        return JAAS_OPTION
                .matcher(jaas)
                .results()
                // user_NAME="..." is how a PLAIN listener holds its users' passwords.
                .filter(option -> isSecret(option.group(1)) || option.group(1).startsWith("user_"))
                .flatMap(option -> Stream.of(option.group(2), option.group(3), option.group(4)))
                .filter(Objects::nonNull)
                .toList();
    }
}
