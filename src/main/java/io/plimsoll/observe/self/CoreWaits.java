package io.plimsoll.observe.self;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads from Linux how long and how often runnable threads of the load waited for a core. Without this information, no
 * wait is reported. One thread.
 */
final class CoreWaits {
    /** Of thousands of threads one is as good as the next, and each costs some microseconds. */
    private static final int MOST = 64;
    /** The two ways in which JVMs truncate thread names for the operating system. */
    private static final List<String> OF_THE_LOAD = List.of("kafka-p", "plimsoll-raw", "plimsoll-send", "plimsol..");

    private static final String SENDER = "plimsoll-send";

    /** The counters of a thread when it was last looked at. */
    private record ThreadWaits(boolean takesAnswers, long waitedNanos, long runs) {}

    private final Path tasks;
    private final Map<String, ThreadWaits> seen = new HashMap<>();
    private final Set<String> others = new HashSet<>();
    private long runs;
    private long waitedNanos;
    private long mostNanos;

    /** @param tasks a directory with one for each thread, as {@code /proc/self/task} is */
    CoreWaits(Path tasks) {
        this.tasks = tasks;
        look();
    }

    /** Adds the waits since the last call. */
    void read(Counts.Sum into) {
        runs = 0;
        waitedNanos = 0;
        mostNanos = 0;
        look();
        into.add(GeneratorUse.CORE_WAITS, runs)
                .add(GeneratorUse.CORE_WAIT_NANOS, waitedNanos)
                .add(GeneratorUse.STARVED_NANOS, mostNanos);
    }

    private void look() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            Set<String> there = new HashSet<>();
            for (Path task : all) {
                there.add(task.getFileName().toString());
                look(task);
            }
            // New threads can reuse the ids of ended ones.
            seen.keySet().retainAll(there);
            others.retainAll(there);
        } catch (IOException | DirectoryIteratorException e) {
            // Not Linux, or no permission.
        }
    }

    private void look(Path task) {
        String id = task.getFileName().toString();
        ThreadWaits before = seen.get(id);
        if (before == null && (others.contains(id) || seen.size() >= MOST)) {
            return;
        }
        try {
            String name =
                    before == null ? Files.readString(task.resolve("comm")).trim() : "";
            if (before == null && OF_THE_LOAD.stream().noneMatch(name::startsWith)) {
                others.add(id);
                return;
            }
            String[] counters =
                    Files.readString(task.resolve("schedstat")).trim().split(" ", -1);
            ThreadWaits now = new ThreadWaits(
                    before == null ? !name.startsWith(SENDER) : before.takesAnswers,
                    Long.parseLong(counters[1]),
                    Long.parseLong(counters[2]));
            seen.put(id, now);
            if (before != null) {
                count(before, now);
            }
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            seen.remove(id); // it ended in between, or the kernel has no such counters
        }
    }

    private void count(ThreadWaits before, ThreadWaits now) {
        long waited = Math.max(0, now.waitedNanos - before.waitedNanos);
        mostNanos = Math.max(mostNanos, waited);
        if (now.takesAnswers) {
            waitedNanos += waited;
            runs += Math.max(0, now.runs - before.runs);
        }
    }
}
