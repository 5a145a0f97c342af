package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Certificates by which a node proves that it belongs to the fleet, and knows the others: the files that
 * {@code plimsoll fleet certs} makes for a host. Without them a node stays on this machine.
 */
public final class Certificates {
    static final String KEYS = "host.p12";
    static final String TRUSTED = "fleet.p12";
    static final String PASSWORD = "password";

    private final Path directory;
    private final String password;

    private Certificates(Path directory, String password) {
        this.directory = directory;
        this.password = password;
    }

    /**
     * The files of a host.
     *
     * @throws PlimsollException {@link Exit#USAGE} if one is missing
     */
    public static Certificates in(Optional<Path> directory) {
        if (directory.isEmpty()) {
            return new Certificates(null, null);
        }
        Path in = directory.get();
        for (String file : new String[] {KEYS, TRUSTED, PASSWORD}) {
            if (!Files.isReadable(in.resolve(file))) {
                throw Exit.USAGE.because("fleet.noCertificateFile", in.resolve(file));
            }
        }
        try {
            return new Certificates(in, Files.readString(in.resolve(PASSWORD)).strip());
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadPassword", in.resolve(PASSWORD));
        }
    }

    /** Whether there are any: without them a fleet speaks plainly. */
    boolean present() {
        return directory != null;
    }

    /** The name or address for which this host's certificate was made; empty without certificates. */
    Optional<String> host() {
        if (!present()) {
            return Optional.empty();
        }
        try {
            KeyStore keys = KeyStore.getInstance(directory.resolve(KEYS).toFile(), password.toCharArray());
            if (keys.getCertificate("host") instanceof X509Certificate certificate
                    && certificate.getSubjectAlternativeNames() != null) {
                return certificate.getSubjectAlternativeNames().stream()
                        .map(name -> String.valueOf(name.get(1)))
                        .findFirst();
            }
            return Optional.empty();
        } catch (IOException | GeneralSecurityException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadKeys", directory.resolve(KEYS), e.getMessage());
        }
    }

    /** @throws PlimsollException {@link Exit#USAGE} beyond this machine without certificates */
    void requireFor(NodeAddress listen) {
        if (directory == null && !listen.isLoopback()) {
            throw Exit.USAGE.because("fleet.needsTls", listen);
        }
    }

    void addTo(Map<String, Object> settings) {
        if (directory == null) {
            settings.put("pekko.remote.artery.transport", "tcp");
            return;
        }
        String engine = "pekko.remote.artery.ssl.config-ssl-engine.";
        settings.put("pekko.remote.artery.transport", "tls-tcp");
        settings.put(engine + "key-store", directory.resolve(KEYS).toString());
        settings.put(engine + "trust-store", directory.resolve(TRUSTED).toString());
        for (String secret : List.of("key-store-password", "key-password", "trust-store-password")) {
            settings.put(engine + secret, password);
        }
    }

    @Override
    public String toString() {
        return directory == null ? "none" : directory.toString();
    }
}
