package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The identity of a fleet node and its trust in other nodes: the files that {@code plimsoll fleet certs} creates for a host, or
 * a {@link FleetToken} on one machine. Immutable except for the revocation list, which is read on each request. Thread-safe.
 */
public final class Certificates {
    static final String KEYS = "host.p12";
    static final String TRUSTED = "fleet.p12";
    static final String PASSWORD = "password";
    static final String REVOKED = "crl.pem";

    private static final Duration WARNED_BEFORE = Duration.ofDays(30);

    private final Path place;
    private final boolean token;
    private final String password;
    private final X509Certificate own;

    private Certificates(Path place, boolean token, String password) {
        this.place = place;
        this.token = token;
        this.password = password;
        KeyStore keys = keys();
        try {
            String alias = keys.aliases().nextElement();
            this.own = (X509Certificate) keys.getCertificate(alias);
        } catch (GeneralSecurityException | java.util.NoSuchElementException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadKeys", keyFile(), e.getMessage());
        }
    }

    /** The files of a host. Fails with {@link Exit#USAGE} if one is missing. */
    public static Certificates in(Path directory) {
        for (String file : new String[] {KEYS, TRUSTED, PASSWORD}) {
            Exit.USAGE.when(
                    !Files.isReadable(directory.resolve(file)), "fleet.noCertificateFile", directory.resolve(file));
        }
        try {
            String password = Files.readString(directory.resolve(PASSWORD)).strip();
            return new Certificates(directory, false, password);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadPassword", directory.resolve(PASSWORD));
        }
    }

    /** A token that all nodes on this machine share. Fails with {@link Exit#USAGE} if other users can access it. */
    public static Certificates of(FleetToken token) {
        token.requirePrivate();
        return new Certificates(token.file(), true, FleetToken.PASSWORD);
    }

    /** Whether it is no more than a token, with which a node stays on this machine. */
    boolean token() {
        return token;
    }

    private Path keyFile() {
        return token ? place : place.resolve(KEYS);
    }

    List<Path> secrets() {
        return token ? List.of(place) : List.of(place, keyFile(), place.resolve(PASSWORD));
    }

    KeyStore keys() {
        return store(keyFile());
    }

    KeyStore trusted() {
        if (!token) {
            return store(place.resolve(TRUSTED));
        }
        try {
            KeyStore alone = KeyStore.getInstance("PKCS12");
            alone.load(null, null);
            alone.setCertificateEntry("token", own);
            return alone;
        } catch (IOException | GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "fleet.cannotReadKeys", place, e.getMessage());
        }
    }

    char[] password() {
        return password.toCharArray();
    }

    private KeyStore store(Path file) {
        try {
            return KeyStore.getInstance(file.toFile(), password.toCharArray());
        } catch (IOException | GeneralSecurityException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadKeys", file, e.getMessage());
        }
    }

    /** The path of the revocation list, which may not exist. */
    Path revokedFile() {
        return token ? place.resolveSibling("none") : place.resolve(REVOKED);
    }

    /** The revocation list; empty if none. Fails with {@link Exit#USAGE} if it cannot be read. */
    Optional<X509CRL> revoked() {
        if (token || !Files.exists(revokedFile())) {
            return Optional.empty();
        }
        return Optional.of(revoked(revokedFile()));
    }

    static X509CRL revoked(Path list) {
        try (InputStream in = Files.newInputStream(list)) {
            return (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(in);
        } catch (IOException | GeneralSecurityException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadRevoked", list);
        }
    }

    /** The name or address for which this host's certificate was made; empty for a token. */
    Optional<String> host() {
        try {
            if (token || own.getSubjectAlternativeNames() == null) {
                return Optional.empty();
            }
            return own.getSubjectAlternativeNames().stream()
                    .map(name -> String.valueOf(name.get(1)))
                    .findFirst();
        } catch (GeneralSecurityException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadKeys", keyFile(), e.getMessage());
        }
    }

    /** Rejects credentials that other nodes reject silently: expired, revoked, or a token beyond this machine. */
    void requireFor(NodeAddress listen, Instant now) {
        Exit.USAGE.when(token && !listen.isLoopback(), "fleet.needsTls", listen);
        Exit.USAGE.when(!now.isBefore(ends()), "fleet.certificateEnded", place, date(ends()));
        Exit.USAGE.when(
                revoked().filter(list -> list.isRevoked(own)).isPresent(),
                "fleet.certificateRevoked",
                place,
                revokedFile());
    }

    /** Expiry of the node's certificate or of its authority, whichever is earlier. */
    Instant ends() {
        Instant end = own.getNotAfter().toInstant();
        try {
            KeyStore trusted = trusted();
            for (String name : Collections.list(trusted.aliases())) {
                X509Certificate believed = (X509Certificate) trusted.getCertificate(name);
                Instant other = believed.getNotAfter().toInstant();
                end = other.isBefore(end) ? other : end;
            }
            return end;
        } catch (GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "fleet.cannotReadKeys", place, e.getMessage());
        }
    }

    /** A warning about a certificate that expires within 30 days; empty otherwise. */
    static Optional<Sentence> warning(Object whose, Instant ends, Instant now) {
        Duration left = Duration.between(now, ends);
        return left.compareTo(WARNED_BEFORE) > 0
                ? Optional.empty()
                : Optional.of(Sentence.of("fleet.certificateEnds", whose, date(ends), Math.max(0, left.toDays())));
    }

    /** The day of a time, in UTC. */
    static String date(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC).toString();
    }

    @Override
    public String toString() {
        return place.toString();
    }
}
