package io.plimsoll;

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
 * Redaction of secrets in files and messages. Properties are classified by name: only settings that Kafka defines as
 * non-password are shown. As a second line of defense, secret values are learned, and {@link #clean} removes them from
 * everything printed, stored, or sent. Thread-safe.
 */
public final class Secrets {
    public static final String HIDDEN = "(redacted)";

    /** Values of at most this many characters are shown unless secret, because they occur in many properties. */
    private static final int SHORT = 3;

    /** Non-password settings of Kafka's clients, topics, and brokers, one per line. */
    private static final Set<String> SHOWN = names("kafka-settings.txt");

    /** A reference that a configuration provider resolves; it contains no secret. */
    private static final Pattern REFERENCE = Pattern.compile("\\s*\\$\\{[A-Za-z]\\w*:[^{}]*}\\s*");

    private static final Pattern USER_INFO = Pattern.compile("(?<=[A-Za-z0-9]://)[^/\\s?#\"'<>\\\\]{1,500}@");
    private static final Pattern PREFIX = Pattern.compile("listener\\.name\\.[^.]+\\.(\\w+\\.(?=sasl\\.))?");
    private static final Pattern PROVIDER = Pattern.compile("config\\.providers(\\.\\w+\\.class)?");

    /** Values that can be learned as secrets. Short values and common words are excluded: they also occur elsewhere. */
    private static final Pattern WORTH_LEARNING = Pattern.compile("(?s)(?=.*[^a-z]).{8,}|.{16,}");

    /** Excludes addresses, classes, paths, and lists, which can also be values of other settings. */
    private static final Pattern OPAQUE = Pattern.compile("[^\\s./:,]{8,}");

    private static volatile List<String> learnt = List.of();

    /**
     * Original references of resolved properties, by property and value. Kept for the life of the process: clients of a
     * finished run can still log their settings, and runs can overlap. The map never reveals a value: a later run with
     * the same literal value shows the equivalent reference.
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

    /** {@code ssl.keystore.key} and {@code ssl.key.*}, also with a prefix such as {@code listener.name.x.}. */
    private static final Pattern KEY_MATERIAL = Pattern.compile("(.*\\.)?ssl\\.(keystore\\.key|key\\..*)");

    /** One {@code option="value"} of a JAAS entry. */
    private static final Pattern JAAS_OPTION =
            Pattern.compile("([\\w.]+)\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)'|([^\\s;]+))");

    private static final Pattern JAAS_PROBLEM = Pattern.compile("JAAS|control flag|^Line \\d+|found \\[");

    /** Text in brackets or quotation marks, except for module and property names. */
    private static final Pattern QUOTED = Pattern.compile(
            "(?<=[\\['\"])(?!([\\w.$]+LoginModule|sasl[.\\w]+)[\\]'\"])[^\\]'\"]+(?=[\\]'\"])|(?<=found ')[^']*");

    private static Set<String> names(String resource) {
        return Set.copyOf(InputFile.resource(Secrets.class, resource).lines().toList());
    }

    /** Whether the value of a property can be shown because Kafka defines the setting as non-password. */
    public static boolean shows(String propertyName) {
        return SHOWN.contains(PREFIX.matcher(propertyName).replaceFirst(""))
                || PROVIDER.matcher(propertyName).matches();
    }

    /** The property's value as it can be displayed: unchanged, without its secret parts, or {@link #HIDDEN}. */
    public static String shown(String propertyName, String value) {
        String written = WRITTEN.getOrDefault(Map.entry(propertyName, value), value);
        return isReference(written) ? written : shows(propertyName) ? clean(written) : HIDDEN;
    }

    /**
     * Registers a resolved value, so that the property is shown with its original reference. Short values such as
     * {@code all} or {@code 1} are shown unchanged unless secret.
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

    /** Whether a value is a provider reference, such as <code>${env:NAME}</code>. */
    public static boolean isReference(String value) {
        return REFERENCE.matcher(value).matches();
    }

    /** Whether a text, such as a property name or a line, refers to a secret; case-insensitive. */
    public static boolean isSecret(String propertyName) {
        String name = propertyName.toLowerCase(Locale.ROOT);
        return !SHOWN.contains(name)
                && (WORDS.stream().anyMatch(name::contains)
                        || KEY_MATERIAL.matcher(name).matches());
    }

    /** The properties in the same order, with their {@link #shown} values. */
    public static Map<String, String> redact(Map<String, String> properties) {
        Map<String, String> redacted = new LinkedHashMap<>();
        properties.forEach((name, value) -> redacted.put(name, shown(name, value)));
        return Collections.unmodifiableMap(redacted);
    }

    /** Redacts this value from now on, unless it is too short or too common. */
    public static void learn(String secret) {
        // The value of a file often ends with a newline, which a message can omit.
        String value = secret.strip();
        synchronized (Secrets.class) {
            if (!learnt.contains(value)
                    && !isReference(value)
                    && !value.contains(HIDDEN)
                    && WORTH_LEARNING.matcher(value).matches()) {
                List<String> more = new ArrayList<>(learnt);
                more.add(value);
                // Longest first, so that a value that contains another is removed completely.
                more.sort(Comparator.comparingInt(String::length).reversed());
                learnt = List.copyOf(more);
            }
        }
    }

    public static void learn(Map<String, String> properties) {
        secrets(properties).forEach(Secrets::learn);
    }

    /** The text without learned values and without credentials in addresses. */
    public static String clean(String text) {
        String clean = text;
        for (String value : learnt) {
            clean = clean.replace(value, HIDDEN);
        }
        return clean.contains("://") ? USER_INFO.matcher(clean).replaceAll(HIDDEN + "@") : clean;
    }

    /**
     * Removes the secret values of these properties from an external text, such as a library's error message; options
     * of JAAS entries are removed individually.
     */
    public static String scrub(String text, Map<String, String> properties) {
        List<String> values = secrets(properties);
        properties.forEach((name, value) -> {
            if (value != null && !shows(name) && OPAQUE.matcher(value.strip()).matches()) {
                values.add(value.strip());
            }
        });
        // Longest first, so that a value that contains another is removed completely.
        values.sort(Comparator.comparingInt(String::length).reversed());
        String scrubbed = text;
        for (String value : values) {
            if (!value.isBlank()) {
                scrubbed = scrubbed.replace(value, HIDDEN);
            }
        }
        boolean jaas = properties.keySet().stream()
                .anyMatch(name -> name.toLowerCase(Locale.ROOT).contains("jaas"));
        // The JAAS parser can quote any fragment of a malformed entry, even part of a password.
        return clean(
                jaas && JAAS_PROBLEM.matcher(scrubbed).find()
                        ? QUOTED.matcher(scrubbed).replaceAll(Matcher.quoteReplacement(HIDDEN))
                        : scrubbed);
    }

    private static List<String> secrets(Map<String, String> properties) {
        List<String> values = new ArrayList<>();
        properties.forEach((name, value) -> {
            if (value != null && isSecret(name)) {
                values.add(value.strip());
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
                // user_NAME="..." holds user passwords on a PLAIN listener.
                .filter(option -> isSecret(option.group(1)) || option.group(1).startsWith("user_"))
                .flatMap(option -> Stream.of(option.group(2), option.group(3), option.group(4)))
                .filter(Objects::nonNull)
                .toList();
    }
}
