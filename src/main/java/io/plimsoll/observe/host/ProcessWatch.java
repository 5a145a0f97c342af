package io.plimsoll.observe.host;

import io.plimsoll.measure.Observation;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Samples one process from {@code /proc}, even if it is unresponsive: CPU, disk, throttling, memory. Empty without
 * Linux or without such a process. Used by one thread.
 */
public final class ProcessWatch {
    private static final double HERTZ = 100;
    /** After the name in brackets, which may hold anything. */
    private static final int USER_TIME = 11;

    private static final int SYSTEM_TIME = 12;

    private final LinuxFiles files;
    private final String what;
    private long pid;
    private Map<String, Double> before;
    private long beforeNanos;

    /** @param what name of the process, such as {@code broker 1} */
    public ProcessWatch(String what) {
        this(Path.of("/"), what);
    }

    ProcessWatch(Path root, String what) {
        this.files = new LinuxFiles(root);
        this.what = what;
    }

    /** Starts again for another process. */
    public void begin(long processId, long nowNanos) {
        if (before == null || pid != processId) {
            pid = processId;
            before = counters();
            beforeNanos = nowNanos;
        }
    }

    /** @param startNanos of the trial */
    public Observation since(long nowNanos, long startNanos) {
        Map<String, Double> now = counters();
        Map<String, Double> sums = new TreeMap<>();
        now.forEach((name, value) -> sums.put(name, Math.max(0, value - before.getOrDefault(name, value))));
        sums.put("process.seconds", (nowNanos - beforeNanos) / 1e9);
        Map<String, Double> gauges = new TreeMap<>();
        LinuxFiles.field(files.lines("proc/" + pid + "/status"), "VmRSS:")
                .ifPresent(kibibytes -> gauges.put("process.memoryBytes", kibibytes * 1024));
        Observation seen = new Observation(what, "proc", beforeNanos - startNanos, nowNanos - startNanos, sums, gauges);
        before = now;
        beforeNanos = nowNanos;
        return seen;
    }

    private Map<String, Double> counters() {
        Map<String, Double> counters = new HashMap<>();
        String stat = files.text("proc/" + pid + "/stat");
        if (stat != null) {
            String[] words = stat.substring(stat.lastIndexOf(')') + 2).split("\\s+");
            double ticks = Double.parseDouble(words[USER_TIME]) + Double.parseDouble(words[SYSTEM_TIME]);
            counters.put("process.cpuSeconds", ticks / HERTZ);
        }
        List<String> io = files.lines("proc/" + pid + "/io");
        LinuxFiles.field(io, "read_bytes:").ifPresent(bytes -> counters.put("process.diskReadBytes", bytes));
        LinuxFiles.field(io, "write_bytes:").ifPresent(bytes -> counters.put("process.diskWriteBytes", bytes));
        new LinuxCgroups(files, String.valueOf(pid)).throttled().ifPresent(periods -> {
            counters.put("process.periods", (double) periods[0]);
            counters.put("process.throttledPeriods", (double) periods[1]);
        });
        return counters;
    }
}
