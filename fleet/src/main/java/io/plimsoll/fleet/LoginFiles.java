package io.plimsoll.fleet;

import io.plimsoll.Exit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The login files of a coordinator, sent to agents as values of client properties. An agent writes the files that Kafka
 * reads only from disk (keytab and token) to a directory that only its user can access, and deletes them on close.
 */
final class LoginFiles implements AutoCloseable {
    static final String DATA = "data:;base64,";
    private static final String TOKEN_URL = "sasl.oauthbearer.token.endpoint.url";
    private static final String JAAS = "sasl.jaas.config";
    private static final Pattern KEYTAB = Pattern.compile("\\bkeyTab\\s*=\\s*\"([^\"]+)\"");
    private static final Pattern SENT = Pattern.compile(Pattern.quote(DATA) + "([A-Za-z0-9+/=]*)");

    private final List<Path> made = new ArrayList<>();

    Map<String, String> write(Map<String, String> properties) {
        Map<String, String> named = new LinkedHashMap<>();
        properties.forEach((name, value) -> {
            boolean url = name.endsWith(".url");
            Matcher sent = SENT.matcher(value);
            named.put(name, sent.replaceAll(found -> {
                Path file = file(Base64.getDecoder().decode(found.group(1)));
                return Matcher.quoteReplacement(url ? file.toUri().toString() : file.toString());
            }));
        });
        return named;
    }

    private Path file(byte[] content) {
        try {
            if (made.isEmpty()) {
                made.add(Files.createTempDirectory("plimsoll-login-"));
            }
            Path file = Files.createTempFile(made.get(0), "login-", "");
            made.add(file);
            return Files.write(file, content);
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "fleet.loginFileUnwritable", e.getMessage());
        }
    }

    @Override
    public void close() {
        for (int i = made.size() - 1; i >= 0; i--) {
            try {
                Files.deleteIfExists(made.get(i));
            } catch (IOException e) {
                made.get(i).toFile().deleteOnExit();
            }
        }
        made.clear();
    }

    /**
     * Client properties with the contents of the login files that they name: keystores as PEM, a keytab and a token as
     * {@code data:} URLs. Agents therefore need no files from the coordinator, and coordinators cannot name files on
     * agents.
     * @throws io.plimsoll.PlimsollException {@link Exit#USAGE} if a file cannot be read
     */
    static Map<String, String> text(Map<String, String> properties) {
        Map<String, String> text = new LinkedHashMap<>(properties);
        truststore(text);
        keystore(text);
        text.computeIfPresent(
                TOKEN_URL, (name, url) -> url.startsWith("file:") ? data(Path.of(java.net.URI.create(url))) : url);
        text.computeIfPresent(JAAS, (name, jaas) -> {
            Matcher keytab = KEYTAB.matcher(jaas);
            return keytab.replaceAll(
                    found -> Matcher.quoteReplacement("keyTab=\"" + data(Path.of(found.group(1))) + "\""));
        });
        return text;
    }

    private static void truststore(Map<String, String> text) {
        String prefix = "ssl.truststore.";
        String location = text.remove(prefix + "location");
        if (location != null) {
            String password = text.remove(prefix + "password");
            boolean pem = "PEM".equals(text.put(prefix + "type", "PEM"));
            text.put(prefix + "certificates", pem ? read(location) : certificates(open(location, password)));
        }
    }

    private static void keystore(Map<String, String> text) {
        String prefix = "ssl.keystore.";
        String location = text.remove(prefix + "location");
        if (location == null) {
            return;
        }
        String password = text.remove(prefix + "password");
        if ("PEM".equals(text.put(prefix + "type", "PEM"))) {
            text.put(prefix + "certificate.chain", read(location));
            text.put(prefix + "key", read(location));
            return;
        }
        String ofKey = text.remove("ssl.key.password");
        KeyStore store = open(location, password);
        try {
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    Key key = store.getKey(alias, characters(ofKey == null ? password : ofKey));
                    text.put(prefix + "key", pem("PRIVATE KEY", key.getEncoded()));
                    text.put(prefix + "certificate.chain", certificates(store.getCertificateChain(alias)));
                    return;
                }
            }
        } catch (GeneralSecurityException e) {
            throw Exit.USAGE.because(e, "fleet.loginFileUnreadable", location, e.getMessage());
        }
        throw Exit.USAGE.because("fleet.loginFileUnreadable", location, "no key");
    }

    private static char @Nullable [] characters(@Nullable String password) {
        return password == null ? null : password.toCharArray();
    }

    private static KeyStore open(String location, @Nullable String password) {
        try {
            return KeyStore.getInstance(Path.of(location).toFile(), characters(password));
        } catch (IOException | GeneralSecurityException e) {
            throw Exit.USAGE.because(e, "fleet.loginFileUnreadable", location, e.getMessage());
        }
    }

    private static String certificates(KeyStore store) {
        try {
            StringBuilder text = new StringBuilder();
            for (String alias : Collections.list(store.aliases())) {
                text.append(certificates(store.getCertificate(alias)));
            }
            return text.toString();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String certificates(Certificate... chain) throws GeneralSecurityException {
        StringBuilder text = new StringBuilder();
        for (Certificate each : chain) {
            text.append(pem("CERTIFICATE", each.getEncoded()));
        }
        return text.toString();
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }

    private static String read(String location) {
        return new String(bytes(Path.of(location)), StandardCharsets.UTF_8);
    }

    private static String data(Path file) {
        return DATA + Base64.getEncoder().encodeToString(bytes(file));
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "fleet.loginFileUnreadable", file, e.getMessage());
        }
    }
}
