package io.plimsoll.fleet;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.plimsoll.result.CalibrationCache;
import io.plimsoll.run.fleet.FleetSupport.Credentials;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.Exit;
import io.plimsoll.KeyTool;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.Certificates.CertificateMaker;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a fleet node and its trust in other nodes: the files that {@code plimsoll fleet certs} creates for a host, or
 * a {@link FleetToken} on one machine. Immutable except for the revocation list, which is read on each request. Thread-safe.
 */
final class Certificates {
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

    /** @param maker whether to create a missing token */
    static Certificates of(Credentials given, boolean maker) {
        if (given.certificates() != null) {
            return in(given.certificates());
        }
        Path file = given.token() == null
                ? CalibrationCache.directory(System.getenv()).resolve(FleetToken.NAME)
                : given.token();
        return of(maker ? new FleetToken(file).made() : new FleetToken(file));
    }

    /** The certificate files of a host. Fails with {@link Exit#USAGE} if a file is missing. */
    static Certificates in(Path directory) {
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
    static Certificates of(FleetToken token) {
        token.requirePrivate();
        return new Certificates(token.file(), true, FleetToken.PASSWORD);
    }

    /** Whether this is only a token, which limits a node to this machine. */
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

    /** The path of the revocation list; the file need not exist. */
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

    /** The name or address for which this host's certificate was issued; empty for a token. */
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

    /**
     * Rejects credentials that other nodes reject silently: expired or revoked certificates, or a token for an address
     * beyond this machine.
     */
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

    /** The date of a time, in UTC. */
    static String date(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC).toString();
    }

    @Override
    public String toString() {
        return place.toString();
    }

    /** Creates a certificate authority for a fleet and the certificates of its hosts, with the JDK's keytool. */
    static final class CertificateMaker {
        /** Default validity in days. */
        static final int DAYS = 825;

        private static final String AUTHORITY = "authority";
        private static final String HOST = "host";
        private static final int PASSWORD_BYTES = 24;
        /** Name of the file in the authority's directory with a line per certificate: its number and its host. */
        private static final String ISSUED = "issued";

        private final Path directory;
        private final Path authority;
        private final Path authorityKeys;
        private final String days;

        /** @param directory directory of the authority, which is created if missing */
        CertificateMaker(Path directory, int days) {
            this.directory = directory.toAbsolutePath().normalize();
            this.authority = this.directory.resolve(AUTHORITY);
            this.authorityKeys = authority.resolve(KEYS);
            this.days = " -validity " + days;
        }

        /**
         * Creates certificates for a host name or address that other nodes use, or {@code *.domain} for any host in a
         * domain; returns their directory. Fails with {@link Exit#USAGE} if certificates for the host exist or cannot
         * be written.
         */
        Path host(String host) {
            boolean named = host.matches("(\\*\\.)?[A-Za-z0-9][A-Za-z0-9.:-]*") && !host.equals(AUTHORITY);
            Exit.USAGE.when(!named, "fleet.notAHost", host);
            Path of = directory.resolve(host.replace("*", "any"));
            Path keys = of.resolve(KEYS);
            Exit.USAGE.when(Files.exists(keys), "fleet.certificatesThere", of);
            try {
                if (!Files.exists(authorityKeys)) {
                    privately(authority);
                    KeyTool.authority(authority.resolve(PASSWORD), "plimsoll fleet", authorityKeys);
                }
                privately(of);
                BigInteger number = install(host, of);
                Files.writeString(authority.resolve(ISSUED), number.toString(16) + " " + host + "\n", CREATE, APPEND);
                Path revoked = authority.resolve(REVOKED);
                if (Files.exists(revoked)) {
                    Files.copy(revoked, of.resolve(REVOKED));
                }
                return of;
            } catch (IOException e) {
                throw unwritable(of, e);
            } catch (GeneralSecurityException e) {
                throw Exit.INTERNAL.because(e, "fleet.certificateUnusable", e);
            }
        }

        /** Stores the signed certificate and the trusted authority; returns the certificate's serial number. */
        private BigInteger install(String host, Path of) throws IOException, GeneralSecurityException {
            char[] password = password(of);
            KeyStore made = KeyTool.signed(
                    authorityKeys,
                    authority.resolve(PASSWORD),
                    HOST,
                    days + " -dname CN=" + host
                            + " -ext eku=serverAuth,clientAuth -ext ku:critical=digitalSignature -ext san="
                            + KeyTool.subject(host));
            Certificate[] chain = made.getCertificateChain(HOST);
            made.setKeyEntry(HOST, made.getKey(HOST, password(authority)), password, chain);
            KeyTool.write(made, of.resolve(KEYS), password);
            KeyTool.trusting(chain[1], of.resolve(TRUSTED), password);
            return ((X509Certificate) chain[0]).getSerialNumber();
        }

        /**
         * Revokes all certificates of these hosts. Returns the revocation list, which must be copied to each host;
         * nodes with this list reject the hosts. Fails with {@link Exit#USAGE} if a host has no certificate.
         */
        Path revoke(List<String> hosts) {
            Exit.USAGE.when(!Files.exists(authorityKeys), "fleet.noAuthority", authority);
            Path list = authority.resolve(REVOKED);
            Set<String> ids = new LinkedHashSet<>();
            try {
                if (Files.exists(list)) {
                    Optional.ofNullable(revoked(list).getRevokedCertificates())
                            .orElse(Set.of())
                            .forEach(entry -> ids.add(entry.getSerialNumber().toString()));
                }
                for (String host : hosts) {
                    List<BigInteger> issued = issued(host);
                    Exit.USAGE.when(issued.isEmpty(), "fleet.nothingToRevoke", host, directory);
                    issued.forEach(number -> ids.add(number.toString()));
                }
                keytool(
                        authority,
                        "-gencrl -rfc -alias " + AUTHORITY + KeyTool.TEN_YEARS + " -id " + String.join(" -id ", ids),
                        Map.of("-keystore", authorityKeys, "-file", list));
                distribute(list);
                return list;
            } catch (IOException e) {
                throw unwritable(authority, e);
            } catch (GeneralSecurityException e) {
                throw Exit.USAGE.because(e, "fleet.cannotReadRevoked", list);
            }
        }

        /** Serial numbers of the certificates of a host; without the file {@value #ISSUED}, only the current one. */
        private List<BigInteger> issued(String host) throws IOException, GeneralSecurityException {
            Set<BigInteger> found = new LinkedHashSet<>();
            Path list = authority.resolve(ISSUED);
            for (String line : Files.exists(list) ? Files.readAllLines(list) : List.<String>of()) {
                String[] words = line.split(" ");
                if (words.length == 2 && words[1].equals(host)) {
                    found.add(new BigInteger(words[0], 16));
                }
            }
            Path of = directory.resolve(host.replace("*", "any"));
            if (Files.exists(of.resolve(KEYS))) {
                KeyStore keys = KeyStore.getInstance(of.resolve(KEYS).toFile(), password(of));
                found.add(((X509Certificate) keys.getCertificate(HOST)).getSerialNumber());
            }
            return List.copyOf(found);
        }

        private void distribute(Path list) throws IOException {
            try (Stream<Path> directories = Files.list(directory)) {
                for (Path of : directories.toList()) {
                    if (!of.equals(authority) && Files.exists(of.resolve(KEYS))) {
                        Files.copy(list, of.resolve(REVOKED), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }

        /** Creates the key and certificate of a {@link FleetToken} in this directory. */
        static Path token(Path of) throws IOException {
            Path store = of.resolve(FleetToken.NAME);
            Files.writeString(of.resolve(PASSWORD), FleetToken.PASSWORD);
            keytool(
                    of,
                    KeyTool.NEW_KEY + "token" + KeyTool.TEN_YEARS,
                    Map.of("-dname", "CN=plimsoll fleet token", "-keystore", store));
            return store;
        }

        private static void keytool(Path of, String words, Map<String, Object> options) {
            try {
                KeyTool.run(of.resolve(PASSWORD), words, options);
            } catch (IOException e) {
                throw unwritable(of, e);
            }
        }

        private static PlimsollException unwritable(Path of, IOException e) {
            return Exit.USAGE.because(e, "fleet.cannotWriteCertificates", of, e.getMessage());
        }

        private static char[] password(Path of) {
            try {
                return Files.readString(of.resolve(PASSWORD)).strip().toCharArray();
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "fleet.cannotReadFile", of.resolve(PASSWORD));
            }
        }

        /** Creates a directory that only its owner can access, and a keystore password in it. */
        private static void privately(Path of) {
            try {
                Files.createDirectories(of.getParent());
                Files.createDirectories(
                        of, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                byte[] random = new byte[PASSWORD_BYTES];
                new SecureRandom().nextBytes(random);
                Files.writeString(of.resolve(PASSWORD), Base64.getUrlEncoder().encodeToString(random) + "\n");
            } catch (IOException e) {
                throw unwritable(of, e);
            }
        }
    }

    /**
     * A file that authenticates the nodes of a fleet on one machine: one key with its certificate. All nodes present
     * this certificate and trust no other. Read access to the file grants membership, so only the owner must be able to
     * read it.
     * @param file path of the token, which need not exist yet
     */
    record FleetToken(Path file) {
        /** Name of the token file in the user's directory. */
        static final String NAME = "fleet-token.p12";

        /** Keystores require a password, but the key is protected by the file permissions. */
        static final String PASSWORD = "plimsoll";

        private static final Set<PosixFilePermission> OWNER_ALONE =
                Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

        /** Creates the file if it is missing; concurrent calls create only one. Fails with {@link Exit#USAGE} if unwritable. */
        FleetToken made() {
            if (!Files.exists(file)) {
                Path work = null;
                try {
                    Files.createDirectories(file.toAbsolutePath().getParent());
                    // A directory beside the file that only its owner can access, so that the file can be linked to its
                    // final path.
                    work = Files.createTempDirectory(file.toAbsolutePath().getParent(), "token-");
                    link(CertificateMaker.token(work));
                } catch (IOException e) {
                    throw Exit.USAGE.because(e, "fleet.cannotWriteToken", file, e.getMessage());
                } finally {
                    remove(work);
                }
            }
            return this;
        }

        private void link(Path made) throws IOException {
            Files.setPosixFilePermissions(made, OWNER_ALONE);
            try {
                Files.createLink(file, made);
            } catch (FileAlreadyExistsException e) {
                // Another process was faster, so use its file.
            }
        }

        private static void remove(@Nullable Path work) {
            if (work != null) {
                try (var files = Files.list(work)) {
                    for (Path each : files.toList()) {
                        Files.delete(each);
                    }
                    Files.delete(work);
                } catch (IOException e) {
                    // Only the owner can read the file that is left behind.
                }
            }
        }

        /** @throws PlimsollException {@link Exit#USAGE} if the file is missing or accessible to other users */
        void requirePrivate() {
            try {
                Exit.USAGE.when(!Files.exists(file), "fleet.noToken", file);
                PosixFileAttributes about = Files.readAttributes(file, PosixFileAttributes.class);
                // In a container, the user may lack a name; the file permissions are then sufficient.
                boolean ours = Set.of("?", about.owner().getName()).contains(System.getProperty("user.name"));
                Exit.USAGE.when(
                        !ours || !OWNER_ALONE.containsAll(about.permissions()) || !Files.isReadable(file),
                        "fleet.tokenOfOthers",
                        file,
                        about.owner().getName(),
                        PosixFilePermissions.toString(about.permissions()));
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "fleet.cannotReadFile", file);
            }
        }

        @Override
        public String toString() {
            return file.toString();
        }
    }
}
