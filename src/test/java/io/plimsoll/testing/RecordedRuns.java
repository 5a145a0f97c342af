package io.plimsoll.testing;

import io.plimsoll.result.RunDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/** Recorded timelines as run directories. */
public final class RecordedRuns {
    private static final String SLOW = """
            {"of":"%s","partition":"quick-0","broker":1,"offset":%d,"records":3,"fromNanos":%d,"stages":{%s}}""";

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

    /** The run {@code quick} with a slow moment of producers at 7 s and one of consumers at 10 s of its first trial. */
    public static RunDirectory withSlowMoments(Path directory) throws IOException {
        open("quick", directory).close();
        Path timeline = directory.resolve(RunDirectory.TIMELINE);
        String batches = IntStream.range(0, 10)
                .mapToObj(i -> SLOW.formatted(
                        "producers-0",
                        i,
                        7_000_000_000L + i * 20_000_000L,
                        "\"send\":300000,\"batch\":5200000,\"request\":" + (400 - 20 * i) * 1_000_000L))
                .collect(Collectors.joining(","));
        String read = SLOW.formatted("consumers-0", 40, 10_000_000_000L, "\"fetch\":700000000,\"poll\":30000000");
        List<String> lines = new ArrayList<>(Files.readAllLines(timeline));
        int at = IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).startsWith("{\"type\":\"snapshot\"")
                        && lines.get(i).contains("\"sequence\":12,"))
                .findFirst()
                .orElseThrow();
        String slow = "\"snapshot\":{\"slow\":[" + batches + "," + read + "],";
        lines.set(at, lines.get(at).replace("\"snapshot\":{", slow));
        Files.write(timeline, lines);
        return RunDirectory.open(directory);
    }
}
