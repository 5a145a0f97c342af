package io.plimsoll.observe.host;

import io.plimsoll.LinuxRoot;
import io.plimsoll.measure.Observation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Samples this host's activity from {@code /proc} and {@code /sys}: CPU, steal time, runnable threads, memory, disks as
 * in iostat, network, retransmitted segments, and stalls. Empty on systems other than Linux. Used by one thread.
 */
public final class HostWatch {
    private static final double HERTZ = 100;
    private static final int SECTOR_BYTES = 512;
    private static final double BITS_PER_BYTE = 8;
    private static final String LINK = "busiestLink";
    private static final Pattern CORE = Pattern.compile("cpu\\d+ ");
    private static final Map<String, String> MEMORY =
            Map.of("MemAvailable:", "memoryAvailableBytes", "Dirty:", "dirtyBytes", "Writeback:", "writebackBytes");
    private static final List<String> PRESSURES = List.of("cpu", "io", "memory");

    private final LinuxFiles files;
    private Map<String, Double> before = Map.of();
    private long beforeNanos;

    public HostWatch() {
        this(LinuxRoot.PATH);
    }

    HostWatch(Path root) {
        this.files = new LinuxFiles(root);
    }

    /** Restarts the sampling: the next {@link #since} covers the time from now on. */
    public void begin(long nowNanos) {
        before = counters();
        beforeNanos = nowNanos;
    }

    /** @param startNanos start of the trial, in nanoTime */
    public Observation since(long nowNanos, long startNanos) {
        Map<String, Double> now = counters();
        Map<String, Double> sums = new TreeMap<>();
        Map<String, Double> gauges = gauges();
        double seconds = (nowNanos - beforeNanos) / 1e9;
        Map<String, Double> busiest = new HashMap<>();
        now.forEach((name, value) -> {
            double grown = Math.max(0, value - before.getOrDefault(name, value));
            int dot = name.indexOf('.');
            if (dot < 0) {
                sums.put(name, grown);
            } else {
                busiest.merge(name.substring(0, dot), grown / seconds, Math::max);
            }
        });
        busiest.forEach((name, most) -> gauges.put(name, name.equals(LINK) ? most : Math.min(1, most)));
        sums.put("seconds", seconds);
        Observation seen =
                new Observation("host", "proc", beforeNanos - startNanos, nowNanos - startNanos, sums, gauges);
        before = now;
        beforeNanos = nowNanos;
        return seen;
    }

    /**
     * All counters. The name of a counter of a core, disk or link begins with the name of the gauge that reports the
     * maximum.
     */
    private Map<String, Double> counters() {
        Map<String, Double> counters = new HashMap<>();
        files.lines("proc/stat").forEach(line -> cpu(line.split("\\s+"), counters));
        files.lines("proc/diskstats").forEach(line -> disk(line.strip().split("\\s+"), counters));
        files.lines("proc/net/dev").forEach(line -> link(line.strip(), counters));
        retransmits(counters);
        PRESSURES.forEach(what -> pressure(what, counters));
        return counters;
    }

    /** Fields: user nice system idle iowait irq softirq steal; user includes guests. */
    private static void cpu(String[] words, Map<String, Double> counters) {
        if (!words[0].startsWith("cpu") || words.length < 9) {
            return;
        }
        double busy =
                (number(words[1]) + number(words[2]) + number(words[3]) + number(words[6]) + number(words[7])) / HERTZ;
        double stolen = number(words[8]) / HERTZ;
        if (words[0].equals("cpu")) {
            counters.put("cpuSeconds", busy);
            counters.put("stealSeconds", stolen);
            counters.put("ioWaitSeconds", number(words[5]) / HERTZ);
        } else {
            counters.put("busiestCore." + words[0], busy + stolen);
        }
    }

    /** Reads whole disks only, because they include their partitions. */
    private void disk(String[] words, Map<String, Double> counters) {
        if (!LinuxDevices.isDisk(files, words)) {
            return;
        }
        counters.merge("diskReads", number(words[3]), Double::sum);
        counters.merge("diskReadBytes", number(words[5]) * SECTOR_BYTES, Double::sum);
        counters.merge("diskWrites", number(words[7]), Double::sum);
        counters.merge("diskWriteBytes", number(words[9]) * SECTOR_BYTES, Double::sum);
        counters.merge("diskRequests", number(words[3]) + number(words[7]), Double::sum);
        counters.merge("diskWaitMs", number(words[6]) + number(words[10]), Double::sum);
        counters.merge("diskQueueSeconds", number(words[13]) / 1e3, Double::sum);
        counters.put("busiestDisk." + words[2], number(words[12]) / 1e3);
    }

    private void link(String line, Map<String, Double> counters) {
        int colon = line.indexOf(':');
        if (colon < 0) {
            return;
        }
        String name = line.substring(0, colon);
        boolean loopback = name.equals("lo");
        String[] words = line.substring(colon + 1).strip().split("\\s+");
        if (words.length < 9 || (!loopback && NodeFigures.isCountedElsewhere(name))) {
            return;
        }
        String kind = loopback ? "loopback" : "network";
        counters.merge(kind + "InBytes", number(words[0]), Double::sum);
        counters.merge(kind + "OutBytes", number(words[8]), Double::sum);
        // A container's virtual interface has an arbitrary speed and no device.
        String card = "sys/class/net/" + name;
        boolean device = Files.exists(files.root().resolve(card + "/device"));
        long megabits = device ? files.number(card + "/speed", -1) : -1;
        if (megabits > 0) {
            double bytesPerSecond = megabits * 1e6 / BITS_PER_BYTE;
            // The full speed of a link is available in each direction.
            counters.put(LINK + "." + name + ".in", number(words[0]) / bytesPerSecond);
            counters.put(LINK + "." + name + ".out", number(words[8]) / bytesPerSecond);
        }
    }

    private void retransmits(Map<String, Double> counters) {
        List<String> tcp = files.lines("proc/net/snmp").stream()
                .filter(l -> l.startsWith("Tcp:"))
                .toList();
        if (tcp.size() < 2) {
            return;
        }
        List<String> names = List.of(tcp.get(0).split("\\s+"));
        String[] values = tcp.get(1).split("\\s+");
        for (String name : List.of("RetransSegs", "OutSegs")) {
            int at = names.indexOf(name);
            if (at > 0 && at < values.length) {
                counters.put(name.equals("OutSegs") ? "segmentsOut" : "segmentsRetransmitted", number(values[at]));
            }
        }
    }

    /** Reads the time during which at least one task was stalled. */
    private void pressure(String what, Map<String, Double> counters) {
        for (String line : files.lines("proc/pressure/" + what)) {
            int total = line.indexOf("total=");
            if (line.startsWith("some") && total > 0) {
                counters.put(what + "StallSeconds", number(line.substring(total + "total=".length())) / 1e6);
            }
        }
    }

    private Map<String, Double> gauges() {
        Map<String, Double> gauges = new TreeMap<>();
        List<String> stat = files.lines("proc/stat");
        long cores =
                stat.stream().filter(line -> CORE.matcher(line).lookingAt()).count();
        // The sampling thread itself is also running.
        LinuxFiles.field(stat, "procs_running ").ifPresent(n -> gauges.put("runnable", Math.max(0, n - 1)));
        List<String> memory = files.lines("proc/meminfo");
        MEMORY.forEach((name, gauge) ->
                LinuxFiles.field(memory, name).ifPresent(kibibytes -> gauges.put(gauge, kibibytes * 1024)));
        // The kernel counts all cores; a container or CPU affinity can restrict this process to a few.
        gauges.put("cores", (double) (cores > 0 ? cores : Runtime.getRuntime().availableProcessors()));
        return gauges;
    }

    static double number(String word) {
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * Samples one process from {@code /proc}, even if it is unresponsive: CPU, disk, throttling, memory. Empty on
     * systems other than Linux, or if the process does not exist. Used by one thread.
     */
    public static final class ProcessWatch {
        /** Index of the user time after the process name, which is in parentheses and can contain any character. */
        private static final int USER_TIME = 11;

        private static final int SYSTEM_TIME = 12;

        private final LinuxFiles files;
        private static final long LEAST_NANOS = 100_000_000;

        private final String name;
        private long pid;
        private Map<String, Double> before = Map.of();
        private long beforeNanos;

        /** @param name such as {@code broker 1} */
        public ProcessWatch(String name) {
            this(LinuxRoot.PATH, name);
        }

        ProcessWatch(Path root, String name) {
            this.files = new LinuxFiles(root);
            this.name = name;
        }

        /** Restarts the sampling if the process ID has changed. */
        public void begin(long processId, long nowNanos) {
            if (pid != processId) {
                pid = processId;
                before = counters();
                beforeNanos = nowNanos;
            }
        }

        /**
         * Sums since the last call. If less than ten clock ticks have passed, the sums are empty, and the next call
         * includes this time.
         * @param startNanos start of the trial, in nanoTime
         */
        public Observation since(long nowNanos, long startNanos) {
            Map<String, Double> now = counters();
            Map<String, Double> sums = new TreeMap<>();
            boolean enough = nowNanos - beforeNanos >= LEAST_NANOS;
            if (enough) {
                now.forEach((counter, value) ->
                        sums.put(counter, Math.max(0, value - before.getOrDefault(counter, value))));
                sums.put("process.seconds", (nowNanos - beforeNanos) / 1e9);
            }
            Map<String, Double> gauges = new TreeMap<>();
            LinuxFiles.field(files.lines("proc/" + pid + "/status"), "VmRSS:")
                    .ifPresent(kibibytes -> gauges.put("process.memoryBytes", kibibytes * 1024));
            Observation seen =
                    new Observation(name, "proc", beforeNanos - startNanos, nowNanos - startNanos, sums, gauges);
            if (enough) {
                before = now;
                beforeNanos = nowNanos;
            }
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
}
