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

/** Key stores of a lab, whose certificates an authority of its own signs. */
final class LabStores {
    static final String TRUSTED = "trusted.p12";
    /** What a certificate says that ended yesterday. */
    static final String ENDED = " -startdate -2d -validity 1";

    private static final String AUTHORITY = "authority.p12";

    private LabStores() {}

    static String keys(String owner) {
        return owner + ".p12";
    }

    /**
     * Makes an authority, a certificate of it for each owner, and a store of the authority, whom everybody trusts.
     *
     * @param password file with that of all stores; on a command line everybody could read it
     * @param host beside this machine's loopback address, where the owners are found
     */
    static void make(Path directory, Path password, List<String> owners, String host) throws IOException {
        KeyTool.authority(password, "lab", directory.resolve(AUTHORITY));
        for (String owner : owners) {
            add(directory.resolve(keys(owner)), password, owner, host, KeyTool.TEN_YEARS);
        }
    }

    /** Makes a store beside the authority's with a certificate of this owner; {@code days} also says from when on. */
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

    /** The number of an owner's certificate. */
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
