package io.plimsoll.lab;

import io.plimsoll.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Holds a broker's process to some of the machine's cores, or to a share of one: by {@code taskset}, or by a cgroup of its
 * own, which the warden removes.
 */
final class CpuLimit {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_MICROS = 100_000;
    private static final String ENTER = "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"";

    private CpuLimit() {}

    /**
     * What stands before the command of a process.
     *
     * @param cpus as a scenario has it; empty for no limit
     * @param warden null for a lab that stays, which can have no quota
     * @throws io.plimsoll.PlimsollException {@link Exit#USAGE} if it cannot be had here
     */
    static List<String> prefix(String cpus, LabNode node, Warden warden) {
        if (cpus.isEmpty() || !node.role().serves()) {
            return List.of();
        }
        if (cpus.contains(".")) {
            return quota(Double.parseDouble(cpus), node, warden);
        }
        if (!Files.isExecutable(Path.of("/usr/bin/taskset"))) {
            throw Exit.USAGE.because("lab.cpus.noTaskset", cpus);
        }
        return List.of("/usr/bin/taskset", "-c", cpus.matches("\\d+") ? turn(Integer.parseInt(cpus), node.id()) : cpus);
    }

    /** Brokers take the machine's cores in turn. */
    private static String turn(int cores, int id) {
        int there = Runtime.getRuntime().availableProcessors();
        if (cores > there) {
            throw Exit.USAGE.because("lab.cpus.notSoMany", cores, there);
        }
        return IntStream.range(0, cores)
                .mapToObj(i -> Integer.toString(((id - 1) * cores + i) % there))
                .collect(Collectors.joining(","));
    }

    private static List<String> quota(double cores, LabNode node, Warden warden) {
        boolean second = Files.exists(GROUPS.resolve("cgroup.controllers"));
        Path group = (second ? GROUPS : GROUPS.resolve("cpu"))
                .resolve(node.directory().getParent().getFileName() + "-" + node.id());
        long micros = Math.max(1000, Math.round(cores * PERIOD_MICROS));
        try {
            if (warden == null) {
                throw new IOException("the lab stays");
            }
            if (!Files.exists(group)) {
                Files.createDirectory(group);
                warden.removeGroup(group);
            }
            if (second) {
                Files.writeString(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
            } else {
                Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
                Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(micros));
            }
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.cpus.noGroup", cores, e);
        }
        return List.of("/bin/sh", "-c", ENTER, group.toString());
    }
}
