package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file by which the nodes of a fleet on one machine know each other: a key with its certificate, which all of them show and
 * believe, and no other. Who can read the file belongs to the fleet; so nobody but its owner may.
 *
 * @param file where it is, or will be
 */
public record FleetToken(Path file) {
    /** The file's name in a directory of its user. */
    public static final String NAME = "fleet-token.p12";

    /** Key stores want one. It keeps nothing secret: the file's mode does. */
    static final String PASSWORD = "plimsoll";

    private static final Set<PosixFilePermission> OWNER_ALONE =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /**
     * Makes it if it is not there; of several who do so at the same time, one does.
     *
     * @throws PlimsollException {@link Exit#USAGE} if it cannot be written
     */
    public FleetToken made() {
        if (!Files.exists(file)) {
            Path work = null;
            try {
                Files.createDirectories(file.toAbsolutePath().getParent());
                // A directory that only its owner enters, beside the file, so that a link can lead there.
                work = Files.createTempDirectory(file.toAbsolutePath().getParent(), "token-");
                link(CertificateMaker.token(work));
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "fleet.cannotWriteToken", file, e.getMessage());
            } finally {
                remove(work);
            }
        }
        return this;
    }

    private void link(Path made) throws IOException {
        Files.setPosixFilePermissions(made, OWNER_ALONE);
        try {
            Files.createLink(file, made);
        } catch (FileAlreadyExistsException e) {
            // Somebody else was faster, and both take that one.
        }
    }

    private static void remove(Path work) {
        if (work != null) {
            try (var files = Files.list(work)) {
                for (Path each : files.toList()) {
                    Files.delete(each);
                }
                Files.delete(work);
            } catch (IOException e) {
                // Only its owner can read what is left there.
            }
        }
    }

    /** @throws PlimsollException {@link Exit#USAGE} if it is not there, or others could read or change it */
    void requirePrivate() {
        try {
            Exit.USAGE.when(!Files.exists(file), "fleet.noToken", file);
            PosixFileAttributes about = Files.readAttributes(file, PosixFileAttributes.class);
            // Of a user without a name, as containers have them, the mode says enough.
            boolean ours = Set.of("?", about.owner().getName()).contains(System.getProperty("user.name"));
            Exit.USAGE.when(
                    !ours || !OWNER_ALONE.containsAll(about.permissions()) || !Files.isReadable(file),
                    "fleet.tokenOfOthers",
                    file,
                    about.owner().getName(),
                    PosixFilePermissions.toString(about.permissions()));
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadFile", file);
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
