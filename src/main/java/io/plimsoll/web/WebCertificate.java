package io.plimsoll.web;

import io.plimsoll.Exit;
import io.plimsoll.KeyTool;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.HexFormat;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * What a page shows browsers of itself over TLS.
 *
 * @param sha256 of the certificate, in hexadecimal digits
 */
record WebCertificate(SSLContext context, String sha256) {
    private static final char[] IN_MEMORY = new char[0];

    /** @throws io.plimsoll.PlimsollException {@link Exit#USAGE} if the files are not what they ought to be */
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

    /** One that only this process has, for which nobody vouches. */
    static WebCertificate made(String host) {
        try {
            Path directory = Files.createTempDirectory("plimsoll-web-");
            Path password = directory.resolve("password");
            Path keys = directory.resolve("keys.p12");
            try {
                String random = WebToken.random();
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
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(shown)));
    }
}
