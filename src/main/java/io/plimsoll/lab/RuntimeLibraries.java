package io.plimsoll.lab;

import io.plimsoll.Exit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds the jars that a broker's process needs. */
final class RuntimeLibraries {
    /** Names the directory of the runtime jars where they are not beside the program. */
    static final String PROPERTY = "plimsoll.lib";

    private RuntimeLibraries() {}

    /** The jars of the runtime directory in the order of their names, the same in each process. */
    static List<Path> jars() {
        Path directory = directory();
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list the runtime libraries in " + directory, e);
        }
    }

    private static Path directory() {
        String named = System.getProperty(PROPERTY);
        List<Path> candidates = named != null
                ? List.of(Path.of(named))
                : List.of(ownLocation().resolveSibling("lib"), Path.of("target", "lib"));
        return candidates.stream()
                .map(Path::toAbsolutePath)
                .filter(RuntimeLibraries::hasBroker)
                .findFirst()
                .orElseThrow(() -> Exit.INTERNAL.because(
                        "lab.noBrokerJars", candidates.get(0).toAbsolutePath(), PROPERTY));
    }

    private static boolean hasBroker(Path directory) {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith("kafka_"));
        } catch (IOException e) {
            return false;
        }
    }

    /** The jar, or in a build the directory of classes, that this class was loaded from. */
    private static Path ownLocation() {
        try {
            return Path.of(RuntimeLibraries.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
