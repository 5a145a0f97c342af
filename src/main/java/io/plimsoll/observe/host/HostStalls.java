package io.plimsoll.observe.host;

import io.plimsoll.LinuxRoot;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.IncidentSource;
import io.plimsoll.observe.incident.Stretch;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the times at which this host delayed its processes, from Linux statistics: pressure, steal time, busy disks,
 * writeback, cgroup quotas of this process and of brokers, and retransmitted segments. Finds none on other systems.
 */
public final class HostStalls implements IncidentSource {
    private static final String HOST = "host";
    private static final String SELF = "self";
    private static final long MILLI = 1_000_000L;
    private static final long TICK_NANOS = 10 * MILLI;
    private static final long LEAST_NANOS = 20 * MILLI;
    private static final long LEAST_BUSY_NANOS = 200 * MILLI;
    private static final double BUSY = 0.9;
    /** Minimum amount of writeback in bytes; a smaller amount is written too quickly to cause a delay. */
    private static final long WRITEBACK_BYTES = 8L << 20;
    /** Minimum number of retransmitted segments; a single one, or a small part of a load, is normal. */
    private static final long LEAST_RETRANSMITTED = 3;

    private static final double LEAST_RETRANSMITTED_SHARE = 0.01;

    /** Number of polls between two checks of whether a process moved to another cgroup or received a quota. */
    private static final int QUOTAS_EVERY = 5;

    private static final Pattern CORE = Pattern.compile("cpu\\d+");

    private static final Map<String, Kind> PRESSURES =
            Map.of("cpu", Kind.CPU_PRESSURE, "io", Kind.IO_PRESSURE, "memory", Kind.MEMORY_PRESSURE);

    private final LinuxFiles files;
    private final Supplier<Map<Integer, Long>> brokers;
    private final Map<String, Stretch> stretches = new HashMap<>();
    private final Map<String, Long> before = new HashMap<>();
    /** Files with the quota counters of a process, by process ID; empty without a quota. */
    private final Map<String, String> quotas = new HashMap<>();
    /** Whether a block device is a whole disk, by name. */
    private final Map<String, Boolean> wholeDisks = new HashMap<>();

    private int looks;
    private long fromNanos;
    private long toNanos;

    /** @param brokers returns the IDs of brokers on this host, with their process IDs */
    public HostStalls(Supplier<Map<Integer, Long>> brokers) {
        this(LinuxRoot.PATH, brokers);
    }

    HostStalls(Path root, Supplier<Map<Integer, Long>> brokers) {
        this.files = new LinuxFiles(root);
        this.brokers = brokers;
    }

    @Override
    public int every() {
        return 5;
    }

    @Override
    public void look(long nowNanos, IncidentSink sink) {
        fromNanos = toNanos;
        toNanos = nowNanos;
        PRESSURES.forEach((what, kind) -> {
            long stalled = grown(what, total(files.lines("proc/pressure/" + what)) * 1_000);
            lost(sink, kind, HOST, LEAST_NANOS, stalled, null);
        });
        lost(sink, Kind.STEAL, HOST, LEAST_NANOS, stolen(), null);
        disks(sink);
        if (looks++ % QUOTAS_EVERY == 0) {
            quotas.clear();
        }
        throttled(sink, "generator", SELF);
        brokers.get().forEach((broker, pid) -> throttled(sink, "broker " + broker, String.valueOf(pid)));
        retransmitted(sink);
    }

    /** The steal time of the core that lost the most time. */
    private long stolen() {
        long most = 0;
        for (String line : files.lines("proc/stat")) {
            if (!line.startsWith("cpu")) {
                // The line of interrupts is long on large hosts.
                break;
            }
            String[] cpu = LinuxFiles.words(line);
            if (cpu.length > 8 && !cpu[0].equals("cpu")) {
                most = Math.max(most, grown("steal " + cpu[0], number(cpu[8]) * TICK_NANOS));
            }
        }
        return most;
    }

    private void disks(IncidentSink sink) {
        boolean busy = false;
        for (String line : files.lines("proc/diskstats")) {
            String[] words = LinuxFiles.words(line);
            if (words.length >= 14 && wholeDisks.computeIfAbsent(words[2], d -> LinuxDevices.isDisk(files, words))) {
                long used = grown("disk " + words[2], number(words[12]) * MILLI);
                boolean full = used >= BUSY * (toNanos - fromNanos);
                busy |= full;
                lost(sink, Kind.DISK_BUSY, HOST, LEAST_BUSY_NANOS, full ? used : 0, words[2]);
            }
        }
        // Writeback without a busy disk delays nothing.
        double writeback = busy
                ? LinuxFiles.field(files.lines("proc/meminfo"), "Writeback:").orElse(0) * 1024
                : 0;
        lost(
                sink,
                Kind.WRITEBACK,
                HOST,
                LEAST_BUSY_NANOS,
                writeback >= WRITEBACK_BYTES ? toNanos - fromNanos : 0,
                Math.round(writeback / 1e6) + " MB");
    }

    /** Finds times in which a cgroup quota kept a process from running. */
    private void throttled(IncidentSink sink, String where, String pid) {
        String file = quotas.computeIfAbsent(
                pid, id -> new LinuxCgroups(files, id).quotaFile().orElse(""));
        if (!file.isEmpty()) {
            List<String> stat = files.lines(file);
            double nanos = LinuxFiles.field(stat, "throttled_time ")
                    .orElse(LinuxFiles.field(stat, "throttled_usec ").orElse(0) * 1e3);
            long lost = grown("quota " + where + file, (long) nanos);
            // The counter is a sum over cores, and grows at the end of a quota period, which can be longer than a poll.
            long atLeast = Math.max(Math.min(lost, toNanos - fromNanos), lost / cores());
            lost(sink, Kind.CGROUP_THROTTLE, where, LEAST_NANOS, atLeast, null);
        }
    }

    private long cores() {
        return Math.max(
                1,
                files.lines("proc/stat").stream()
                        .filter(line -> CORE.matcher(line).lookingAt())
                        .count());
    }

    private void retransmitted(IncidentSink sink) {
        List<String> tcp = files.network("snmp", "Tcp");
        long segments = grown("retransmits", LinuxFiles.counter(tcp, "RetransSegs"));
        long all = grown("segments", LinuxFiles.counter(tcp, "OutSegs"));
        if (segments >= Math.max(LEAST_RETRANSMITTED, LEAST_RETRANSMITTED_SHARE * all)) {
            sink.add(Kind.RETRANSMIT, HOST, fromNanos, toNanos, toNanos - fromNanos, String.valueOf(segments));
        }
    }

    private void lost(
            IncidentSink sink, Kind kind, String where, long leastNanos, long lostNanos, @Nullable String detail) {
        if (fromNanos > 0) {
            stretches
                    .computeIfAbsent(
                            kind + where + (kind == Kind.DISK_BUSY ? detail : ""),
                            k -> new Stretch(kind, where, leastNanos))
                    .look(fromNanos, toNanos, lostNanos, detail, sink);
        }
    }

    /** The increase of a counter; 0 for a new counter. */
    private long grown(String counter, long value) {
        Long last = before.put(counter, value);
        return last == null ? 0 : Math.max(0, value - last);
    }

    @Override
    public void end(long nowNanos, IncidentSink found) {
        stretches.values().forEach(stretch -> stretch.end(found));
    }

    /** Total time in microseconds in which at least one task was stalled. */
    private static long total(List<String> pressure) {
        String[] some = words(pressure, "some ");
        return some.length == 0 ? 0 : number(some[some.length - 1].replace("total=", ""));
    }

    private static String[] words(List<String> lines, String start) {
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .map(LinuxFiles::words)
                .orElse(new String[0]);
    }

    private static long number(String word) {
        return (long) HostWatch.number(word);
    }
}
