package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The directory of files that coordinators may make an agent read. Thread-safe.
 *
 * @param data empty to read nothing
 * @param secrets files and directories that must not be inside
 */
record DataDirectory(Optional<Path> data, List<Path> secrets) {
    /** @throws PlimsollException {@link Exit#USAGE} if a secret is in it, or it cannot be read */
    DataDirectory {
        data = data.map(directory -> directory.toAbsolutePath().normalize());
        if (data.isPresent()) {
            requireNone(secrets, data.get());
        }
    }

    private static void requireNone(List<Path> secrets, Path directory) {
        try {
            Path real = directory.toRealPath();
            for (Path secret : secrets) {
                // Check both the named and the resolved path: a link inside may point outside, and a link outside may
                // point
                // inside.
                Path named = secret.toAbsolutePath().getParent().toRealPath().resolve(secret.getFileName());
                Exit.USAGE.when(
                        named.startsWith(real) || secret.toRealPath().startsWith(real),
                        "fleet.dataHasSecrets",
                        directory,
                        secret);
            }
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "fleet.noDataDirectory", directory);
        }
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the payload file is not in the directory */
    String file(String path) {
        Path directory = data.orElseThrow(() -> Exit.USAGE.because("fleet.noData", path));
        Path file = directory.resolve(path).normalize();
        try {
            if (file.startsWith(directory) && file.toRealPath().startsWith(directory.toRealPath()) && !isSecret(file)) {
                return file.toString();
            }
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "fleet.noPayloadFile", path, directory);
        }
        throw Exit.USAGE.because("fleet.payloadFileOutside", path, directory);
    }

    /** As a hard link may be, made since. */
    private boolean isSecret(Path file) throws IOException {
        for (Path secret : secrets) {
            if (Files.isSameFile(file, secret)) {
                return true;
            }
        }
        return false;
    }
}
