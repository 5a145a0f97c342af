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
 * A file that authenticates the nodes of a fleet on one machine: one key with its certificate, which all nodes present and
 * trust exclusively. Read access to the file grants membership, so only its owner may have it.
 *
 * @param file may not exist yet
 */
public record FleetToken(Path file) {
    /** The file's name in a directory of its user. */
    public static final String NAME = "fleet-token.p12";

    /** Key stores want one. It keeps nothing secret: the file's mode does. */
    static final String PASSWORD = "plimsoll";

    private static final Set<PosixFilePermission> OWNER_ALONE =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /** Creates the file if it is missing; concurrent calls create one. Fails with {@link Exit#USAGE} if unwritable. */
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
            // Another process was faster: use its file.
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
                // The leftover is readable only by its owner.
            }
        }
    }

    /** @throws PlimsollException {@link Exit#USAGE} if it is missing or accessible to other users */
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
