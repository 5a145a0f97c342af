package io.plimsoll.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a lab keeps its files.
 *
 * @param own whether the lab has made the directory, and so removes it
 */
record LabDirectory(Path path, boolean own) {
    static final String LAUNCHER = "launcher.jar";

    /** All that a lab of so many brokers makes in it, or the directory itself if that is its own. */
    List<Path> made(int brokers) {
        if (own) {
            return List.of(path);
        }
        Stream<Path> nodes = Stream.iterate(1, id -> id + 1).limit(brokers).map(id -> LabNode.directoryOf(path, id));
        return Stream.concat(nodes, Stream.of(LabFile.in(path), path.resolve(LAUNCHER)))
                .toList();
    }

    /** A text that is in the command line of each of the lab's brokers and of no other process. */
    String marker() {
        return "-Dplimsoll.broker.log=" + path + "/node-";
    }

    void remove(int brokers) throws IOException {
        for (Path each : made(brokers)) {
            LabFiles.delete(each);
        }
    }

    /** Copies the logs of these brokers to {@code target} as {@code broker-ID.log}. */
    static void copyLogs(List<LabBroker> brokers, Path target) throws IOException {
        Files.createDirectories(target);
        for (LabBroker broker : brokers) {
            Path log = broker.logFile();
            if (Files.exists(log)) {
                Files.copy(log, target.resolve("broker-" + broker.id() + ".log"), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
