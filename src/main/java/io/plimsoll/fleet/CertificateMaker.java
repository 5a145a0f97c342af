package io.plimsoll.fleet;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.plimsoll.Exit;
import io.plimsoll.KeyTool;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Makes a certificate authority of a fleet's own and certificates for its hosts, with the JDK's keytool. */
public final class CertificateMaker {
    private static final String AUTHORITY = "authority";
    private static final String HOST = "host";
    /** Of a certificate, unless its maker says otherwise. */
    public static final int DAYS = 825;

    private static final int PASSWORD_BYTES = 24;
    /** In the directory of the authority: a line for each certificate, its number and the host. */
    private static final String ISSUED = "issued";

    private final Path directory;
    private final Path authority;
    private final Path authorityKeys;
    private final String days;

    /**
     * @param directory that has, or will have, the authority
     * @param days for which certificates are made, from 1
     */
    public CertificateMaker(Path directory, int days) {
        this.directory = directory.toAbsolutePath().normalize();
        this.authority = this.directory.resolve(AUTHORITY);
        this.authorityKeys = authority.resolve(Certificates.KEYS);
        this.days = " -validity " + days;
    }

    /**
     * Creates certificates for one host.
     *
     * @param host name or address that other nodes use; {@code *.domain} for any host directly in a domain, in the
     *     directory {@code any.domain}
     * @return their directory
     * @throws PlimsollException {@link Exit#USAGE} if certificates exist or cannot be written
     */
    public Path host(String host) {
        boolean named = host.matches("(\\*\\.)?[A-Za-z0-9][A-Za-z0-9.:-]*") && !host.equals(AUTHORITY);
        Exit.USAGE.when(!named, "fleet.notAHost", host);
        Path of = directory.resolve(host.replace("*", "any"));
        Path keys = of.resolve(Certificates.KEYS);
        Exit.USAGE.when(Files.exists(keys), "fleet.certificatesThere", of);
        try {
            if (!Files.exists(authorityKeys)) {
                privately(authority);
                KeyTool.authority(authority.resolve(Certificates.PASSWORD), "plimsoll fleet", authorityKeys);
            }
            privately(of);
            BigInteger number = install(host, of);
            Files.writeString(authority.resolve(ISSUED), number.toString(16) + " " + host + "\n", CREATE, APPEND);
            Path revoked = authority.resolve(Certificates.REVOKED);
            if (Files.exists(revoked)) {
                Files.copy(revoked, of.resolve(Certificates.REVOKED));
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
                authority.resolve(Certificates.PASSWORD),
                HOST,
                days + " -dname CN=" + host
                        + " -ext eku=serverAuth,clientAuth -ext ku:critical=digitalSignature -ext san="
                        + KeyTool.subject(host));
        Certificate[] chain = made.getCertificateChain(HOST);
        made.setKeyEntry(HOST, made.getKey(HOST, password(authority)), password, chain);
        KeyTool.write(made, of.resolve(Certificates.KEYS), password);
        KeyTool.trusting(chain[1], of.resolve(Certificates.TRUSTED), password);
        return ((X509Certificate) chain[0]).getSerialNumber();
    }

    /**
     * Revokes certificates: nodes with the new list reject them.
     *
     * @param hosts all certificates of these hosts are revoked
     * @return the revocation list, to be copied to each host; the local directories already contain it
     * @throws PlimsollException {@link Exit#USAGE} if a host has no certificate
     */
    public Path revoke(List<String> hosts) {
        Exit.USAGE.when(!Files.exists(authorityKeys), "fleet.noAuthority", authority);
        Path list = authority.resolve(Certificates.REVOKED);
        Set<String> ids = new LinkedHashSet<>();
        try {
            if (Files.exists(list)) {
                Optional.ofNullable(Certificates.revoked(list).getRevokedCertificates())
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

    /** Serial numbers of the certificates of a host; only the current one if no list existed. */
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
        if (Files.exists(of.resolve(Certificates.KEYS))) {
            KeyStore keys = KeyStore.getInstance(of.resolve(Certificates.KEYS).toFile(), password(of));
            found.add(((X509Certificate) keys.getCertificate(HOST)).getSerialNumber());
        }
        return List.copyOf(found);
    }

    private void distribute(Path list) throws IOException {
        try (Stream<Path> directories = Files.list(directory)) {
            for (Path of : directories.toList()) {
                if (!of.equals(authority) && Files.exists(of.resolve(Certificates.KEYS))) {
                    Files.copy(list, of.resolve(Certificates.REVOKED), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    /** Makes the key and certificate of a {@link FleetToken} in this directory. */
    static Path token(Path of) throws IOException {
        Path store = of.resolve(FleetToken.NAME);
        Files.writeString(of.resolve(Certificates.PASSWORD), FleetToken.PASSWORD);
        keytool(
                of,
                KeyTool.NEW_KEY + "token" + KeyTool.TEN_YEARS,
                Map.of("-dname", "CN=plimsoll fleet token", "-keystore", store));
        return store;
    }

    private static void keytool(Path of, String words, Map<String, Object> options) {
        try {
            KeyTool.run(of.resolve(Certificates.PASSWORD), words, options);
        } catch (IOException e) {
            throw unwritable(of, e);
        }
    }

    private static PlimsollException unwritable(Path of, IOException e) {
        return Exit.USAGE.because(e, "fleet.cannotWriteCertificates", of, e.getMessage());
    }

    private static char[] password(Path of) {
        try {
            return Files.readString(of.resolve(Certificates.PASSWORD)).strip().toCharArray();
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadFile", of.resolve(Certificates.PASSWORD));
        }
    }

    /** Creates a directory that only its owner can access, with a key store password. */
    private static void privately(Path of) {
        try {
            Files.createDirectories(of.getParent());
            Files.createDirectories(
                    of, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            byte[] random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            Files.writeString(
                    of.resolve(Certificates.PASSWORD), Base64.getUrlEncoder().encodeToString(random) + "\n");
        } catch (IOException e) {
            throw unwritable(of, e);
        }
    }
}
