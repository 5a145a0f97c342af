package io.plimsoll.web;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;

/** What a request has to show. */
final class WebToken {
    private static final int BYTES = 18;
    private static final String FORM = "[\\w-]{16,200}";
    /** A group may read it, as the one that a pod has its secrets by. */
    private static final Set<PosixFilePermission> ALLOWED =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_READ);

    private WebToken() {}

    static String random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * That of a file, which is made if it is not there, so that an address outlives a restart.
     *
     * @throws PlimsollException ({@link Exit#USAGE}) if others may read it, or there is no token in it
     */
    static String of(Path file) {
        try {
            PrivateFiles.file(file);
            if (Files.size(file) == 0) {
                Files.writeString(file, random() + "\n");
            }
            Set<PosixFilePermission> mode = PrivateFiles.knownAt(file) ? Files.getPosixFilePermissions(file) : Set.of();
            Exit.USAGE.when(!ALLOWED.containsAll(mode), "web.tokenOfOthers", file, PosixFilePermissions.toString(mode));
            String token = Files.readString(file).strip();
            Exit.USAGE.when(!token.matches(FORM), "web.noToken", file);
            return token;
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "web.cannotReadToken", file, e.getMessage());
        }
    }
}
