package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Makes a certificate authority of a fleet's own and certificates for its hosts, with the JDK's keytool. */
public final class CertificateMaker {
    private static final String AUTHORITY = "authority";
    private static final String HOST = "host";
    private static final String STORE_TYPE = "PKCS12";
    private static final String DAYS = " -validity 825";
    private static final String AUTHORITY_DAYS = " -validity 3650";
    private static final String NEW_KEY = "-genkeypair -keyalg EC -groupname secp256r1 -alias ";
    private static final int PASSWORD_BYTES = 24;
    private static final int LIMIT_SECONDS = 60;

    private final Path directory;

    /**
     * @param directory that has, or will have, the authority
     * @throws PlimsollException {@link Exit#USAGE} if it cannot be written
     */
    public CertificateMaker(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
        Path authority = this.directory.resolve(AUTHORITY);
        if (!Files.exists(authority.resolve(Certificates.KEYS))) {
            makeAuthority(authority);
        }
    }

    private void makeAuthority(Path authority) {
        privately(authority);
        keytool(
                authority,
                NEW_KEY + AUTHORITY + AUTHORITY_DAYS + " -ext bc:critical=ca:true -ext ku:critical=keyCertSign,cRLSign",
                Map.of("-dname", "CN=plimsoll fleet", "-keystore", authority.resolve(Certificates.KEYS)));
    }

    /**
     * Certificates for one host.
     *
     * @param host name or address by which others reach it; {@code *.domain} for any host directly in a domain, in the
     *     directory {@code any.domain}
     * @return their directory
     * @throws PlimsollException {@link Exit#USAGE} if there are some already, or they cannot be written
     */
    public Path host(String host) {
        if (!host.matches("(\\*\\.)?[A-Za-z0-9][A-Za-z0-9.:-]*")) {
            throw Exit.USAGE.because("fleet.notAHost", host);
        }
        Path of = directory.resolve(host.replace("*", "any"));
        Path keys = of.resolve(Certificates.KEYS);
        if (Files.exists(keys)) {
            throw Exit.USAGE.because("fleet.certificatesThere", of);
        }
        privately(of);
        keytool(of, NEW_KEY + HOST + DAYS, Map.of("-dname", "CN=" + host, "-keystore", keys));
        sign(host, of, keys, directory.resolve(AUTHORITY));
        return of;
    }

    private static void sign(String host, Path of, Path keys, Path authority) {
        Path request = of.resolve("request.csr");
        Path certificate = of.resolve("host.pem");
        boolean address = host.contains(":") || host.matches("[0-9.]+");
        String name = "san=" + (address ? "ip:" : "dns:") + host;
        keytool(of, "-certreq -alias " + HOST, Map.of("-keystore", keys, "-file", request));
        keytool(
                authority,
                "-gencert -rfc -alias " + AUTHORITY + DAYS
                        + " -ext eku=serverAuth,clientAuth -ext ku:critical=digitalSignature",
                Map.of(
                        "-keystore",
                        authority.resolve(Certificates.KEYS),
                        "-infile",
                        request,
                        "-outfile",
                        certificate,
                        "-ext",
                        name));
        install(authority, of, certificate);
        try {
            Files.delete(request);
            Files.delete(certificate);
        } catch (IOException e) {
            throw unwritable(of, e);
        }
    }

    /** The signed certificate goes to the host's key, and that of the authority to those whom the host trusts. */
    private static void install(Path authority, Path of, Path signed) {
        char[] password = password(of);
        try (InputStream in = Files.newInputStream(signed)) {
            Certificate ours = KeyStore.getInstance(
                            authority.resolve(Certificates.KEYS).toFile(), password(authority))
                    .getCertificate(AUTHORITY);
            Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(in);
            KeyStore keys = KeyStore.getInstance(of.resolve(Certificates.KEYS).toFile(), password);
            keys.setKeyEntry(HOST, keys.getKey(HOST, password), password, new Certificate[] {own, ours});
            store(keys, of.resolve(Certificates.KEYS), password);
            KeyStore trusted = KeyStore.getInstance(STORE_TYPE);
            trusted.load(null, password);
            trusted.setCertificateEntry(AUTHORITY, ours);
            store(trusted, of.resolve(Certificates.TRUSTED), password);
        } catch (IOException e) {
            throw unwritable(of, e);
        } catch (GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "fleet.certificateUnusable", e);
        }
    }

    private static char[] password(Path of) {
        try {
            return Files.readString(of.resolve(Certificates.PASSWORD)).strip().toCharArray();
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadFile", of.resolve(Certificates.PASSWORD));
        }
    }

    private static void store(KeyStore store, Path file, char[] password) throws IOException, GeneralSecurityException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password);
        }
    }

    /** A directory that only its owner enters, with a password for what will be in it. */
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

    /**
     * Runs keytool.
     *
     * @param of directory with the password; on the command line everybody could read it
     * @param words of the command
     * @param options whose values may hold spaces
     */
    private static void keytool(Path of, String words, Map<String, Object> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        // Several of them one after the other: most of what each takes is its start.
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(words.split(" ")));
        options.forEach((name, value) -> command.addAll(List.of(name, value.toString())));
        command.addAll(List.of(
                "-storetype",
                STORE_TYPE,
                "-storepass:file",
                of.resolve(Certificates.PASSWORD).toString()));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw Exit.INTERNAL.because("fleet.noCertificateMade", said.strip());
            }
        } catch (IOException e) {
            throw unwritable(of, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Exit.INTERRUPTED.because(e, "fleet.interruptedMakingCertificates");
        }
    }

    private static PlimsollException unwritable(Path of, IOException e) {
        return Exit.USAGE.because(e, "fleet.cannotWriteCertificates", of, e.getMessage());
    }
}
