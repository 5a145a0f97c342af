package io.plimsoll.web;

import io.plimsoll.Exit;
import io.plimsoll.KeyTool;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Listen address of a page: plain HTTP on the loopback interface, HTTPS on any other. Immutable.
 *
 * @param port 0 for a free port
 * @param pem null to generate a certificate
 * @param token file with the token for requests from other hosts; null for a new token each time
 */
public record WebPlace(
        String host, int port, @Nullable Pem pem, @Nullable Path token) {
    /**
     * A certificate and its key in PEM form.
     *
     * @param certificate file with the certificate and its intermediate authorities
     * @param key file with the key, PKCS #8 without a password
     */
    public record Pem(Path certificate, @Nullable Path key) {}

    public static WebPlace local(int port) {
        return new WebPlace("127.0.0.1", port, null, null);
    }

    InetAddress address() {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw Exit.USAGE.because(e, "web.noSuchAddress", host);
        }
    }

    /** The host for URLs: a wildcard address is replaced, since browsers cannot open it. */
    String reachable() {
        InetAddress address = address();
        if (!address.isAnyLocalAddress()) {
            return host;
        }
        try {
            Optional<String> own = own();
            // The name of the host does not always resolve.
            return own.isPresent() ? own.get() : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "localhost";
        }
    }

    /** The address at which other hosts can most likely reach this machine. */
    private static Optional<String> own() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .filter(WebPlace::isUp)
                .flatMap(NetworkInterface::inetAddresses)
                .filter(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress())
                .min(Comparator.comparing(a -> a instanceof Inet4Address ? 0 : 1))
                .map(a -> a.getHostAddress().replaceFirst("%.*", ""));
    }

    private static boolean isUp(NetworkInterface network) {
        try {
            return network.isUp() && !network.isLoopback() && !network.isVirtual();
        } catch (SocketException e) {
            return false;
        }
    }

    /** The certificate; empty for plain HTTP. */
    Optional<WebCertificate> tls() {
        if (pem != null) {
            return Optional.of(WebCertificate.given(pem));
        }
        return address().isLoopbackAddress() ? Optional.empty() : Optional.of(WebCertificate.made(reachable()));
    }

    /** @param sha256 fingerprint in hexadecimal digits */
    record WebCertificate(SSLContext context, String sha256) {
        private static final char[] IN_MEMORY = new char[0];

        /** @throws io.plimsoll.PlimsollException {@link Exit#USAGE} if the files are invalid */
        static WebCertificate given(WebPlace.Pem pem) {
            try (InputStream in = Files.newInputStream(pem.certificate())) {
                Certificate[] chain = CertificateFactory.getInstance("X.509")
                        .generateCertificates(in)
                        .toArray(new Certificate[0]);
                if (chain.length == 0) {
                    throw new GeneralSecurityException(pem.certificate().toString());
                }
                String body = Files.readString(pem.key()).replaceAll("-----[A-Z ]+-----", "");
                PrivateKey key = KeyFactory.getInstance(chain[0].getPublicKey().getAlgorithm())
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(body)));
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, IN_MEMORY);
                store.setKeyEntry("page", key, IN_MEMORY, chain);
                return of(store, IN_MEMORY);
            } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
                throw Exit.USAGE.because(e, "web.noCertificate", pem.certificate(), pem.key(), e.getMessage());
            }
        }

        /** Creates a self-signed certificate with a key that exists only in this process. */
        static WebCertificate made(String host) {
            try {
                Path directory = Files.createTempDirectory("plimsoll-web-");
                Path password = directory.resolve("password");
                Path keys = directory.resolve("keys.p12");
                try {
                    String random = WebServer.WebToken.random();
                    Files.writeString(password, random);
                    KeyTool.run(
                            password,
                            KeyTool.NEW_KEY + "page -validity 30 -dname CN=plimsoll -ext san=" + KeyTool.subject(host),
                            Map.of("-keystore", keys));
                    return of(KeyStore.getInstance(keys.toFile(), random.toCharArray()), random.toCharArray());
                } finally {
                    Files.deleteIfExists(keys);
                    Files.deleteIfExists(password);
                    Files.deleteIfExists(directory);
                }
            } catch (IOException | GeneralSecurityException e) {
                throw Exit.INTERNAL.because(e, "web.noCertificateMade", e.getMessage());
            }
        }

        private static WebCertificate of(KeyStore store, char[] password) throws GeneralSecurityException {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            byte[] shown = store.getCertificate(store.aliases().nextElement()).getEncoded();
            return new WebCertificate(
                    context,
                    HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(shown)));
        }
    }
}
