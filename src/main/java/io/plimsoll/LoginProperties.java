package io.plimsoll;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sets the system properties that Kafka and the JDK need for a login, so that users set only client properties.
 * Properties already set for this process take precedence. Thread-safe.
 */
public final class LoginProperties {
    private static final String URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
    private static final String FILES = "org.apache.kafka.sasl.oauthbearer.allowed.files";
    /** Environment variable with the path of the Kerberos configuration. */
    public static final String KRB5_VARIABLE = "KRB5_CONFIG";

    private static final String KRB5 = "java.security.krb5.conf";
    private static final boolean URLS_GIVEN = System.getProperty(URLS) != null;
    private static final boolean FILES_GIVEN = System.getProperty(FILES) != null;

    /**
     * Allows Kafka clients to use the OAUTHBEARER URLs and files in these properties, since the user configured them.
     * Kerberos is configured from the file in {@link #KRB5_VARIABLE}.
     */
    public static void allow(Map<String, String> clientProperties) {
        clientProperties.forEach((name, value) -> {
            if (name.startsWith("sasl.oauthbearer.") && name.endsWith(".url") && !URLS_GIVEN) {
                add(URLS, value);
            } else if (name.startsWith("sasl.oauthbearer.") && name.endsWith(".file") && !FILES_GIVEN) {
                add(FILES, value);
            }
        });
        kerberos(System.getenv(KRB5_VARIABLE));
    }

    /**
     * Configures Kerberos from a file unless it is already configured.
     *
     * @param file null for no change
     */
    public static void kerberos(@Nullable String file) {
        if (file != null && System.getProperty(KRB5) == null) {
            System.setProperty(KRB5, file);
        }
    }

    private static synchronized void add(String property, String value) {
        String before = System.getProperty(property, "");
        Set<String> values = Arrays.stream(before.split(","))
                .filter(v -> !v.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (values.add(value.strip())) {
            System.setProperty(property, String.join(",", values));
        }
    }
}
