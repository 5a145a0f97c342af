package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run directory is written in order, survives a crash, and is unchanged when read later. */
class RunDirectoryTest {
    @TempDir
    Path temp;

    @Test
    void hasUniqueNameFromTimeAndRun() {
        try (RunDirectory first = RunDirectory.create(temp.resolve("a/b"), "quick", Timelines.START);
                RunDirectory second = RunDirectory.create(temp.resolve("a/b"), "quick", Timelines.START);
                RunDirectory odd = RunDirectory.create(temp, "../my run/x", Timelines.START)) {
            assertThat(first.path()).isEqualTo(temp.resolve("a/b/2026-03-01T100000Z-quick"));
            assertThat(second.path()).isEqualTo(temp.resolve("a/b/2026-03-01T100000Z-quick-2"));
            assertThat(odd.path()).isEqualTo(temp.resolve("2026-03-01T100000Z-my-run-x"));
        }
    }

    @Test
    void appendedEventsAreReadableAtOnce() throws IOException {
        try (RunDirectory directory = RunDirectory.create(temp, "quick", Timelines.START)) {
            List<TimelineEvent> events = Timelines.quick();
            for (TimelineEvent event : events) {
                directory.append(event);
            }
            try (Stream<TimelineEvent> read =
                    RunDirectory.open(directory.path()).readTimeline()) {
                assertThat(read.toList()).isEqualTo(events);
            }
            assertThat(Files.readString(directory.path().resolve("timeline.jsonl")))
                    .startsWith("{\"type\":\"run\",\"name\":\"quick\",\"at\":\"2026-03-01T10:00:00Z\",")
                    .endsWith("}\n");
        }
    }

    @Test
    void resultMatchesTimeline() throws IOException {
        try (RunDirectory directory = RunDirectory.create(temp, "quick", Timelines.START)) {
            Fold fold = new Fold();
            for (TimelineEvent event : Timelines.quick()) {
                directory.append(event);
                fold.accept(event);
            }
            Path file = directory.writeResult(fold.result());
            directory.writeScenario("name: quick\n");
            JsonNode written = Json.MAPPER.readTree(file.toFile());
            JsonNode folded = Json.MAPPER.readTree(Json.line(Fold.of(RunDirectory.open(directory.path()))));
            assertThat(folded).isEqualTo(written);
            assertThat(Json.MAPPER.readValue(file.toFile(), RunResult.class)).isEqualTo(fold.result());
            assertThat(list(directory.path())).containsExactly("result.json", "scenario.yaml", "timeline.jsonl");
        }
    }

    private static List<String> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void concurrentAppendsNeverInterleave() throws Exception {
        try (RunDirectory directory = RunDirectory.create(temp, "threads", Timelines.START)) {
            directory.append(Timelines.runStarted("threads"));
            CompletableFuture<?>[] writers = IntStream.range(0, 4)
                    .mapToObj(w -> CompletableFuture.runAsync(() -> {
                        for (int i = 0; i < 200; i++) {
                            directory.append(new TimelineEvent.Note(
                                    Timelines.START, null, "info", Sentence.verbatim("x".repeat(i) + w)));
                        }
                    }))
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(writers).get(30, TimeUnit.SECONDS);
            try (Stream<TimelineEvent> read = directory.readTimeline()) {
                assertThat(read.count()).isEqualTo(801);
            }
        }
    }

    @Test
    void interruptedThreadStillWrites() {
        try (RunDirectory directory = RunDirectory.create(temp, "interrupted", Timelines.START)) {
            Thread.currentThread().interrupt();
            directory.append(Timelines.runStarted("interrupted"));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(Fold.of(directory).head().name()).isEqualTo("interrupted");
        }
    }

    @Test
    void ignoresTornLastLine() throws IOException {
        List<TimelineEvent> events = List.of(
                Timelines.runStarted("torn"),
                new TimelineEvent.Note(Timelines.START, null, "info", Sentence.verbatim("µ “quoted”\\n")));
        Path file = temp.resolve("timeline.jsonl");
        byte[] first = (Json.line(events.get(0)) + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] all =
                (Json.line(events.get(0)) + "\n" + Json.line(events.get(1)) + "\n").getBytes(StandardCharsets.UTF_8);
        for (int length = first.length; length <= all.length; length++) {
            Files.write(file, Arrays.copyOf(all, length));
            boolean whole = length >= all.length - 1;
            try (Stream<TimelineEvent> read = RunDirectory.open(temp).readTimeline()) {
                assertThat(read.toList()).as("cut at %d", length).isEqualTo(whole ? events : events.subList(0, 1));
            }
        }
    }

    @Test
    void readsCreatedResourcesBeforeTornLine() throws IOException {
        List<TimelineEvent> events = List.of(
                Timelines.runStarted("torn"),
                new TimelineEvent.Made(Timelines.START, "one", 7, List.of("orders"), List.of("readers")));
        String made = Json.line(events.get(1));
        String whole = Json.line(events.get(0)) + "\n" + made + "\n";
        String note = Json.line(new TimelineEvent.Note(Timelines.START, null, "info", Sentence.verbatim("µ")));
        for (String torn : new String[] {"", made.substring(0, 40), note.substring(0, note.indexOf('µ'))}) {
            byte[] bytes = (whole + torn).getBytes(StandardCharsets.UTF_8);
            byte[] withPartOfCharacter = Arrays.copyOf(bytes, bytes.length + 1);
            withPartOfCharacter[bytes.length] = (byte) 0xC2;
            for (byte[] timeline : List.of(bytes, withPartOfCharacter)) {
                Files.write(temp.resolve("timeline.jsonl"), timeline);
                assertThat(RunDirectory.open(temp).readMade()).as(torn).isEqualTo(events);
            }
        }
    }

    @Test
    void namesCorruptLine() throws IOException {
        List<String> lines =
                new ArrayList<>(Timelines.quick().stream().map(Json::line).toList());
        lines.set(2, lines.get(2).substring(0, 40));
        Files.write(temp.resolve("timeline.jsonl"), lines);
        assertUsage(
                () -> Fold.of(RunDirectory.open(temp)),
                "Line 3 of " + temp.resolve("timeline.jsonl") + " is corrupt (");
        Files.writeString(temp.resolve("timeline.jsonl"), "{\"type\":\"snapshot\",\"snapshot\":null}\n");
        assertUsage(() -> Fold.of(RunDirectory.open(temp)), "Line 1 of");
        Files.writeString(temp.resolve("timeline.jsonl"), "null\n");
        assertUsage(() -> Fold.of(RunDirectory.open(temp)), "Line 1 of");
        Files.writeString(temp.resolve("timeline.jsonl"), "");
        assertUsage(() -> Fold.of(RunDirectory.open(temp)), "Nothing to report in " + temp);
    }

    @Test
    void refusesInvalidRunDirectory() throws IOException {
        assertUsage(() -> RunDirectory.open(temp), temp + " is not a run directory: it has no timeline.jsonl.");
        assertUsage(() -> RunDirectory.open(temp.resolve("nowhere")), "nowhere is not a run directory: it does not");
        Path file = Files.createFile(temp.resolve("result.json"));
        assertUsage(
                () -> RunDirectory.open(file), Sentence.of("result.noRun.file").english() + ".");
    }

    @Test
    void refusesUnusableOutputDirectory() throws IOException {
        Path file = Files.createFile(temp.resolve("out"));
        assertUsage(
                () -> RunDirectory.create(file, "x", Timelines.START),
                Sentence.of("result.cannotWriteTo.file", file, file).english());
        assertUsage(() -> RunDirectory.create(file.resolve("below"), "x", Timelines.START), "with --out.");
        assertUsage(() -> RunDirectory.create(Path.of("/proc/plimsoll"), "x", Timelines.START), "with --out.");
    }

    private static void assertUsage(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining(message);
    }

    @Test
    void reportsFullDiskWithDirectory() throws IOException {
        assumeTrue(Files.exists(Path.of("/dev/full")), "this system has no /dev/full");
        Files.createSymbolicLink(temp.resolve("timeline.jsonl"), Path.of("/dev/full"));
        try (RunDirectory directory = RunDirectory.attach(temp)) {
            assertFull(() -> directory.append(Timelines.runStarted("full")), "timeline.jsonl");
        }
    }

    /** As the C library words it. */
    @Test
    void recognizesFullDiskInChineseLocale() throws IOException {
        try (RunDirectory directory = RunDirectory.create(temp, "full", Timelines.START)) {
            for (String reason : new String[] {"设备上没有空间", "超出磁盘限额"}) {
                PlimsollException e = directory.cannotWrite("report.md", new IOException(reason));
                assertThat(e.sentence().key()).as(reason).isEqualTo("result.cannotWrite.full");
            }
        }
    }

    @Test
    void fullDiskLeavesWholeLines() throws Exception {
        Path disk = Files.createDirectory(temp.resolve("disk"));
        assumeTrue(
                command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.toString()),
                "mounting a small disk needs root");
        try (RunDirectory directory = RunDirectory.create(disk, "full", Timelines.START)) {
            directory.append(Timelines.runStarted("full"));
            var note = new TimelineEvent.Note(Timelines.START, null, "warning", Sentence.verbatim("x".repeat(7000)));
            assertFull(
                    () -> {
                        for (int i = 0; i < 100; i++) {
                            directory.append(note);
                        }
                    },
                    "timeline.jsonl");
            assertFull(() -> directory.write("report.md", "y".repeat(65_000)), "report.md");
            assertThat(list(directory.path())).containsExactly("timeline.jsonl");
            directory.append(new TimelineEvent.Note(Timelines.START, null, "warning", Sentence.verbatim("still fits")));
            assertThat(Fold.of(directory).verdict().warnings())
                    .extracting(Sentence::english)
                    .endsWith("still fits");
        } finally {
            assertThat(command("umount", disk.toString())).isTrue();
        }
    }

    private static void assertFull(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String file) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.INTERNAL))
                .hasMessageStartingWith("Cannot write " + file + " in run directory ")
                .hasMessageContaining("No space left on device")
                .hasMessageContaining("free some space or start again with --out on another disk");
    }

    private static boolean command(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
