package io.plimsoll.observe.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the small files of {@code /proc} and {@code /sys} below some root directory, so that tests can lay out a host
 * of their own. A file that is missing or may not be read is null or empty, since each of them is optional.
 */
record LinuxFiles(Path root) {

    /** The stripped content, or null if it cannot be read or is blank. */
    String text(String path) {
        try {
            String text = Files.readString(root.resolve(path)).strip();
            return text.isEmpty() ? null : text;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    List<String> lines(String path) {
        String text = text(path);
        return text == null ? List.of() : text.lines().toList();
    }

    /** The number in a file that holds nothing else, or {@code otherwise}. */
    long number(String path, long otherwise) {
        String text = text(path);
        if (text == null) {
            return otherwise;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    /** The last name of what a symbolic link points to, or null. */
    String linkName(String path) {
        try {
            Path target = Files.readSymbolicLink(root.resolve(path)).getFileName();
            return target == null ? null : target.toString();
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** The names in a directory, sorted; empty if it cannot be read. */
    List<String> names(String path) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(path))) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        } catch (IOException | RuntimeException e) {
            return List.of();
        }
        names.sort(null);
        return names;
    }
}
