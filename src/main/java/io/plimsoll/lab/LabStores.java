package io.plimsoll.lab;

import io.plimsoll.Exit;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Key stores of a lab, made by the JDK's keytool: the JDK has no public way to make a certificate. */
final class LabStores {
    static final String TRUSTED = "trusted.p12";
    private static final String TYPE = "PKCS12";
    private static final String NEW_KEY =
            "-genkeypair -keyalg EC -groupname secp256r1 -validity 3650 -storetype " + TYPE;
    private static final int LIMIT_SECONDS = 60;

    private LabStores() {}

    static String keys(String owner) {
        return owner + ".p12";
    }

    /**
     * Makes a certificate for each owner, and a store of all of them, whom everybody trusts.
     *
     * @param password file with that of all stores; on a command line everybody could read it
     * @param host beside this machine's loopback address, where the owners are found
     */
    static void make(Path directory, Path password, List<String> owners, String host) throws IOException {
        char[] secret = Files.readString(password).strip().toCharArray();
        try {
            KeyStore trusted = KeyStore.getInstance(TYPE);
            trusted.load(null, secret);
            for (String owner : owners) {
                Path keys = directory.resolve(keys(owner));
                List<String> words = new ArrayList<>(List.of(NEW_KEY.split(" ")));
                words.addAll(List.of("-alias", owner, "-dname", "CN=" + owner, "-keystore", keys.toString()));
                words.addAll(List.of("-storepass:file", password.toString()));
                words.addAll(List.of("-ext", "san=ip:127.0.0.1,dns:localhost," + kind(host) + host));
                keytool(words);
                Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
                trusted.setCertificateEntry(
                        owner, KeyStore.getInstance(keys.toFile(), secret).getCertificate(owner));
            }
            LabLogins.write(directory.resolve(TRUSTED), "");
            try (OutputStream out = Files.newOutputStream(directory.resolve(TRUSTED))) {
                trusted.store(out, secret);
            }
        } catch (GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "lab.security.noCertificate", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Exit.INTERRUPTED.because(e, "lab.interruptedStarting");
        }
    }

    private static String kind(String host) {
        return host.contains(":") || host.matches("[0-9.]+") ? "ip:" : "dns:";
    }

    private static void keytool(List<String> words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        // Most of what it takes is its start.
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(words);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw Exit.INTERNAL.because("lab.security.noCertificate", said.strip());
        }
    }
}
