package io.plimsoll.testing;

import io.plimsoll.result.RunDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Recorded timelines as run directories. */
public final class RecordedRuns {
    private RecordedRuns() {}

    /** @param name {@code quick}, {@code faults}, {@code matrix}, {@code search}, or the synthetic {@code planted} */
    public static RunDirectory open(String name, Path directory) throws IOException {
        return open(name, directory, 1);
    }

    /** The same run as if killed after this fraction of the timeline. */
    public static RunDirectory open(String name, Path directory, double share) throws IOException {
        byte[] timeline;
        try (InputStream in =
                new GZIPInputStream(RecordedRuns.class.getResourceAsStream("/runs/" + name + ".jsonl.gz"))) {
            timeline = in.readAllBytes();
        }
        Files.createDirectories(directory);
        try (OutputStream out = Files.newOutputStream(directory.resolve(RunDirectory.TIMELINE))) {
            out.write(timeline, 0, (int) (timeline.length * share));
        }
        return RunDirectory.open(directory);
    }
}
