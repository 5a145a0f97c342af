package io.plimsoll.observe.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates /proc and /sys of a host in a directory. */
record FakeLinux(Path root) {

    FakeLinux file(String path, String content) {
        try {
            Files.createDirectories(root.resolve(path).getParent());
            Files.writeString(root.resolve(path), content + "\n");
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeLinux directory(String path) {
        try {
            Files.createDirectories(root.resolve(path));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeLinux link(String path, String target) {
        try {
            Files.createDirectories(root.resolve(path).getParent());
            Files.createSymbolicLink(root.resolve(path), Path.of(target));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    LinuxFiles files() {
        return new LinuxFiles(root);
    }
}
