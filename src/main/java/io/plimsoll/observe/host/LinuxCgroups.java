package io.plimsoll.observe.host;

import io.plimsoll.observe.host.HostInventory.CgroupLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * CPU and memory limits of a process's cgroups, versions 1 and 2; the process is given by its ID or {@code self}. The
 * tightest limit of any group on the path to the root applies.
 */
record LinuxCgroups(LinuxFiles files, String process) {
    /** Version 1 represents "no limit" as the largest number of pages. */
    private static final long UNLIMITED_BYTES = 1L << 60;

    CgroupLimits limits() {
        List<String> unified = groups("cgroup2", null);
        List<String> cpu = groups("cgroup", "cpu");
        List<String> memory = groups("cgroup", "memory");
        if (unified.isEmpty() && cpu.isEmpty() && memory.isEmpty()) {
            return new CgroupLimits(Fact.unknown("observe.no.groups"), Fact.unknown("observe.no.groups"));
        }
        List<Double> cores = new ArrayList<>();
        unified.forEach(group -> coresOfV2(group).ifPresent(cores::add));
        cpu.forEach(group -> quota(
                        files.number(group + "/cpu.cfs_quota_us", -1), files.number(group + "/cpu.cfs_period_us", -1))
                .ifPresent(cores::add));
        List<Long> bytes = new ArrayList<>();
        unified.forEach(group -> bytes.add(files.number(group + "/memory.max", Long.MAX_VALUE)));
        memory.forEach(group -> bytes.add(files.number(group + "/memory.limit_in_bytes", Long.MAX_VALUE)));
        bytes.removeIf(limit -> limit >= UNLIMITED_BYTES);
        return new CgroupLimits(
                cores.stream().min(Double::compare).map(Fact::of).orElse(Fact.unknown("observe.no.limit")),
                bytes.stream().min(Long::compare).map(Fact::of).orElse(Fact.unknown("observe.no.limit")));
    }

    /**
     * Number of periods in which the innermost cgroup with a quota was runnable, and number of throttled periods; empty
     * without a quota.
     */
    Optional<long[]> throttled() {
        return quotaFile().map(files::lines).map(stat -> new long[] {
            (long) LinuxFiles.field(stat, "nr_periods ").orElse(0),
            (long) LinuxFiles.field(stat, "nr_throttled ").orElse(0)
        });
    }

    /** The file with the counters of the innermost cgroup with a quota; empty without a quota. */
    Optional<String> quotaFile() {
        List<String> all = new ArrayList<>(groups("cgroup", "cpu"));
        all.addAll(groups("cgroup2", null));
        return all.stream()
                .map(group -> group + "/cpu.stat")
                .filter(file ->
                        LinuxFiles.field(files.lines(file), "nr_periods ").orElse(0) > 0)
                .findFirst();
    }

    /** The files that say whether the process is frozen, as by {@code docker pause}, in versions 1 and 2. */
    List<String> freezerFiles() {
        return Stream.concat(
                        groups("cgroup", "freezer").stream().limit(1).map(group -> group + "/freezer.state"),
                        groups("cgroup2", null).stream().limit(1).map(group -> group + "/cgroup.events"))
                .toList();
    }

    /** {@code cpu.max}: quota and period in microseconds, or "max" and the period. */
    private OptionalDouble coresOfV2(String group) {
        String text = files.text(group + "/cpu.max");
        String[] parts = text == null ? new String[0] : text.split("\\s+");
        if (parts.length != 2 || parts[0].equals("max")) {
            return OptionalDouble.empty();
        }
        return quota(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }

    private static OptionalDouble quota(long quotaMicros, long periodMicros) {
        boolean limited = quotaMicros > 0 && periodMicros > 0;
        return limited ? OptionalDouble.of((double) quotaMicros / periodMicros) : OptionalDouble.empty();
    }

    /** The directories of the process's group and its ancestors in one hierarchy, innermost first. */
    private List<String> groups(String type, @Nullable String controller) {
        LinuxFiles.Mount mount = files.mounts().stream()
                .filter(m -> m.type().equals(type)
                        && (controller == null
                                || Arrays.asList(m.superOptions().split(",")).contains(controller)))
                .findFirst()
                .orElse(null);
        String path = path(controller);
        if (mount == null || path == null) {
            return List.of();
        }
        String top = mount.mountPoint().substring(1);
        if (path.contains("..")) {
            // The group is outside of this process's cgroup namespace; only the root of the namespace is visible.
            return List.of(top);
        }
        // A container sees its own group as the root of the mount, although the path can still be the host's.
        String below = path.startsWith(mount.root()) && !mount.root().equals("/")
                ? path.substring(mount.root().length())
                : path;
        List<String> groups = new ArrayList<>();
        for (String at = strip(below); !at.isEmpty(); at = at.substring(0, Math.max(0, at.lastIndexOf('/')))) {
            groups.add(top + at);
        }
        groups.add(top);
        return groups;
    }

    private static String strip(String path) {
        String stripped = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return stripped.isEmpty() || stripped.startsWith("/") ? stripped : "/" + stripped;
    }

    /** The path of the process in the hierarchy of a controller; a null controller means the unified hierarchy. */
    private @Nullable String path(@Nullable String controller) {
        for (String line : files.lines("proc/" + process + "/cgroup")) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3
                    && (controller == null
                            ? parts[1].isEmpty()
                            : Arrays.asList(parts[1].split(",")).contains(controller))) {
                return parts[2];
            }
        }
        return null;
    }
}
