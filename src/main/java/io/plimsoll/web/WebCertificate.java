package io.plimsoll.web;

import io.plimsoll.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** What a page shows browsers of itself over TLS. Stateless. */
final class WebCertificate {
    private static final char[] IN_MEMORY = new char[0];

    private WebCertificate() {}

    /** @throws io.plimsoll.PlimsollException {@link Exit#USAGE} if the files are not what they ought to be */
    static SSLContext given(WebPlace.Pem pem) {
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
            return context(store, IN_MEMORY);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw Exit.USAGE.because(e, "web.noCertificate", pem.certificate(), pem.key(), e.getMessage());
        }
    }

    /** One that only this process has, for which nobody vouches. */
    static SSLContext made(String host) {
        try {
            Path directory = Files.createTempDirectory("plimsoll-web-");
            Path password = directory.resolve("password");
            Path keys = directory.resolve("keys.p12");
            try {
                String random = WebServer.random();
                Files.writeString(password, random);
                keytool(password, keys, host);
                return context(KeyStore.getInstance(keys.toFile(), random.toCharArray()), random.toCharArray());
            } finally {
                Files.deleteIfExists(keys);
                Files.deleteIfExists(password);
                Files.deleteIfExists(directory);
            }
        } catch (IOException | GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "web.noCertificateMade", e.getMessage());
        }
    }

    /** The JDK makes certificates in no other way that is public. */
    private static void keytool(Path password, Path keys, String host) throws IOException {
        boolean address = host.contains(":") || host.matches("[0-9.]+");
        String options = "-genkeypair -keyalg EC -groupname secp256r1 -alias page -validity 30 -storetype PKCS12"
                + " -dname CN=plimsoll -ext san=" + (address ? "ip:" : "dns:") + host;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.add("-J-XX:TieredStopAtLevel=1");
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("-keystore", keys.toString(), "-storepass:file", password.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(said);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static SSLContext context(KeyStore store, char[] password) throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
