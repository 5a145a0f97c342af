package io.plimsoll.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cli.Main;
import io.plimsoll.lab.Child;
import io.plimsoll.measure.Produced;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The program's command line as a running process, for tests with signals. */
public final class RunningCommand implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 90;
    /** Documented as 5 s; more for busy hosts. */
    private static final long END_SECONDS = 60;

    private final Process process;
    private final Path out;
    private final Path err;

    /** The result of the process. */
    public record Ended(int exit, String out, String err) {
        public String lastLine() {
            List<String> lines = out.lines().toList();
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        }
    }

    /**
     * @param scratch directory for output and temporary files, labs included
     * @param prefix prefix of the command line
     */
    public RunningCommand(Path scratch, List<String> prefix, Object... arguments) throws IOException {
        out = Files.createTempFile(scratch, "out", null);
        err = Files.createTempFile(scratch, "err", null);
        ProcessBuilder builder = Child.java(Main.class, arguments);
        List<String> command = new ArrayList<>(prefix);
        if (ignoresInterrupts()) {
            command.addAll(List.of("env", "--default-signal=INT"));
        }
        command.addAll(builder.command());
        command.add(command.indexOf(Main.class.getName()), "-Djava.io.tmpdir=" + scratch);
        process = builder.command(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    public RunningCommand(Path scratch, Object... arguments) throws IOException {
        this(scratch, List.of(), arguments);
    }

    /** Background jobs of a shell ignore SIGINT, and so do their children. */
    private static boolean ignoresInterrupts() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("SigIgn:")) {
                return (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0;
            }
        }
        return false;
    }

    public Process process() {
        return process;
    }

    /** Standard error so far. */
    public String err() throws IOException {
        return Files.readString(err);
    }

    /** Waits for this text on standard error. */
    public RunningCommand awaitProgress(String text) throws IOException, InterruptedException {
        return await(err, text);
    }

    /** Waits for this text on standard output. */
    public RunningCommand awaitOutput(String text) throws IOException, InterruptedException {
        return await(out, text);
    }

    private RunningCommand await(Path file, String text) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!Files.readString(file).contains(text)) {
            assertThat(process.isAlive() && System.nanoTime() < deadline)
                    .as(
                            "it goes on, waiting for '%s'; it said: %s%s",
                            text, Files.readString(err), Files.readString(out))
                    .isTrue();
            Thread.sleep(10);
        }
        return this;
    }

    /**
     * Waits until the only run below a directory has recorded this number of acknowledgments.
     *
     * @return the number at that time
     */
    public long awaitProduced(Path runs, long records) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            long produced = produced(runs);
            if (produced >= records) {
                return produced;
            }
            assertThat(process.isAlive() && System.nanoTime() < deadline)
                    .as("it goes on, having produced %d of %d; it said: %s", produced, records, Files.readString(err))
                    .isTrue();
            Thread.sleep(50);
        }
    }

    private static long produced(Path runs) throws IOException {
        try (Stream<Path> found = Files.list(runs);
                RunDirectory directory = RunDirectory.open(found.findFirst().orElseThrow());
                Stream<TimelineEvent> timeline = directory.readTimeline()) {
            return timeline.filter(e -> e instanceof TimelineEvent.Measured)
                    .map(e -> ((TimelineEvent.Measured) e).snapshot())
                    .mapToLong(s ->
                            s.warmup().get(Produced.ACKNOWLEDGED) + s.measured().get(Produced.ACKNOWLEDGED))
                    .sum();
        }
    }

    /** Sends a signal by name without SIG, and waits for the end of the process. */
    public Ended signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(process.waitFor(END_SECONDS, TimeUnit.SECONDS))
                .as("ended %d s after SIG%s", END_SECONDS, name)
                .isTrue();
        return ended();
    }

    public Ended awaitEnd() throws IOException, InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return ended();
    }

    private Ended ended() throws IOException {
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
