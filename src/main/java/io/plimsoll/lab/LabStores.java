package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.KeyTool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;

/** Key stores of a lab. */
final class LabStores {
    static final String TRUSTED = "trusted.p12";

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
            KeyStore trusted = KeyStore.getInstance(KeyTool.STORE_TYPE);
            trusted.load(null, secret);
            for (String owner : owners) {
                Path keys = directory.resolve(keys(owner));
                KeyTool.run(
                        password,
                        KeyTool.NEW_KEY + owner + " -validity 3650 -dname CN=" + owner
                                + " -ext san=ip:127.0.0.1,dns:localhost," + KeyTool.subject(host),
                        Map.of("-keystore", keys));
                Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
                trusted.setCertificateEntry(
                        owner, KeyStore.getInstance(keys.toFile(), secret).getCertificate(owner));
            }
            LabLogins.write(directory.resolve(TRUSTED), "");
            try (OutputStream out = Files.newOutputStream(directory.resolve(TRUSTED))) {
                trusted.store(out, secret);
            }
        } catch (GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "text.noCertificate", e.getMessage());
        }
    }
}
