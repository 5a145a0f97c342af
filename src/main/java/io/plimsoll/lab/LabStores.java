package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.KeyTool;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;

/** Key stores of a lab, signed by its own certificate authority. */
final class LabStores {
    static final String TRUSTED = "trusted.p12";
    /** Validity that ended yesterday. */
    static final String ENDED = " -startdate -2d -validity 1";

    private static final String AUTHORITY = "authority.p12";

    private LabStores() {}

    static String keys(String owner) {
        return owner + ".p12";
    }

    /**
     * Creates an authority, a certificate for each owner, and a trust store.
     *
     * @param password file with the password of all stores; command lines are visible to other users
     * @param host address of the owners in addition to the loopback address
     */
    static void make(Path directory, Path password, List<String> owners, String host) throws IOException {
        KeyTool.authority(password, "lab", directory.resolve(AUTHORITY));
        for (String owner : owners) {
            add(directory.resolve(keys(owner)), password, owner, host, KeyTool.TEN_YEARS);
        }
    }

    /** Creates a key store with a certificate for this owner; {@code days} can include a start date. */
    static void add(Path keys, Path password, String owner, String host, String days) throws IOException {
        char[] secret = Files.readString(password).strip().toCharArray();
        try {
            KeyStore made = KeyTool.signed(
                    keys.resolveSibling(AUTHORITY),
                    password,
                    owner,
                    days + " -dname CN=" + owner + " -ext san=ip:127.0.0.1,dns:localhost," + KeyTool.subject(host));
            KeyTool.write(made, keys, secret);
            if (!Files.exists(keys.resolveSibling(TRUSTED))) {
                KeyTool.trusting(made.getCertificateChain(owner)[1], keys.resolveSibling(TRUSTED), secret);
            }
        } catch (GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "text.noCertificate", e.getMessage());
        }
    }

    /** Serial number of an owner's certificate. */
    static BigInteger number(Path keys, Path password, String owner) throws IOException {
        try {
            char[] secret = Files.readString(password).strip().toCharArray();
            Certificate own = KeyStore.getInstance(keys.toFile(), secret).getCertificate(owner);
            return ((X509Certificate) own).getSerialNumber();
        } catch (GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "text.noCertificate", e.getMessage());
        }
    }
}
