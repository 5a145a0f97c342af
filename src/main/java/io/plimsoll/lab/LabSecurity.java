package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Security of a lab's brokers, see {@link #parse}. Immutable.
 *
 * @param protocol Kafka's {@code security.protocol}
 * @param mechanisms SASL mechanisms; the first is also the inter-broker mechanism; empty without SASL
 * @param mutual whether clients authenticate with a certificate
 * @param acls whether ACLs are enforced; {@link LabLogins#ADMIN} is a superuser
 * @param sessions reauthentication interval; zero for none
 * @param kerberos {@code realm}, {@code keytab} and {@code krb5} for GSSAPI; otherwise empty
 */
public record LabSecurity(
        String protocol,
        List<String> mechanisms,
        boolean mutual,
        boolean acls,
        Duration sessions,
        Map<String, String> kerberos) {
    static final String GSSAPI = "GSSAPI";
    static final String OAUTHBEARER = "OAUTHBEARER";
    static final String REALM = "realm";
    static final String KEYTAB = "keytab";
    static final String KRB5 = "krb5";

    private static final List<String> PROTOCOLS = List.of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL");
    private static final List<String> MECHANISMS =
            List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", OAUTHBEARER, GSSAPI);
    /** First release in which the storage tool creates credentials (KIP-900). */
    private static final String FIRST_SCRAM = "3.5.0";
    /** First release with the current class names of the OAUTHBEARER handlers. */
    private static final String FIRST_OAUTHBEARER = "3.4.0";

    private static final String MUTUAL = "mutual";
    private static final String ACLS = "acls";
    private static final String SESSIONS = "reauth";

    public LabSecurity {
        mechanisms = List.copyOf(mechanisms);
        kerberos = Map.copyOf(kerberos);
        require(sasl(protocol) != mechanisms.isEmpty(), "lab.security.mechanism", protocol, Sentence.or(MECHANISMS));
        require(!mutual || protocol.equals("SSL"), "lab.security.mutual");
        require(!acls || mutual || sasl(protocol), "lab.security.acls");
        require(sessions.isZero() || sasl(protocol), "lab.security.sessions");
        require(
                !mechanisms.contains(GSSAPI) || (kerberos.containsKey(REALM) && kerberos.containsKey(KEYTAB)),
                "lab.security.kerberos");
    }

    /**
     * Parses comma-separated words in any order, case-insensitive: a {@code security.protocol}, SASL mechanisms, {@code
     * mutual}, {@code acls}, {@code reauth=DURATION}, and for GSSAPI {@code realm=}, {@code keytab=FILE} and {@code
     * krb5=FILE}.
     *
     * @throws PlimsollException {@link Exit#USAGE} with the invalid or missing word
     */
    public static LabSecurity parse(String text) {
        String protocol = null;
        List<String> mechanisms = new ArrayList<>();
        Map<String, String> values = new LinkedHashMap<>();
        for (String each : text.split(",", -1)) {
            String word = each.strip();
            String upper = word.toUpperCase(Locale.ROOT);
            int equals = word.indexOf('=');
            if (PROTOCOLS.contains(upper)) {
                protocol = upper;
            } else if (MECHANISMS.contains(upper)) {
                mechanisms.add(upper);
            } else {
                String name = (equals < 0 ? word : word.substring(0, equals)).toLowerCase(Locale.ROOT);
                boolean flag = name.equals(MUTUAL) || name.equals(ACLS);
                boolean valued = List.of(SESSIONS, REALM, KEYTAB, KRB5).contains(name);
                require(equals < 0 ? flag : valued, "lab.security.word", word, Sentence.or(PROTOCOLS));
                values.put(name, equals < 0 ? "" : word.substring(equals + 1));
            }
        }
        if (protocol == null) {
            throw Exit.USAGE.because("lab.security.protocol", text, Sentence.or(PROTOCOLS));
        }
        Map<String, String> kerberos = new LinkedHashMap<>(values);
        kerberos.keySet().retainAll(List.of(REALM, KEYTAB, KRB5));
        kerberos.replaceAll((name, value) ->
                name.equals(REALM) ? value : Path.of(value).toAbsolutePath().toString());
        return new LabSecurity(
                protocol,
                mechanisms,
                values.containsKey(MUTUAL),
                values.containsKey(ACLS),
                sessions(values.get(SESSIONS)),
                kerberos);
    }

    private static Duration sessions(@Nullable String text) {
        try {
            return text == null ? Duration.ZERO : Quantities.duration(text);
        } catch (InvalidValueException e) {
            throw Exit.USAGE.because(e, "lab.security.sessionTime", e.sentence());
        }
    }

    /** These settings as text, the inverse of {@link #parse}. */
    String text() {
        List<String> words = new ArrayList<>(List.of(protocol));
        words.addAll(mechanisms);
        if (mutual) {
            words.add(MUTUAL);
        }
        if (acls) {
            words.add(ACLS);
        }
        if (!sessions.isZero()) {
            words.add(SESSIONS + "=" + sessions.toMillis() + "ms");
        }
        kerberos.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> words.add(e.getKey() + "=" + e.getValue()));
        return String.join(",", words);
    }

    boolean tls() {
        return protocol.endsWith("SSL");
    }

    /** Rejects settings that this release does not support. */
    void requireOf(KafkaRelease release) {
        for (String mechanism : mechanisms) {
            String first = mechanism.startsWith("SCRAM")
                    ? FIRST_SCRAM
                    : mechanism.equals(OAUTHBEARER) ? FIRST_OAUTHBEARER : release.version();
            require(!release.isBefore(first), "lab.security.release", release.version(), mechanism, first);
        }
    }

    private static boolean sasl(String protocol) {
        return protocol.startsWith("SASL");
    }

    private static void require(boolean condition, String key, @Nullable Object... arguments) {
        Exit.USAGE.when(!condition, key, arguments);
    }
}
