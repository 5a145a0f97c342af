package io.plimsoll;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Creates certificates with the JDK's keytool; the JDK has no public API for that. Stateless. */
public final class KeyTool {
    public static final String STORE_TYPE = "PKCS12";
    public static final String NEW_KEY = "-genkeypair -keyalg EC -groupname secp256r1 -alias ";
    /** Validity of certificates that are never renewed. */
    public static final String TEN_YEARS = " -validity 3650";

    private static final String AUTHORITY = "authority";

    private static final int LIMIT_SECONDS = 60;

    /**
     * Runs keytool.
     *
     * @param password file with the password of all stores; a command line would show the password to other users
     * @param words arguments without spaces
     * @param options arguments with values that can contain spaces
     * @throws PlimsollException {@link Exit#INTERNAL} with the tool's output on failure
     */
    public static void run(Path password, String words, Map<String, ?> options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        // Startup dominates the run time of this short-lived process.
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(words.split(" ")));
        options.forEach((name, value) -> command.addAll(List.of(name, value.toString())));
        command.addAll(List.of("-storetype", STORE_TYPE, "-storepass:file", password.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Exit.INTERNAL.when(
                    !process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0,
                    "text.noCertificate",
                    said.strip());
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "text.interruptedMakingCertificates");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Creates the key of a certificate authority for {@link #signed}. */
    public static void authority(Path password, String name, Path keys) throws IOException {
        run(
                password,
                NEW_KEY + AUTHORITY + TEN_YEARS + " -ext bc:critical=ca:true -ext ku:critical=keyCertSign,cRLSign",
                Map.of("-dname", "CN=" + name, "-keystore", keys));
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    }

    /**
     * Creates a key with a certificate signed by the authority, without changing the authority's store.
     *
     * @param password file with the authority's password
     * @param words certificate options
     * @return an in-memory store with only this key and the certificate chain, under the same password
     */
    public static KeyStore signed(Path authority, Path password, String alias, String words)
            throws IOException, GeneralSecurityException {
        Path copy = Files.createTempFile(authority.getParent(), "signing", "");
        try {
            Files.write(copy, Files.readAllBytes(authority));
            run(password, NEW_KEY + alias + " -signer " + AUTHORITY + words, Map.of("-keystore", copy));
            KeyStore made = KeyStore.getInstance(
                    copy.toFile(), Files.readString(password).strip().toCharArray());
            made.deleteEntry(AUTHORITY);
            return made;
        } finally {
            Files.delete(copy);
        }
    }

    public static void trusting(Certificate authority, Path file, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(STORE_TYPE);
        trusted.load(null, password);
        trusted.setCertificateEntry(AUTHORITY, authority);
        write(trusted, file, password);
    }

    /** Writes a store with owner-only permissions. */
    public static void write(KeyStore store, Path file, char[] password) throws IOException, GeneralSecurityException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password);
        }
    }

    /** The subject alternative name of a host name or address. */
    public static String subject(String host) {
        return (host.contains(":") || host.matches("[0-9.]+") ? "ip:" : "dns:") + host;
    }
}
