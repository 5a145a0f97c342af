package io.plimsoll;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What Kafka and the JDK take of a login from system properties alone, so that client properties are enough. Whoever sets
 * one of them for this process is obeyed, and nothing is added. Thread-safe.
 */
public final class LoginProperties {
    private static final String URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
    private static final String FILES = "org.apache.kafka.sasl.oauthbearer.allowed.files";
    /** The variable of the environment that names Kerberos' file. */
    public static final String KRB5_VARIABLE = "KRB5_CONFIG";

    private static final String KRB5 = "java.security.krb5.conf";
    private static final boolean URLS_GIVEN = System.getProperty(URLS) != null;
    private static final boolean FILES_GIVEN = System.getProperty(FILES) != null;

    private LoginProperties() {}

    /**
     * Lets Kafka's clients ask the servers and read the files that these properties name for OAUTHBEARER: who chose the
     * properties chose them. Kerberos is configured by the file that {@link #KRB5_VARIABLE} names in the environment.
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
     * Configures Kerberos by a file, unless another one was named before.
     *
     * @param file null changes nothing
     */
    public static void kerberos(String file) {
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
